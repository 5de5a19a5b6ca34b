"""Forbidden and allowed spellings of where a URL leads (decision 031)."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.platform import addresses, safe_http, settings
from app.platform.errors import Invalid

# Hosts that no name server is asked about: the URL itself gives them away.
_HOSTS = """
127.0.0.1 127.1 127.0.1 127.000.000.001 127.0.0.01 127.255.255.254 127.0.0.1. 2130706433 017700000001
0177.0.0.1 0177.0.1 0177.1 0x7f.0.0.1 0x7f.1 0x7f000001 0X7F000001 0x7F.0.0.1 0x7f.0x0.0x0.0x1 127.0x1
00000177.0.0.1 0x0000007f.0.0.1 3232235521 0xc0a80001 0300.0250.0.1 192.0xa8.0.1 192.168.257 192.11010049
0 0.0 0.0.0.0 0x0 00 0.0.0.1 0x 1 1.1 8.8 08.08.08.08 256.256.256.256 1.2.3.4.5 1.2.3.256 4294967296
999999999999 10.0.0.1 10.1 10.255.255.255 0xa.0.0.1 012.0.0.1 167772161 172.16.0.1 172.31.255.255
2886729729 192.168.0.1 192.168.255.255 169.254.169.254 169.254.0.1 2852039166 0xa9fea9fe 0251.0376.0251.0376
0xa9.0xfe.0xa9.0xfe 169.254.43518 169.16689662 100.64.0.1 100.100.100.200 100.127.255.255 168.63.129.16
0xa83f8110 2822734096 192.0.0.192 192.0.0.1 192.0.0.170 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7
203.0.113.9 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1 239.255.255.250 240.0.0.1
255.255.255.255
[::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0:1] [::127.0.0.1] [::7f00:1]
[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1]
[::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:8.8.8.8] [::ffff:0:127.0.0.1] [::169.254.169.254]
[fe80::1] [FE80::1] [fe80::a9fe:a9fe] [febf::1] [fec0::1] [feff::1] [fc00::1] [fd00::1] [fd00:ec2::254]
[fd20:ce::254] [fdff:ffff::1] [ff02::1] [ff05::1:3] [ff0e::1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1]
[64:ff9b::a9fe:a9fe] [64:ff9b::8.8.8.8] [64:ff9b:1::1] [64:ff9b:1:fffe::a00:1] [2002:7f00:1::]
[2002:a9fe:a9fe::1] [2002:a00:1::1] [2002:c0a8:1::] [2002:808:808::1] [2001::1] [2001:0:4136:e378::1]
[2001:10::1] [2001:20::1] [2001:2::1] [2001:db8::1] [2001:1ff::1] [3fff::1] [3ffe::1] [100::1] [5f00::1]
[2606:4700::5efe:7f00:1] [2606:4700::200:5efe:a00:1] [4000::1] [::1%lo] [fe80::1%25eth0] [fe80::1%eth0]
[127.0.0.1] [] [::1 [:::1] [::1]x [v1.127.0.0.1] ::1 [::g]
localhost LOCALHOST LocalHost localhost. foo.localhost a.b.localhost. localhost.localdomain printer.local
metadata metadata.google.internal METADATA.GOOGLE.INTERNAL metadata.google.internal. instance-data
instance-data.ec2.internal kubernetes kubernetes.default.svc.cluster.local vault.internal
intranet wiki.intranet router.lan nas.home.arpa 1.0.0.127.in-addr.arpa 1.0.0.0.ip6.arpa redis db
１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
locaLhost。 ⑩.0.0.1 0ｘ7f.0.0.1
metadata.google.internaｌ 169｡254｡169｡254
"""
URLS = [
    "http://hooks.example.com/",
    "HTTP://hooks.example.com/",
    "ftp://hooks.example.com/",
    "file:///etc/passwd",
    "gopher://hooks.example.com/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "//hooks.example.com/",
    "hooks.example.com",
    "",
    "https:",
    "https://",
    "https:///",
    "https:/hooks.example.com",
    "https:hooks.example.com",
    "https://:443/",
    "https://?x",
    "https://user@hooks.example.com/",
    "https://user:password@hooks.example.com/",
    "https://@hooks.example.com/",
    "https://hooks.example.com@127.0.0.1/",
    "https://127.0.0.1@hooks.example.com/",
    "https://hooks.example.com:443@127.0.0.1/",
    "https://hooks.example.com\\@127.0.0.1/",
    "https://127.0.0.1\\@hooks.example.com/",
    "https:\\\\127.0.0.1/",
    "https://hooks.example.com:0/",
    "https://hooks.example.com:00000/",
    "https://hooks.example.com:65536/",
    "https://hooks.example.com:99999/",
    "https://hooks.example.com:/",
    "https://hooks.example.com:443x/",
    "https://hooks.example.com:-1/",
    "https://hooks.example.com:80:443/",
    "https://hooks.example.com:٤٤٣/",
    "https://hooks.example.com /",
    " https://hooks.example.com/",
    "https://hooks.example.com/\n",
    "https://hooks.example.com/a b",
    "https://hooks.example.com/\r\nHost: 127.0.0.1",
    "https://hooks.example.com\t/",
    "https://hooks.example.com\x00.evil.example/",
    "https://127.0.0.1%00.example.com/",
    "https://%31%32%37.0.0.1/",
    "https://127%2e0%2e0%2e1/",
    "https://hooks%2eexample.com/",
    "https://hooks..example.com/",
    "https://.example.com/",
    "https://-hooks.example.com/",
    "https://hooks-.example.com/",
    "https://hooks.example.com../",
    "https://exa mple.com/",
    "https://exa!mple.com/",
    f"https://{'a' * 64}.example.com/",
    f"https://{'abcdefgh.' * 30}com/",
    "https://hooks.example.com/" + "a" * 2048,
    "https://[::1]:443:443/",
    "https://[::1",
    "https://127.0.0.1/?x=@hooks.example.com",
    "https://127.0.0.1#@hooks.example.com",
    "https://127.0.0.1?@hooks.example.com",
]
FORBIDDEN = [f"https://{host}/" for host in _HOSTS.split()] + URLS


def _nobody_asks(host: str, port: int) -> NoReturn:
    raise AssertionError(f"{host} was looked up")


def _answering(*found: str) -> safe_http.Resolver:
    return lambda host, port: [ip_address(address) for address in found]


def _unknown(host: str, port: int) -> Sequence[addresses.Address]:
    raise OSError("no such name")


def test_the_table_is_as_long_as_promised() -> None:
    assert len(set(FORBIDDEN)) >= 150


@pytest.mark.parametrize("url", FORBIDDEN)
def test_a_forbidden_spelling_is_refused_before_any_name_is_resolved(url: str) -> None:
    with pytest.raises(Invalid) as refused:
        safe_http.check_url(url, resolve=_nobody_asks)
    assert (refused.value.code, refused.value.status) == ("URL_NOT_ALLOWED", 422)
    assert refused.value.details == {"field": "url"}
    with pytest.raises(safe_http.AddressNotAllowed):
        safe_http.send("GET", url, timeout_s=1, max_bytes=0, resolve=_nobody_asks)


@pytest.mark.parametrize(
    "answer",
    [
        ("127.0.0.1",),
        ("10.0.0.7",),
        ("169.254.169.254",),
        ("168.63.129.16",),
        ("192.0.0.192",),
        ("100.100.100.200",),
        ("::1",),
        ("fe80::1",),
        ("::ffff:10.0.0.1",),
        ("64:ff9b::a00:1",),
        ("fd00:ec2::254",),
        ("2002:7f00:1::",),
        ("93.184.215.14", "10.0.0.7"),
        ("2606:4700::1111", "93.184.215.14", "::1"),
    ],
)
def test_a_name_with_any_forbidden_answer_is_refused(answer: tuple[str, ...]) -> None:
    with pytest.raises(Invalid, match="public address is needed"):
        safe_http.check_url("https://127.0.0.1.nip.example/", resolve=_answering(*answer))


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com",
        "https://hooks.example.com/a/b?c=d&e=%20f#part",
        "https://hooks.example.com.:8443/x",
        "https://hooks_a.example.com/x",
        "https://HOOKS.example.com/?q",
        "https://despacho-peña.example/ñ?año=2026",
        "https://xn--despacho-pea-khb.example/",
        "https://93.184.215.14/hook",
        "https://[2606:4700:4700::1111]:8443/hook",
        "https://172.15.0.1/",
        "https://172.32.0.1/",
        "https://100.63.255.255/",
        "https://100.128.0.1/",
        "https://4.local.example.com/",
    ],
)
def test_a_public_place_is_allowed(url: str) -> None:
    safe_http.check_url(url, resolve=_answering("93.184.215.14", "2606:4700::1111"))


def test_a_name_that_does_not_resolve_is_accepted() -> None:
    safe_http.check_url("https://not-yet.example/", resolve=_unknown)
    safe_http.check_url("https://not-yet.example/", resolve=_answering())


def test_a_listed_host_is_exempt_on_its_port_or_on_all() -> None:
    safe_http.check_url("http://127.0.0.1:9000/", allow_hosts=["127.0.0.1:9000"], resolve=_nobody_asks)
    safe_http.check_url("http://crm:9000/", allow_hosts=["CRM"], resolve=_nobody_asks)
    safe_http.check_url("https://[::1]:9000/", allow_hosts=["[::1]:9000"], resolve=_nobody_asks)
    for url in ("http://127.0.0.1:9001/", "http://2130706433:9000/", "http://u@127.0.0.1:9000/"):
        with pytest.raises(Invalid):
            safe_http.check_url(url, allow_hosts=["127.0.0.1:9000"], resolve=_nobody_asks)


def test_only_the_ports_of_the_setting_are_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("https://93.184.215.14/", "https://93.184.215.14:443/", "https://93.184.215.14:8443/"):
        safe_http.check_url(url, resolve=_nobody_asks)
    for port in (22, 25, 80, 444, 6379, 8080, 9200, 65535):
        with pytest.raises(Invalid, match="allowed ports: 443 and 8443") as refused:
            safe_http.check_url(f"https://hooks.example.com:{port}/", resolve=_nobody_asks)
        assert (refused.value.status, refused.value.code) == (422, "URL_NOT_ALLOWED")
        # Also one that was registered before: nothing is sent there.
        with pytest.raises(safe_http.AddressNotAllowed, match="port"):
            safe_http.send("POST", f"https://hooks.example.com:{port}/", timeout_s=1, max_bytes=0)
    wider = settings.load(outgoing_ports="443, 9443")
    monkeypatch.setattr(settings, "current", lambda: wider)
    safe_http.check_url("https://93.184.215.14:9443/", resolve=_nobody_asks)
    with pytest.raises(Invalid, match="allowed ports: 443 and 9443"):
        safe_http.check_url("https://93.184.215.14:8443/", resolve=_nobody_asks)


@pytest.mark.parametrize("ports", ["", "https", "0", "443,70000", "443;8443", "-1"])
def test_a_list_of_ports_that_is_none_is_refused_at_the_start(ports: str) -> None:
    with pytest.raises(settings.SettingsError, match="OUTGOING_PORTS"):
        settings.load(outgoing_ports=ports)


def test_the_reason_does_not_repeat_the_url() -> None:
    with pytest.raises(Invalid) as refused:
        safe_http.check_url("https://user:hunter2@hooks.example.com/", field="partner_website")
    assert refused.value.message == "partner_website: must not contain a user name or password."


def test_plain_http_may_be_asked_for() -> None:
    target = addresses.read("http://www.example.com", schemes=("https", "http"))
    assert (target.port, target.path, target.host_header) == (80, "/", "www.example.com")


def test_what_is_asked_for_is_ascii() -> None:
    target = addresses.read("https://despacho-peña.example:8443/ñ%20a?año=2026&x=[1]#frag")
    assert target.host_header == "xn--despacho-pea-khb.example:8443"
    assert target.path == "/%C3%B1%20a?a%C3%B1o=2026&x=[1]"
    assert addresses.read("https://a.example?x=1").path == "/?x=1"


@given(st.ip_addresses(v=4))
def test_python_and_the_table_agree_where_python_forbids(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast:
        assert addresses.reason_against(address) is not None


@given(st.ip_addresses(v=6) | st.integers(0x2000 << 112, (0x4000 << 112) - 1).map(IPv6Address))
def test_the_same_for_version_six(address: IPv6Address) -> None:
    if not address.is_global or address.is_multicast:
        assert addresses.reason_against(address) is not None


@given(st.ip_addresses(v=4))
def test_an_embedded_address_is_never_dialled(address: IPv4Address) -> None:
    number = int(address)
    for shifted in (
        number,
        (0xFFFF << 32) | number,
        (0x64FF9B << 96) | number,
        (0x2002 << 112) | number << 80,
    ):
        assert addresses.reason_against(IPv6Address(shifted)) is not None


@given(st.text(max_size=60))
def test_no_text_makes_the_reader_stumble(text: str) -> None:
    for url in (text, f"https://{text}", f"https://{text}/", f"https://a.example/{text}"):
        try:
            target = addresses.read(url)
        except addresses.NotAllowed:
            continue
        assert target.host_header.isascii()
        assert target.path.isascii()
        assert not any(c <= " " for c in target.path + target.host_header)
