"""A logo is uploaded as well as fetched: by its content, drawn again, and gone when it is removed."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

from PIL import Image, PngImagePlugin
from werkzeug.test import TestResponse

from app import branding
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient

Make = Callable[[Player], PortalClient]


def _png(width: int = 60, height: int = 20) -> bytes:
    """A picture with a text beside its pixels, and something after its end."""
    beside = PngImagePlugin.PngInfo()
    beside.add_text("Comment", "secret beside the pixels")
    written = io.BytesIO()
    Image.new("RGB", (width, height), "#1f4e79").save(written, "PNG", pnginfo=beside)
    return written.getvalue() + b"<script>secret</script>"


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to be so large."""
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b"\0" * 9))


def _texts_of_100_megabytes() -> bytes:
    """A PNG with a compressed text before its pixels."""
    made, text = _png(), b"a\0\0" + zlib.compress(b"x" * 100_000_000, 9)
    return made[:33] + _chunk(b"zTXt", text) + made[33:]


def _upload(visitor: PortalClient, raw: bytes, name: str = "logo.png") -> TestResponse:
    form: dict[str, object] = {"logo": (io.BytesIO(raw), name)}
    return visitor.send("/portal/branding/logo", form, on="/portal/branding")


def _logo(player: Player) -> Any:
    with db.reading() as session:
        return branding.logo_of(session, player.account_id, player.key_id)


def test_an_uploaded_logo_is_drawn_again_served_and_removed(member: Make, alice: Player, cast: Cast) -> None:
    visitor = member(alice)
    assert _upload(visitor, _png()).status_code == 303
    found = _logo(alice)
    assert (found.state, found.uploaded, found.width, found.height) == ("ready", True, 60, 20)
    assert b"secret" not in found.data
    served = visitor.get("/portal/branding/logo")
    assert (served.mimetype, served.data) == ("image/png", found.data)
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    # Saving the form without a URL leaves it; a URL takes its place.
    with db.transaction() as session:
        branding.save(session, cast.caller(alice), {"partner_logo_url": None}, now=clock.now())
    assert _logo(alice).uploaded
    assert visitor.send("/portal/branding/logo/remove", {}, on="/portal/branding").status_code == 303
    assert _logo(alice) is None
    assert visitor.send("/portal/branding/logo/remove", {}, on="/portal/branding").status_code == 404
    _upload(visitor, _png())
    with db.transaction() as session:
        url = {"partner_logo_url": "https://www.soler.example/logo.png"}
        branding.save(session, cast.caller(alice), url, now=clock.now())
    assert (_logo(alice).uploaded, _logo(alice).state) == (False, "wanted")
    # And an upload the place of a URL.
    _upload(visitor, _png(80))
    with db.reading() as session:
        assert branding.get(session, alice.account_id, alice.key_id).partner_logo_url is None
    assert _logo(alice).width == 80


def test_what_is_no_picture_is_refused_whatever_it_is_called(member: Make, alice: Player) -> None:
    visitor = member(alice)
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    for raw, word in (
        (svg, "not a readable PNG or JPEG"),
        (b"GIF89a" + b"\x00" * 40, "not a readable PNG or JPEG"),
        (_png()[:60], "not a readable PNG or JPEG"),
        (_png(4, 4), "too many or too few pixels"),
        (b"\x89PNG" + b"x" * 2_000_001, "too large"),
        (_claiming(60_000, 60_000), "too many or too few pixels"),
        (_texts_of_100_megabytes(), "not a readable PNG or JPEG"),
        (b"%PDF-1.7\n" + _png(), "not a readable PNG or JPEG"),
    ):
        assert _upload(visitor, raw).status_code == 303
        assert word in visitor.get("/portal/branding").text
    assert visitor.send("/portal/branding/logo", {}, on="/portal/branding").status_code == 303
    assert _logo(alice) is None


def test_a_file_that_is_also_something_else_leaves_its_pixels_alone(member: Make, alice: Player) -> None:
    visitor = member(alice)
    for tail in (b"<script>alert(1)</script>", b"PK\x05\x06" + b"\0" * 18, b"<?php ?>"):
        assert _upload(visitor, _png() + tail, "logo.html").status_code == 303
        served = visitor.get("/portal/branding/logo")
        assert served.status_code == 200
        assert tail not in served.data
        assert served.data.startswith(b"\x89PNG")
        assert served.data.endswith(b"IEND\xaeB\x60\x82")
        assert served.mimetype == "image/png"


def test_mallory_cannot_give_alices_key_a_logo(member: Make, alice: Player, mallory: Player) -> None:
    visitor = member(mallory)
    form: dict[str, object] = {"logo": (io.BytesIO(_png()), "logo.png")}
    answer = visitor.send(f"/portal/branding/logo?key={alice.key_id}", form, on="/portal/branding")
    assert answer.status_code == 404
    assert _logo(alice) is None
