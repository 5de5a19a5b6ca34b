"""The import rule: a package is entered by its door."""

import grimp

from tools.front_door import Intrusion, intrusions

NOTHING: frozenset[str] = frozenset()


def broken(
    *imports: tuple[str, str],
    open_packages: frozenset[str] = NOTHING,
    open_modules: frozenset[str] = NOTHING,
    composition_roots: frozenset[str] = NOTHING,
) -> list[Intrusion]:
    graph = grimp.ImportGraph()
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported, line_number=7, line_contents="import …")
    return intrusions(
        graph, open_packages=open_packages, open_modules=open_modules, composition_roots=composition_roots
    )


def test_a_door_is_open_to_everyone() -> None:
    assert broken(("app.portal.keys", "app.credits")) == []


def test_a_room_of_another_package_is_not() -> None:
    [intrusion] = broken(("app.portal.keys", "app.credits.ledger"))
    assert intrusion.sentence() == (
        "app.portal.keys (line 7) reaches past the door of app.credits into app.credits.ledger: "
        "export what it needs from app.credits and import it from there."
    )


def test_a_door_is_no_excuse_for_reaching_into_another_room() -> None:
    assert broken(("app.portal", "app.credits.ledger"))


def test_rooms_of_one_package_import_each_other() -> None:
    assert broken(("app.credits", "app.credits.ledger"), ("app.credits.ledger", "app.credits.models")) == []


def test_deeper_rooms_are_rooms_too() -> None:
    assert broken(("app.portal.keys", "app.rules.facts.time.dates"))
    assert broken(("app.rules.engine", "app.rules.facts.time.dates")) == []


def test_open_packages_open_modules_and_composition_roots_are_exceptions() -> None:
    assert (
        broken(("app.credits.ledger", "app.platform.postgres.db"), open_packages=frozenset({"platform"}))
        == []
    )
    assert broken(("app.portal", "app.tenancy.guard"), open_modules=frozenset({"app.tenancy.guard"})) == []
    assert broken(("app.factory", "app.credits.routes"), composition_roots=frozenset({"app.factory"})) == []


def test_an_open_module_opens_no_other() -> None:
    assert broken(("app.portal", "app.tenancy.keys"), open_modules=frozenset({"app.tenancy.guard"}))


def test_libraries_are_not_our_concern() -> None:
    assert broken(("app.credits.ledger", "sqlalchemy")) == []
