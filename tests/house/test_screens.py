"""Every module of the portal with a page is installed: what nobody imports is a page that does not exist."""

from __future__ import annotations

import ast
from pathlib import Path

from app import portal
from app.platform import settings

ROOT = settings.PROJECT / "app/portal"
# Modules that register routes in another way.
ELSEWHERE = {
    "app.portal.docs.reference.views": "makes a blueprint of its own in `register`, which `install` calls",
}


def _registers(module: Path) -> bool:
    """Whether a function of the module is decorated as a route of the blueprints `site` or `front`."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        for decorator in getattr(node, "decorator_list", ()):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(called, ast.Attribute) and called.attr in ("get", "post", "route"):
                return True
    return False


def test_every_module_with_a_route_is_a_screen() -> None:
    named = {
        ".".join(module.relative_to(settings.PROJECT).with_suffix("").parts).removesuffix(".__init__")
        for module in ROOT.rglob("*.py")
        if _registers(module)
    }
    screens = {screen.__name__ for screen in portal.SCREENS}
    assert named - screens - ELSEWHERE.keys() == set(), "name it in SCREENS of app/portal/__init__.py"
    assert screens - named == set(), "a screen without a route"
    assert ELSEWHERE.keys() & screens == set()
