"""Documents: how fast they are read, how faithfully, and in how much memory, by format and from scans.

    python -m benchmarks.documents
    python -m benchmarks.documents --converter /path/to/venv/bin/python

All files are made here. Beside ours stand `pdftotext` (apt-get install poppler-utils) and MarkItDown, a
general converter that nothing else uses: install it into an environment of its own (python3 -m venv, then
pip install 'markitdown[pdf,docx]') and name its interpreter with `--converter`. A column is skipped with its
reason where its program is missing.

Times are medians over whole processes, start included, by the clock and of the processors; those of
MarkItDown are taken inside one process that has loaded it already. "Whole paragraphs" is the share of the
paragraphs written that come back as one paragraph, to the letter; a row of a table counts as one. The last
line is JSON.
"""

import argparse
import io
import json
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import docx
from rapidfuzz.distance import Levenshtein

from app.documents import isolation, read
from app.documents.isolation.functions import IsolatedFunction
from app.documents.reading import ocr
from tests.documents import office_files as files

_CHARACTERS_A_PAGE = 3_000
_OPENING = (
    "El arrendador, que es propietario de la vivienda, la cede en arrendamiento al arrendatario",
    "La parte vendedora transmite a la compradora el pleno dominio de la finca descrita",
    "El trabajador prestará sus servicios en el centro de trabajo de la empresa",
    "La sociedad prestataria devolverá el capital del préstamo en las cuotas convenidas",
)
_MIDDLE = (
    "por el plazo de {n} años, prorrogable por plazos anuales según la legislación vigente",
    "en el precio de {n}.250,00 euros, que se pagará dentro de los {n} días siguientes a la firma",
    "con arreglo al artículo {n} de la ley que en cada momento sea aplicable a esta relación",
    "sin que ello suponga renuncia a los derechos que le reconoce la disposición adicional {n}",
)
_END = (
    "y acepta las obligaciones correspondientes, incluidas las responsabilidades extraordinarias.",
    "salvo que la otra parte se oponga por escrito con una antelación mínima de treinta días.",
    "con exclusión de los daños indirectos que no fueran razonablemente previsibles entonces.",
)


def clauses(count: int) -> list[str]:
    """Return paragraphs of some 270 characters, each another one."""
    return [
        f"Cláusula {n}. {_OPENING[n % 4]} {_MIDDLE[(n // 4) % 4].format(n=n)}, {_END[n % 3]}"
        for n in range(1, count + 1)
    ]


def html(paragraphs: Sequence[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in paragraphs)


def word(paragraphs: Sequence[str]) -> bytes:
    """Return a Word document of the paragraphs, by python-docx."""
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def rtf(paragraphs: Sequence[str]) -> bytes:
    escaped = ("".join(one if one.isascii() else f"\\u{ord(one)}?" for one in text) for text in paragraphs)
    return b"{\\rtf1\\ansi " + "\\par\n".join(escaped).encode("ascii") + b"\\par}"


def mail(paragraphs: Sequence[str]) -> bytes:
    made = files.message()
    made.set_content("\n\n".join(paragraphs))
    return bytes(made)


def made(paragraphs: Sequence[str]) -> dict[str, bytes]:
    """Return one file of each format with a text layer."""
    text = "\n\n".join(paragraphs)
    return {
        "pdf": files.pdf(html(paragraphs), css=files.MARGINS),
        "docx": word(paragraphs),
        "odt": files.odt("".join(f"<text:p>{one}</text:p>" for one in paragraphs)),
        "rtf": rtf(paragraphs),
        "html": f"<html><meta charset=utf-8><body>{html(paragraphs)}</body></html>".encode(),
        "eml": mail(paragraphs),
        "txt": text.encode(),
        "md": text.encode(),
    }


ROWS = [(f"Concepto {n}", f"{n}.250,00 €", f"{n % 28 + 1} de marzo de 2026") for n in range(1, 13)]


def layouts() -> dict[str, tuple[bytes, list[str]]]:
    """Return PDF documents of several layouts, each with the paragraphs that were written."""
    written = clauses(24)
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in ROWS)
    told = [" | ".join(row) for row in ROWS]
    notes = [f"{n} Véase la escritura número {n}." for n in (1, 2)]
    noted = "".join(
        f"<p>{text}</p>" if n else f"<p>{text[:-1]} según consta<sup>1</sup> en autos<sup>2</sup>.</p>"
        for n, text in enumerate(written[:8])
    )
    return {
        "running text": (files.pdf(html(written), css=files.MARGINS), written),
        "ragged right": (files.pdf(html(written), css="body { text-align: left; hyphens: none }"), written),
        "two columns": (files.pdf(f"<div class=columns>{html(written)}</div>", css=files.MARGINS), written),
        "indented, no gaps": (files.pdf(html(written), css="p { margin: 0; text-indent: 1.5em }"), written),
        "table with lines": (
            files.pdf(f"{html(written[:4])}<table class=ruled>{rows}</table>{html(written[4:8])}"),
            [*written[:4], *told, *written[4:8]],
        ),
        "table without lines": (
            files.pdf(f"{html(written[:4])}<table>{rows}</table>{html(written[4:8])}"),
            [*written[:4], *told, *written[4:8]],
        ),
        "notes": (
            files.pdf(noted + f"<div class=note>{notes[0]}<br>{notes[1]}</div>"),
            [*written[1:8], *notes],
        ),
    }


def spaced(text: str) -> str:
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", text.replace("\u00ad", ""))).strip()


def whole(written: Sequence[str], found: Sequence[str]) -> float:
    """Return the share of the paragraphs written that were found, to the letter."""
    there = {spaced(one) for one in found}
    return round(sum(spaced(one) in there for one in written) / len(written), 3)


def by_pdftotext(data: bytes) -> str:
    done = subprocess.run(["pdftotext", "-", "-"], input=data, capture_output=True, check=True)
    return done.stdout.decode()


CONVERTER = """
import io, json, sys, time
from markitdown import MarkItDown, StreamInfo
one = MarkItDown()
told = []
for path, ending in json.load(sys.stdin):
    data, times = open(path, "rb").read(), []
    for _ in range(3):
        started = time.perf_counter()
        text = one.convert_stream(io.BytesIO(data), stream_info=StreamInfo(extension="." + ending))
        times.append(time.perf_counter() - started)
    told.append([sorted(times)[1], text.text_content])
print(json.dumps(told))
"""


def by_converter(interpreter: str, data: Sequence[tuple[bytes, str]]) -> list[tuple[float, str]]:
    """Return seconds and text for each file and its ending, by MarkItDown in the given interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        listed = []
        for number, (content, ending) in enumerate(data):
            path = Path(folder) / f"{number}.{ending}"
            path.write_bytes(content)
            listed.append((str(path), ending))
        done = subprocess.run(
            [interpreter, "-c", CONVERTER], input=json.dumps(listed).encode(), capture_output=True, check=True
        )
    return [(seconds, text) for seconds, text in json.loads(done.stdout)]


def memory(data: bytes) -> dict[str, int]:
    found: dict[str, int] = json.loads(isolation.run("measured", data, {}))
    return found


def timed(work: Callable[[], Any], runs: int) -> tuple[float, float, Any]:
    """Return seconds by the clock and of the processors of child processes, each a median, and the value."""
    clock, processors, value = [], [], None
    for _ in range(runs):
        before, started = _children_s(), time.perf_counter()
        value = work()
        clock.append(time.perf_counter() - started)
        processors.append(_children_s() - before)
    return statistics.median(clock), statistics.median(processors), value


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def formats(runs: int, converter: str | None, found: dict[str, Any]) -> None:
    paragraphs = clauses(400)
    pages = sum(map(len, paragraphs)) / _CHARACTERS_A_PAGE
    all_files = made(paragraphs)
    start, start_cpu, _ = timed(lambda: isolation.run("confinement", b"", {}), runs)
    found["start"] = {"ms": round(start * 1000), "cpu_ms": round(start_cpu * 1000)}
    others: dict[str, float] = {}
    if converter:
        endings = ("pdf", "docx", "html")
        results = by_converter(converter, [(all_files[ending], ending) for ending in endings])
        others = {ending: seconds for ending, (seconds, _) in zip(endings, results, strict=True)}
    print(f"{pages:.0f} pages of {_CHARACTERS_A_PAGE} characters; a process takes {start * 1000:.0f} ms")
    print(f"of which {start_cpu * 1000:.0f} ms of a processor")
    heads = (
        f"{'pages/s':>9}{'ms':>8}{'CPU ms':>8}{'MB':>6}{'MB space':>10}{'MarkItDown':>12}{'pdftotext':>11}"
    )
    print(f"{'format':8}{heads}")
    for name, data in all_files.items():
        seconds, cpu, reading = timed(lambda data=data: read(data), runs)  # type: ignore[misc]
        used = memory(data)
        share = whole(paragraphs, files.texts(reading))
        other = f"{pages / others[name]:.0f}" if name in others else "-"
        plain = "-"
        if name == "pdf" and shutil.which("pdftotext"):
            plain_s, _, _ = timed(lambda data=data: by_pdftotext(data), runs)  # type: ignore[misc]
            plain = f"{pages / plain_s:.0f}"
        took = f"{pages / seconds:9.0f}{seconds * 1000:8.0f}{cpu * 1000:8.0f}"
        print(f"{name:8}{took}{used['resident']:6}{used['address_space']:10}{other:>12}{plain:>11}")
        found[name] = {
            "pages_s": round(pages / seconds, 1),
            "cpu_ms": round(cpu * 1000),
            "whole": share,
            **used,
        }


def fidelity(converter: str | None, found: dict[str, Any]) -> None:
    print(f"\n{'whole paragraphs':22}{'ours':>7}{'pdftotext':>11}{'MarkItDown':>12}")
    all_layouts = layouts()
    others = [""] * len(all_layouts)
    if converter:
        asked = [(one, "pdf") for one, _ in all_layouts.values()]
        others = [text for _, text in by_converter(converter, asked)]
    for (name, (data, written)), other in zip(all_layouts.items(), others, strict=True):
        shares = {"ours": whole(written, files.texts(read(data)))}
        if shutil.which("pdftotext"):
            shares["pdftotext"] = whole(written, re.split(r"\n\s*\n|\f", by_pdftotext(data)))
        if converter:
            cells = [re.sub(r"^\| | \|$", "", line) for line in other.splitlines() if line.startswith("|")]
            shares["converter"] = whole(written, [*re.split(r"\n\s*\n|\f", other), *cells])
        shown = [f"{shares[key]:.2f}" if key in shares else "-" for key in ("ours", "pdftotext", "converter")]
        print(f"{name:22}{shown[0]:>7}{shown[1]:>11}{shown[2]:>12}")
        found[name] = shares


def scans(runs: int, found: dict[str, Any]) -> None:
    if not ocr.available():
        print(
            "\nscans: skipped, tesseract is not installed (apt-get install tesseract-ocr tesseract-ocr-spa)"
        )
        return
    paragraphs = clauses(30)
    document = files.pdf(html(paragraphs))
    wanted = spaced(" ".join(paragraphs))
    kinds = {
        "clean": (0.0, 0.0),
        "skewed 2 degrees": (2.0, 0.0),
        "noisy": (0.0, 40.0),
        "skewed and noisy": (-1.3, 40.0),
    }
    heads = f"{'pages/s':>9}{'CPU s':>7}{'CER':>9}{'certain':>9}{'MB':>6}{'MB OCR':>8}{'CER as it is':>14}"
    print(f"\n{'scan, 200 dpi':20}{heads}")
    for name, (skew, noise) in kinds.items():
        data = files.scan(document, skew=skew, noise=noise)
        seconds, cpu, reading = timed(lambda data=data: read(data), runs)  # type: ignore[misc]
        rate = Levenshtein.normalized_distance(wanted, spaced(reading.text.reveal()))
        sure = statistics.mean(page.confidence or 0 for page in reading.pages)
        plain = Levenshtein.normalized_distance(wanted, spaced(by_tesseract(document, skew, noise)))
        used = memory(data)
        took = f"{len(reading.pages) / seconds:9.2f}{cpu / len(reading.pages):7.2f}"
        sizes = f"{used['resident']:6}{used['program']:8}"
        print(f"{name:20}{took}{rate:9.4f}{sure:9.2f}{sizes}{plain:14.4f}")
        found[f"scan, {name}"] = {
            "pages_s": round(len(reading.pages) / seconds, 2),
            "cpu_s_a_page": round(cpu / len(reading.pages), 2),
            "cer": round(rate, 4),
            "cer_as_it_is": round(plain, 4),
            **used,
        }


def by_tesseract(document: bytes, skew: float, noise: float) -> str:
    """Return what the program reads of the pictures as they are: not straightened, without our paragraphs."""
    path = ocr.program()
    assert path is not None
    parts = []
    for picture in files.pictures(document, skew=skew, noise=noise):
        output = io.BytesIO()
        picture.save(output, "PNG")
        asked = [path, "-", "-", "-l", "spa"]
        done = subprocess.run(asked, input=output.getvalue(), capture_output=True, check=True)
        parts.append(done.stdout.decode())
    return re.sub(r"(?<=\w)-\n(?=[a-zñáéíóú])", "", "\n".join(parts))


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--converter", help="interpreter of an environment in which MarkItDown is installed")
    chosen = parser.parse_args(words)
    isolation.FUNCTIONS = {
        **isolation.FUNCTIONS,
        "measured": IsolatedFunction("benchmarks.document_memory:measured", programs=True),
    }
    if not chosen.converter:
        print("MarkItDown: skipped, no --converter was given (see --help)")
    if not shutil.which("pdftotext"):
        print("pdftotext: skipped, it is not installed (apt-get install poppler-utils)")
    found: dict[str, Any] = {}
    formats(chosen.runs, chosen.converter, found)
    fidelity(chosen.converter, found)
    scans(max(1, chosen.runs // 2), found)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
