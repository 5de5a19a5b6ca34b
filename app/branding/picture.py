"""Decode a downloaded logo, check its size and re-encode it as PNG. Pure.

Only pixels are kept; everything else in the file (metadata, profiles, an appended file) is dropped.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.branding.models import IMAGE_BYTES_MAX

if TYPE_CHECKING:
    from PIL import Image

# What we read of an answer, and what its header may claim before anything is decoded.
DOWNLOAD_MAX = 2_000_000
_SIDE_MAX, _PIXELS_MAX = 6_000, 16_000_000
_SIDE_MIN = 8
# What documents need: at 300 dots per inch, some 10 cm by 4 cm.
_FIT = (1_200, 480)


class NotALogo(ValueError):
    """The file cannot be used as a logo; the message says why, in plain words."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG made by `redrawn`."""

    data: bytes
    width: int
    height: int

    def __repr__(self) -> str:
        return f"<Picture {self.width}x{self.height}>"


def redrawn(raw: bytes) -> Picture:
    """Re-encode a PNG or JPEG (by content) as a PNG that fits 1,200 by 480 pixels. Raises `NotALogo`."""
    from PIL import Image, ImageFile, ImageOps

    if len(raw) > DOWNLOAD_MAX:
        raise NotALogo(f"the file is larger than {DOWNLOAD_MAX // 1_000_000} MB")
    # WeasyPrint switches this on for the whole process; half a logo is none.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with Image.open(io.BytesIO(raw), formats=("PNG", "JPEG")) as found:
            width, height = found.size
            if max(width, height) > _SIDE_MAX or width * height > _PIXELS_MAX:
                raise NotALogo(
                    f"it has {width} by {height} pixels; at most {_SIDE_MAX} a side and "
                    f"{_PIXELS_MAX // 1_000_000} million in all are read"
                )
            if min(width, height) < _SIDE_MIN:
                raise NotALogo(f"it has {width} by {height} pixels; at least {_SIDE_MIN} per side are needed")
            # A large JPEG is decoded at a fraction of its size.
            found.draft(None, _FIT)
            upright = ImageOps.exif_transpose(found)
            drawn = upright.convert("RGBA" if _has_alpha(upright) else "RGB")
    except NotALogo:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise NotALogo("it has too many pixels") from None
    except Exception:  # noqa: BLE001 (Pillow raises nearly anything on a broken file)
        raise NotALogo("it is not a PNG or JPEG that can be decoded") from None
    drawn.thumbnail(_FIT, Image.Resampling.LANCZOS)
    written = io.BytesIO()
    # A new image: `info` of the old one would carry text and profiles over.
    clean = Image.new(drawn.mode, drawn.size)
    clean.paste(drawn)
    clean.save(written, "PNG", optimize=True)
    data = written.getvalue()
    if len(data) > IMAGE_BYTES_MAX:
        raise NotALogo("it is too detailed to be stored; a logo with fewer colours is needed")
    return Picture(data, *clean.size)


def _has_alpha(image: Image.Image) -> bool:
    return "A" in image.getbands() or "transparency" in image.info
