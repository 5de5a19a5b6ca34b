"""Validate URLs given by customers and classify IP addresses as public or forbidden. Pure.

URL parsers disagree about hosts, which is how a check can pass one host and the client connect to another
(SSRF). Therefore a URL is parsed once, unusual notation is refused, and the connection uses the address that
was checked. `ipaddress.is_global` is not enough: it is true for multicast, 6to4, NAT64, `fec0::/10` and the
metadata services of two clouds.
"""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import idna

Address = IPv4Address | IPv6Address

MAX_URL = 2048
_PORTS = {"https": 443, "http": 80}
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^#]*)(?:#.*)?", re.DOTALL)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::([0-9]{1,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
# A last label that any parser could take for a number makes the whole host an address (WHATWG URL, 3.5).
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DOTTED = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
_INNER_ENDINGS = (
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
    "in-addr.arpa",
    "ip6.arpa",
)

# IANA's special-purpose registry (RFC 6890 and successors), and metadata services at public addresses.
_FORBIDDEN_4 = {
    IPv4Network(block): meaning
    for block, meaning in (
        ("0.0.0.0/8", "an address of the local network"),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "a carrier-grade NAT address"),
        ("127.0.0.0/8", "a loopback address"),
        ("168.63.129.16/32", "a cloud metadata service"),
        ("169.254.0.0/16", "a link-local address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "an address reserved for documentation"),
        ("192.31.196.0/24", "a reserved address"),
        ("192.52.193.0/24", "a reserved address"),
        ("192.88.99.0/24", "a relay address (6to4)"),
        ("192.168.0.0/16", "a private address"),
        ("192.175.48.0/24", "a reserved address"),
        ("198.18.0.0/15", "an address reserved for benchmarks"),
        ("198.51.100.0/24", "an address reserved for documentation"),
        ("203.0.113.0/24", "an address reserved for documentation"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", "a reserved address"),
    )
}
_GLOBAL_6 = IPv6Network("2000::/3")
_FORBIDDEN_6 = {
    IPv6Network(block): meaning
    for block, meaning in (
        ("2001::/23", "a reserved address (Teredo and other protocols)"),
        ("2001:db8::/32", "an address reserved for documentation"),
        ("2002::/16", "an address that tunnels to another (6to4)"),
        ("2620:4f:8000::/48", "a reserved address"),
        ("3ffe::/16", "a reserved address"),
        ("3fff::/20", "an address reserved for documentation"),
    )
}


class NotAllowed(ValueError):
    """A URL or address that must not be connected to; the message gives the reason without the URL."""


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed URL: where to connect and which path to request.

    `host` is lower-case ASCII, without the brackets of IPv6. `exempt` is true where the operator listed the
    host in `WEBHOOK_ALLOW_HOSTS`.
    """

    scheme: str
    host: str
    port: int
    path: str
    exempt: bool

    @property
    def literal(self) -> Address | None:
        """The IP address, where the host is written as one; `None` for a name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def host_header(self) -> str:
        """The `Host` header: IPv6 in brackets, and the port where it is not the scheme's default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def read(
    url: str,
    *,
    allow_hosts: Collection[str] = (),
    schemes: Collection[str] = ("https",),
    ports: Collection[int] | None = None,
) -> Target:
    """Parse and check `url` as far as is possible without resolving its name.

    Args:
        url: At most `MAX_URL` characters.
        allow_hosts: Entries `host` or `host:port` that are exempt from the rules on schemes, ports and
            addresses.
        schemes: Schemes that are accepted, `https` or `http`.
        ports: Ports that are accepted; `None` accepts every port.

    Raises:
        NotAllowed: The URL is malformed, or leads to a scheme, port, name or address that is not accepted.
    """
    if len(url) > MAX_URL:
        raise NotAllowed(f"is longer than {MAX_URL} characters")
    if any(c <= " " or c in '\\"<>^`{|}' or c == "\x7f" for c in url):
        raise NotAllowed(
            "contains a space, a control character or another character that is not allowed in a URL"
        )
    whole = _URL.fullmatch(url)
    if whole is None:
        raise NotAllowed("is not an absolute URL such as https://hooks.example.com/path")
    scheme, authority, rest = whole[1].lower(), whole[2], whole[3]
    if scheme not in _PORTS:
        raise NotAllowed("must start with https://")
    if "@" in authority:
        raise NotAllowed("must not contain a user name or password")
    found = _AUTHORITY.fullmatch(authority)
    if found is None:
        raise NotAllowed("has no valid host, or its port is not a number")
    port = int(found[2]) if found[2] else _PORTS[scheme]
    if not 1 <= port <= 65535:
        raise NotAllowed("has a port outside 1 to 65535")
    host = _host(found[1])
    exempt = _listed(host, port, allow_hosts)
    if not exempt:
        if scheme not in schemes:
            raise NotAllowed(f"must start with {' or '.join(f'{name}://' for name in schemes)}")
        _judge_host(host)
        if ports is not None and port not in ports:
            allowed = " and ".join(map(str, sorted(ports)))
            raise NotAllowed(f"has a port that is not allowed; allowed ports: {allowed}")
    return Target(scheme, host, port, _path(rest), exempt)


def reason_against(address: Address) -> str | None:
    """Return why `address` must not be connected to, in words; `None` for a public address."""
    if isinstance(address, IPv4Address):
        return next((meaning for block, meaning in _FORBIDDEN_4.items() if address in block), None)
    if address not in _GLOBAL_6:
        # Loopback, link-local, unique local, site-local, multicast, mapped, NAT64, discard: none is public.
        return "not a public IPv6 address"
    if address.packed[8:12] in (b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe"):
        return "an address that tunnels to another (ISATAP)"
    return next((meaning for block, meaning in _FORBIDDEN_6.items() if address in block), None)


def _host(written: str) -> str:
    if written.startswith("["):
        try:
            return str(IPv6Address(written[1:-1]))
        except ValueError:
            raise NotAllowed("contains an invalid IPv6 address") from None
    host = written
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True, transitional=False).decode()
        except (idna.IDNAError, UnicodeError):
            raise NotAllowed("contains an invalid host name") from None
    host = host.lower().removesuffix(".")
    labels = host.split(".")
    if _NUMERIC.fullmatch(labels[-1]):
        try:
            if _DOTTED.fullmatch(host):
                return str(IPv4Address(host))
        except ValueError:
            pass
        raise NotAllowed(
            "contains an IPv4 address in an unusual form; use four decimal numbers such as 203.0.113.7"
        )
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise NotAllowed("contains an invalid host name")
    return host


def _judge_host(host: str) -> None:
    try:
        reason = reason_against(ip_address(host))
    except ValueError:
        inner = "." not in host or any(host == end or host.endswith(f".{end}") for end in _INNER_ENDINGS)
        reason = "an internal host name" if inner else None
    if reason is not None:
        raise NotAllowed(f"leads to {reason}; a public address is needed")


def _listed(host: str, port: int, allow_hosts: Collection[str]) -> bool:
    shown = f"[{host}]" if ":" in host else host
    return any(
        entry.strip().lower() in (host, shown, f"{shown}:{port}") for entry in allow_hosts if entry.strip()
    )


def _path(rest: str) -> str:
    path = rest if rest.startswith("/") else f"/{rest}"
    # Percent signs stay: what is escaped already must not be escaped again.
    return urllib.parse.quote(path, safe="/?:@!$&'()*+,;=~-._%[]")
