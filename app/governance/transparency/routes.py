"""/transparency: the log as static resources, open to everybody (C2SP tlog-tiles)."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response

from app.governance import verifier
from app.governance.transparency import log
from app.governance.transparency.tiles import Tile
from app.platform.postgres import db

routes = Blueprint("transparency", __name__, url_prefix="/transparency")

_TEXT = "text/plain; charset=utf-8"
# A tile never changes at the width that its address names.
_FOR_GOOD = "public, max-age=31536000, immutable"
_SECONDS = "public, max-age=5"


@routes.get("/checkpoint")
def checkpoint() -> Response:
    """Serve the newest signed head of the log."""
    with db.reading() as session:
        head = log.newest_checkpoint(session)
        return _missing() if head is None else _text(head.note)


@routes.get("/keys")
def keys() -> Response:
    """Serve the keys with which heads are signed, one verifier key a line."""
    with db.reading() as session:
        return _text("".join(f"{key}\n" for key in log.verifier_keys(session)))


@routes.get("/verify.py")
def verifier_file() -> Response:
    """Serve the program that verifies all of it offline, in one file."""
    source = Path(verifier.__file__).read_text("utf-8")
    return Response(source, content_type="text/x-python; charset=utf-8", headers={"Cache-Control": _SECONDS})


@routes.get("/checkpoint/<int:size>/time-stamp")
def time_stamp(size: int) -> Response:
    """Serve the RFC 3161 token over the head of that size."""
    with db.reading() as session:
        token = log.time_stamp(session, size)
    return _missing() if token is None else _bytes(token, "application/timestamp-reply")


@routes.get("/tile/entries/<path:place>")
def entries(place: str) -> Response:
    """Serve the entries under a tile of level 0."""
    tile = Tile.from_path(f"0/{place}")
    with db.reading() as session:
        found = tile and log.entry_bundle(session, tile)
    return _missing() if not found else _bytes(found)


@routes.get("/tile/<path:place>")
def tile(place: str) -> Response:
    """Serve a tile of the tree."""
    address = Tile.from_path(place)
    with db.reading() as session:
        found = address and log.tile_bytes(session, address)
    return _missing() if not found else _bytes(found)


def _text(text: str) -> Response:
    return Response(text, content_type=_TEXT, headers={"Cache-Control": _SECONDS})


def _bytes(data: bytes, kind: str = "application/octet-stream") -> Response:
    return Response(data, content_type=kind, headers={"Cache-Control": _FOR_GOOD})


def _missing() -> Response:
    return Response("There is nothing at this address.\n", 404, content_type=_TEXT)
