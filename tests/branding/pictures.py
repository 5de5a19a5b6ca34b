"""Pictures that a partner might upload as a logo."""

from __future__ import annotations

import io

from PIL import Image


def made(
    size: tuple[int, int] = (300, 100), mode: str = "RGB", form: str = "PNG", **options: object
) -> bytes:
    written = io.BytesIO()
    Image.new(mode, size, 128 if mode in ("L", "P") else (200, 30, 60, 90)[: len(mode)]).save(
        written, form, **options
    )
    return written.getvalue()
