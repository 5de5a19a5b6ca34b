"""Signatures that a receiver must refuse."""

from __future__ import annotations


def doubled(header: str, now: int) -> list[str]:
    """What a genuine `header` of `now` becomes in the hands of who would have it read in two ways."""
    stamp, _, signature = header.partition(",")
    return [
        f"t={now - 4000},{header}",
        f"{header},t={now}",
        f"{header},t={now - 4000}",
        f"{stamp},{header}",
        f"{header},{signature}",
        f"{header},v1=",
        f"{header},v1=zz",
        f"{header},v1",
        f"{header},",
        f",{header}",
        f"{header},v2=00",
        f"{signature},{stamp}",
        f"{header.replace('t=', 'T=')}",
        f"{header}\n",
        f"{stamp},{signature.upper()}",
        f"t=+{now},{signature}",
        f"t= {now},{signature}",
        f"{stamp};{signature}",
    ]
