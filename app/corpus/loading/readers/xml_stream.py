"""Read XML as a stream: one element at a time, freed once read, without entities and network access."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from app.corpus.loading.readers import files

_SPACE = re.compile(r"[ \t\u00a0]*\n[ \t\u00a0]*|[ \t\u00a0]{2,}")


class Malformed(Exception):
    """The file is not well-formed XML."""


def elements(path: Path, *tags: str, freed: Collection[str]) -> Iterator[tuple[str, str, Any]]:
    """Yield (event, local name, element) at the start and at the end of each of `tags`, in any namespace.

    Args:
        path: The file.
        tags: Local names of the elements.
        freed: Those that are emptied after their end was handed out, unless they stand in another of them, so
            that a law of any length is read in constant memory.

    Raises:
        Malformed: The file is not well-formed XML.
    """
    from lxml import etree

    wanted = [f"{{*}}{tag}" for tag in tags]
    within = 0
    with files.binary(path) as file:
        try:
            for event, element in etree.iterparse(
                file, events=("start", "end"), tag=wanted, resolve_entities=False, no_network=True,
                load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True,
            ):  # fmt: skip
                name = local(element)
                yield event, name, element
                if name in freed:
                    within += 1 if event == "start" else -1
                if name in freed and not within:
                    element.clear(keep_tail=True)
                    while element.getprevious() is not None and element.getparent() is not None:
                        del element.getparent()[0]
        except etree.XMLSyntaxError:
            raise Malformed from None


def local(element: Any) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def words(element: Any) -> str:
    """Return the text of an element and all below it, in one line."""
    return _SPACE.sub(" ", files.clean("".join(element.itertext()))).strip()


def child(element: Any, name: str) -> Any | None:
    """Return the first child with a local name."""
    return next((one for one in element if isinstance(one.tag, str) and local(one) == name), None)


def child_words(element: Any, name: str) -> str | None:
    """Return the words of the first child with that name, `None` where it is missing or empty."""
    found = child(element, name)
    return (words(found) or None) if found is not None else None


def descendants(element: Any, *names: str) -> Iterator[Any]:
    """Yield every element below with one of the local names, in document order."""
    return (one for one in element.iter() if isinstance(one.tag, str) and local(one) in names)
