"""Mutated documents: the same seed makes the same file. `read_many` reads them in the isolated process."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from app.documents.errors import DocumentUnreadable
from app.documents.reading import formats, ocr

_NUMBERS = (b"0", b"-1", b"1", b"2147483647", b"4294967296", b"99999999999999999999", b"1e308", b"NaN")
_TOKENS = (
    b"<", b">", b"</w:p>", b"&x;", b"]]>", b"\\u-1?", b"{", b"}", b"\\bin9999 ", b"\0" * 8, b"%%EOF",
    b"endobj", b"\xff\xfe", b"<!DOCTYPE x [<!ENTITY x 'y'>]>", b"=?utf-8?q?=ff?=",
    b"Content-Type: x/y; charset=zz\n",
)  # fmt: skip
_NUMBER = re.compile(rb"\d+")


def mutated(data: bytes, seed: int) -> bytes:
    """Return a file with one to six mutations; those of an archive are made in its members, too."""
    chance = random.Random(seed)
    if data[:4] == b"PK\x03\x04" and chance.random() < 0.75:
        return _repacked(data, chance)
    return _bytes(data, chance)


def _repacked(data: bytes, chance: random.Random) -> bytes:
    output = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        names = [name for name in source.namelist() if name != "mimetype"]
        chosen = chance.choice(names)
        for name in source.namelist():
            content = source.read(name)
            if name == chosen:
                if chance.random() < 0.1:
                    continue
                content = _bytes(content, chance)
            # Without the time of day.
            made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return output.getvalue()


def _bytes(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(made) or 1)
        kind = chance.randrange(7)
        if kind == 0 and made:
            made[at] ^= 1 << chance.randrange(8)
        elif kind == 1 and made:
            made[at : at + chance.randrange(1, 40)] = chance.randbytes(chance.randrange(40))
        elif kind == 2:
            del made[at : at + chance.randrange(1, 400)]
        elif kind == 3:
            made[at:at] = made[at : at + chance.randrange(1, 2_000)] * chance.randrange(1, 4)
        elif kind == 4:
            made[at:at] = chance.choice(_TOKENS)
        elif kind == 5:
            numbers = list(_NUMBER.finditer(made))
            if numbers:
                found = chance.choice(numbers)
                made[found.start() : found.end()] = chance.choice(_NUMBERS)
        elif chance.random() < 0.3:
            del made[at:]
    return bytes(made)


def read_many(data: bytes, arguments: dict[str, Any]) -> bytes:
    """Read `data` under each mutation of `arguments["seeds"]`; return the outcomes and how often each came.

    Pictures are made as for recognition, which itself is left out: its program gets no part of a file's form.
    """

    def pictures_only(pictures: Any, **_: Any) -> Iterator[tuple[int, ocr.Recognised]]:
        for picture in pictures:
            picture.image()
            yield picture.page, ocr.Recognised([], None)

    ocr.recognised, ocr.available = pictures_only, lambda: True  # type: ignore[assignment]
    outcomes: Counter[str] = Counter()
    for seed in arguments["seeds"]:
        try:
            formats.reading(mutated(data, seed))
            outcomes["read"] += 1
        except DocumentUnreadable as error:
            outcomes[error.code] += 1
        except Exception as error:  # noqa: BLE001 (this is what is looked for)
            outcomes[f"{type(error).__name__} at seed {seed}: {_place(error)}"] += 1
    return json.dumps(outcomes).encode()


def _place(error: BaseException) -> str:
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " ".join(frames[-4:])
