"""A logo from a stranger: what is read, what is refused, what is left of it."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image, ImageFile, PngImagePlugin

from app.branding import picture
from app.branding.picture import NotALogo, redrawn
from tests.branding.pictures import made


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P"])
def test_a_png_comes_out_as_a_png_of_the_same_size(mode: str) -> None:
    found = redrawn(made(mode=mode))
    with Image.open(io.BytesIO(found.data)) as image:
        assert (image.format, image.size, found.width, found.height) == ("PNG", (300, 100), 300, 100)
        assert image.mode == ("RGBA" if mode == "RGBA" else "RGB")


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_a_jpeg_becomes_a_png(mode: str) -> None:
    with Image.open(io.BytesIO(redrawn(made(mode=mode, form="JPEG")).data)) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "RGB", (300, 100))


def test_a_large_one_is_made_to_fit_and_keeps_its_shape() -> None:
    found = redrawn(made((4000, 400)))
    assert (found.width, found.height) == (1200, 120)
    tall = redrawn(made((300, 3000), form="JPEG"))
    assert tall.height == 480
    assert 47 <= tall.width <= 49


def test_a_photograph_that_lies_on_its_side_is_set_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    found = redrawn(made((300, 100), form="JPEG", exif=exif))
    assert (found.width, found.height) == (100, 300)


def test_nothing_but_pixels_survives() -> None:
    secret = b"made by a.person at 41.38N 2.17E"
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", secret.decode())
    raw = made(pnginfo=info) + b"PK\x03\x04" + secret
    assert raw.count(secret) == 2
    found = redrawn(raw)
    assert secret not in found.data
    with Image.open(io.BytesIO(found.data)) as image:
        assert image.info == {}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>not found</html>",
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/"/></svg>',
        made(form="GIF", mode="P"),
        made(form="BMP"),
        made(form="WEBP"),
        made()[:-30],
        made()[:40],
        made(form="JPEG")[:300],
        b"\x89PNG\r\n\x1a\n" + b"\x00" * 100,
    ],
    ids=["empty", "html", "svg", "gif", "bmp", "webp", "cut", "cut short", "cut jpeg", "only a signature"],
)
@pytest.mark.parametrize("lenient", [False, True])
def test_what_is_no_png_or_jpeg_by_its_content_is_refused(
    monkeypatch: pytest.MonkeyPatch, raw: bytes, lenient: bool
) -> None:
    # As a process is that has made a PDF before.
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", lenient)
    with pytest.raises(NotALogo, match="not a PNG or JPEG"):
        redrawn(raw)


def _claims(width: int, height: int) -> bytes:
    """A small file whose header claims a large picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\x00" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(100_000, 100_000), (30_000, 30_000), (6_001, 10), (5_000, 5_000)])
def test_a_bomb_is_refused_by_its_header(size: tuple[int, int]) -> None:
    with pytest.raises(NotALogo, match="pixels"):
        redrawn(_claims(*size))


def test_too_small_and_too_large_a_file_are_refused() -> None:
    with pytest.raises(NotALogo, match="at least 8"):
        redrawn(made((7, 100)))
    with pytest.raises(NotALogo, match="larger than 2 MB"):
        redrawn(made() + b"\x00" * picture.DOWNLOAD_MAX)
