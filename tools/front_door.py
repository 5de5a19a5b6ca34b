"""An import-linter contract: a package is entered only through its ``__init__``.

``app.credits`` is a door; ``app.credits.ledger`` is a room behind it. Modules of one package may use each
other's rooms; everybody else imports the verbs that the door exports.

Options of the contract:

``open_packages``      packages without a door: each of their modules may be imported by anyone above them.
``open_modules``       single modules that are doors of their own.
``composition_roots``  modules that wire the house together and may go anywhere.
"""

from typing import Any, NamedTuple

import grimp
from importlinter import Contract, ContractCheck, fields, output


class Intrusion(NamedTuple):
    """One import that walks past a door."""

    importer: str
    imported: str
    line_numbers: tuple[int, ...]

    @property
    def door(self) -> str:
        """The package that should have been imported instead."""
        return package_of(self.imported)

    def sentence(self) -> str:
        lines = ", ".join(str(number) for number in self.line_numbers) or "?"
        return (
            f"{self.importer} (line {lines}) reaches past the door of {self.door} into {self.imported}: "
            f"export what it needs from {self.door} and import it from there."
        )


def package_of(module: str) -> str:
    """``app.credits.ledger`` -> ``app.credits``; a module directly below the root is its own package."""
    return ".".join(module.split(".")[:2])


def intrusions(
    graph: grimp.ImportGraph,
    *,
    open_packages: frozenset[str],
    open_modules: frozenset[str],
    composition_roots: frozenset[str],
) -> list[Intrusion]:
    """Every import in ``graph`` that enters a package by something other than its door, sorted."""
    found = []
    for imported in graph.modules:
        if imported.count(".") < 2:
            continue  # a door, a top-level module or a library
        door = package_of(imported)
        if door.split(".")[1] in open_packages or imported in open_modules:
            continue
        for importer in graph.find_modules_that_directly_import(imported):
            if importer in composition_roots or package_of(importer) == door:
                continue
            details = graph.get_import_details(importer=importer, imported=imported)
            lines = tuple(sorted({detail["line_number"] for detail in details}))
            found.append(Intrusion(importer, imported, lines))
    return sorted(found)


class FrontDoor(Contract):
    """See the docstring of the module."""

    type_name = "front_door"

    open_packages = fields.SetField(subfield=fields.StringField(), required=False)
    open_modules = fields.SetField(subfield=fields.StringField(), required=False)
    composition_roots = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:
        found = intrusions(
            graph,
            open_packages=_names(self.open_packages),
            open_modules=_names(self.open_modules),
            composition_roots=_names(self.composition_roots),
        )
        return ContractCheck(kept=not found, metadata={"intrusions": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for intrusion in check.metadata["intrusions"]:
            output.print_error(intrusion.sentence())
            output.new_line()


def _names(option: Any) -> frozenset[str]:
    """The value of an optional option: a set of names, or None where it was left out."""
    return frozenset(option or ())
