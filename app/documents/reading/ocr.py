"""Recognise the text of pictures by the program `tesseract`, where it is installed (optical recognition).

A picture is made grey and straightened; the first one of a document is read in a guessed language, and what
was read of it tells the language of the rest. Nothing is written to disk: pictures and results are passed in
anonymous memory.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.documents.errors import MAX_SECONDS, OCR_TOO_SLOW, TOO_COMPLEX, DocumentUnreadable
from app.documents.isolation.confinement import die_with_parent
from app.documents.reading.blocks import clean, composed, warning
from app.documents.reading.language import language_of
from app.documents.reading.layout import Word
from app.documents.reading.reading import ReadingWarning

Image = NDArray[np.uint8]
"""Grey values of a page, row by row: 0 black, 255 white."""

_PROGRAMS = ("/usr/bin/tesseract", "/usr/local/bin/tesseract")
_LANGUAGES = {"es": "spa", "en": "eng", "pt": "por", "fr": "fra", "it": "ita", "de": "deu", "ca": "spa"}
_FIRST_GUESS = ("spa",)
DPI = 300
_MOST_PIXELS = 25_000_000
_LOW = 0.75
# Of the time that a file may take, what is left for putting the reading together.
_RESERVED_S = 6.0
_LEAST_SURE = 15.0
_MOST_SKEW, _COARSE, _FINE = 5.0, 0.5, 0.1
_SMALL_SIDE = 800


class Picture(NamedTuple):
    """A page to be recognised: which it is, from 0, and how to get its picture."""

    page: int
    image: Callable[[], Image]


@dataclass(slots=True)
class Recognised:
    """The words of a page, in points from its top left corner, and the mean of their certainty, 0 to 1."""

    words: list[Word]
    confidence: float | None


@cache
def available() -> bool:
    """Tell whether the program is installed with a language of ours."""
    return bool(_installed())


@cache
def program() -> str | None:
    """Return the path of the program, `None` where it is not installed."""
    return next((path for path in _PROGRAMS if os.access(path, os.X_OK)), None) or shutil.which("tesseract")


@cache
def _installed() -> tuple[str, ...]:
    path = program()
    if path is None:
        return ()
    try:
        listed = subprocess.run(  # noqa: S603 (a program of the system, without any word of a document)
            [path, "--list-langs"], capture_output=True, timeout=20, check=False, env=_environment()
        ).stdout.decode("ascii", "replace")
    except (OSError, subprocess.SubprocessError):
        return ()
    known = set(_LANGUAGES.values())
    return tuple(line.strip() for line in listed.splitlines() if line.strip() in known)


def recognised(
    pictures: Iterable[Picture], *, count: int, sizes: Mapping[int, tuple[float, float]]
) -> Iterator[tuple[int, Recognised]]:
    """Yield what was recognised of each picture, with its index.

    Args:
        pictures: In the order of the pages; each is made only when its turn comes.
        count: How many there are.
        sizes: Width and height in points of each page.

    Raises:
        DocumentUnreadable: The time of a file is over before all were read.
    """
    languages = _some(_FIRST_GUESS)
    guessed = False
    at_once = max(1, min(_processors(), 4))
    running: list[_Job] = []
    done = 0
    for picture in pictures:
        limit = at_once if guessed else 1
        while len(running) >= limit:
            job = running.pop(0)
            found = job.result(sizes[job.index], done, count)
            if not guessed:
                again, languages = _better_languages(found, languages), _languages_after(found, languages)
                guessed = True
                if again:
                    running.insert(0, _Job(job.index, job.image, languages, job.skew))
                    continue
            done += 1
            yield job.index, found
        running.append(_started(picture, languages))
    while running:
        job = running.pop(0)
        found = job.result(sizes[job.index], done, count)
        if not guessed:
            guessed = True
            if _better_languages(found, languages):
                found = _Job(job.index, job.image, _languages_after(found, languages), job.skew).result(
                    sizes[job.index], done, count
                )
        done += 1
        yield job.index, found


def _started(picture: Picture, languages: tuple[str, ...]) -> _Job:
    image, skew = straightened(picture.image())
    return _Job(picture.page, image, languages, skew)


def _some(wanted: Iterable[str]) -> tuple[str, ...]:
    """Return those of the wanted languages that are installed, else any."""
    return tuple(one for one in wanted if one in _installed()) or _installed()[:1]


def _languages_after(found: Recognised, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the languages for the rest of a document, by what was read of its first page."""
    language = language_of(" ".join(word.text for word in found.words))
    return _some((_LANGUAGES[language],)) if language else languages


def _better_languages(found: Recognised, languages: tuple[str, ...]) -> bool:
    """Tell whether the first page is in a language that it was not read in, and has to be read again."""
    return any(one not in languages for one in _languages_after(found, languages))


def doubts(found: Recognised, number: int) -> Iterator[ReadingWarning]:
    """Yield what is to be said of a page that was recognised."""
    if not found.words:
        yield warning("PAGE_WITHOUT_TEXT", number)
    elif found.confidence is not None and found.confidence < _LOW:
        yield warning("LOW_OCR_CONFIDENCE", number, percent=round(found.confidence * 100))


def rendered(page: Any) -> Image:
    """Return the picture of a `pypdfium2.PdfPage` at 300 dots to the inch, at fewer where it is too large."""
    width, height = page.get_size()
    scale = DPI / 72
    pixels = max(width * height, 1.0) * scale * scale
    if pixels > _MOST_PIXELS:
        scale *= (_MOST_PIXELS / pixels) ** 0.5
    if width * scale < 1 or height * scale < 1:
        return np.full((1, 1), 255, np.uint8)
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    try:
        grey = bitmap.to_numpy()
        return np.ascontiguousarray(grey.reshape(grey.shape[0], -1)[:, : bitmap.width]).copy()
    finally:
        bitmap.close()


def straightened(image: Image) -> tuple[Image, float]:
    """Return a picture with its lines level, and by how many degrees it was turned anticlockwise."""
    angle = skew(image)
    if abs(angle) < 2 * _FINE:
        return image, 0.0
    from PIL import Image as Pictures

    turned = Pictures.fromarray(image).rotate(angle, Pictures.Resampling.BICUBIC, fillcolor=_paper(image))
    return np.asarray(turned, np.uint8), angle


def _paper(image: Image) -> int:
    """Return the grey of the paper."""
    return int(np.percentile(image[::16, ::16], 90))


def skew(image: Image) -> float:
    """Return by how many degrees, -5 to 5, a page must be turned anticlockwise for its lines to be level.

    Of all angles it is the one at which the dark points fall into the sharpest rows: the differences of the
    projection's neighbouring values are squared and summed (after W. Postl, 1986).
    """
    step = max(1, round(max(image.shape) / _SMALL_SIDE / 2))
    small = image[: image.shape[0] // step * step, : image.shape[1] // step * step]
    if min(small.shape) < 32 * step:
        return 0.0
    means = small.reshape(small.shape[0] // step, step, -1, step).mean(axis=(1, 3))
    dark = means < (np.percentile(means, 95) + means.min()) / 2
    ys, xs = np.nonzero(dark)
    if not 50 < len(ys) < 0.5 * dark.size:
        return 0.0
    if len(ys) > 60_000:
        chosen = slice(None, None, len(ys) // 60_000 + 1)
        ys, xs = ys[chosen], xs[chosen]
    centred = (xs - dark.shape[1] / 2).astype(np.float32)
    rows = ys.astype(np.float32) + dark.shape[1]

    def sharpness(angle: float) -> float:
        places = (rows - centred * np.float32(np.tan(np.radians(angle)))).astype(np.int64)
        profile = np.bincount(places).astype(np.float64)
        return float(np.square(np.diff(profile)).sum())

    def best(angles: NDArray[np.float64]) -> float:
        return max((float(angle) for angle in angles), key=lambda angle: (sharpness(angle), -abs(angle)))

    coarse = best(np.arange(-_MOST_SKEW, _MOST_SKEW + _COARSE / 2, _COARSE))
    fine = best(np.arange(coarse - _COARSE, coarse + _COARSE + _FINE / 2, _FINE))
    # What is hardly better straightened is level already: a picture, a table, a page of few words.
    return round(fine, 2) if sharpness(fine) > 1.08 * sharpness(0.0) else 0.0


class _Job:
    """A run of the program on one picture."""

    def __init__(self, index: int, image: Image, languages: tuple[str, ...], turned: float) -> None:
        self.index, self.image, self.skew = index, image, turned
        path = program()
        assert path is not None
        source = os.memfd_create("picture")
        self._result = os.memfd_create("words")
        try:
            height, width = image.shape
            _write(source, f"P5 {width} {height} 255\n".encode())
            _write(source, image.tobytes())
            os.lseek(source, 0, os.SEEK_SET)
            words = [path, "stdin", "stdout", "-l", "+".join(languages), "--dpi", str(DPI), "--psm", "3"]
            self._process = subprocess.Popen(  # noqa: S603 (a program of the system, words of ours)
                [*words, "-c", "tessedit_create_tsv=1", "tsv"],
                stdin=source,
                stdout=self._result,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                # A setting that is not inherited; this process has one thread.
                preexec_fn=die_with_parent,
            )
        finally:
            os.close(source)

    def result(self, size: tuple[float, float], done: int, count: int) -> Recognised:
        """Wait for the words of the picture; `size` is that of the page in points."""
        try:
            self._process.wait(max(_left(), 0.1))
        except subprocess.TimeoutExpired:
            raise DocumentUnreadable(
                OCR_TOO_SLOW, done=max(done, 1), pages=count, seconds=MAX_SECONDS
            ) from None
        with os.fdopen(self._result, "rb") as file:
            file.seek(0)
            table = file.read()
        if self._process.returncode != 0 and not table:
            # Out of memory or of processor time; a picture that it cannot read makes an empty table.
            raise DocumentUnreadable(TOO_COMPLEX)
        height, width = self.image.shape
        return _recognised(table.decode("utf-8", "replace"), size[0] / width, size[1] / height)


def _left() -> float:
    """Return how many seconds of this process's time are left."""
    return MAX_SECONDS - _RESERVED_S - (time.monotonic() - _STARTED)


_STARTED = time.monotonic()


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _environment() -> dict[str, str]:
    # One thread for each page: pages are read side by side.
    return {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8"}


def _processors() -> int:
    return len(os.sched_getaffinity(0))


def _recognised(table: str, across: float, down: float) -> Recognised:
    """Return the words of a table in the program's format TSV; `across` and `down` are points of a pixel."""
    words: list[Word] = []
    sure: list[float] = []
    weights: list[int] = []
    line = (0.0, 0.0)
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        try:
            x, y = float(row["left"]), float(row["top"])
            wide, high = float(row["width"]), float(row["height"])
            confidence = float(row["conf"])
        except (KeyError, TypeError, ValueError):
            continue
        if row["level"] == "4":
            line = (y, y + high)
            continue
        text = composed(clean(row.get("text") or ""))
        if row["level"] != "5" or not text or confidence < _LEAST_SURE:
            continue
        top, bottom = line if high < 3 * (line[1] - line[0]) else (y, y + high)
        words.append(
            Word(text, x * across, top * down, (x + wide) * across, bottom * down, (bottom - top) * down)
        )
        sure.append(confidence)
        weights.append(len(text))
    if not words:
        return Recognised([], None)
    _even_sizes(words)
    mean = sum(one * weight for one, weight in zip(sure, weights, strict=True)) / sum(weights) / 100
    return Recognised(words, round(min(max(mean, 0.0), 1.0), 3))


def _even_sizes(words: list[Word]) -> None:
    """Give words the size that is usual on the page: the height of a line depends on its letters."""
    heights = sorted(word.size for word in words)
    usual = heights[len(heights) // 2]
    for word in words:
        if word.size < 1.6 * usual:
            word.size = usual
