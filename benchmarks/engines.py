"""Choose the engines of a measurement: the rules, a vendor with its key, a simulated model, or cassettes.

--engine openai --model NAME --auditor anthropic       real vendors; their keys are read from the environment
--engine openai --simulated faulty                     a model of known character, over the vendor's protocol
--engine openai --cassettes FOLDER [--replay]          answers recorded in FOLDER; with --replay no vendor
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path

_ENGINES = ("rules", "anthropic", "openai")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose engines."""
    group = parser.add_argument_group("engines")
    group.add_argument("--engine", choices=_ENGINES, default="rules", help="engine of node A")
    group.add_argument("--model", default="", help="its model; the vendor's default here without")
    group.add_argument("--auditor", choices=_ENGINES, default="rules", help="engine of node B")
    group.add_argument("--auditor-model", default="", help="its model")
    group.add_argument("--protocol", choices=("responses", "chat"), help="of engine openai")
    group.add_argument("--simulated", metavar="CHARACTER", help="ask a simulated model, no vendor")
    group.add_argument("--cassettes", type=Path, help="record answers here, and use what is recorded")
    group.add_argument("--replay", action="store_true", help="ask nobody for what is not in --cassettes")


@contextmanager
def chosen(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> Iterator[None]:
    """Set the environment for the engines that were chosen; enter before any setting is read."""
    vendors = {arguments.engine, arguments.auditor} - {"rules"}
    if (arguments.simulated or arguments.cassettes) and not vendors:
        parser.error("--simulated and --cassettes need an --engine or an --auditor that is a vendor's")
    if arguments.replay and not arguments.cassettes:
        parser.error("--replay needs --cassettes")
    found = {
        "NODE_A_ENGINE": arguments.engine,
        "NODE_A_MODEL": arguments.model,
        "NODE_B_ENGINE": arguments.auditor,
        "NODE_B_MODEL": arguments.auditor_model,
    }
    if vendors:
        found |= {"ANALYSIS_DEADLINE_S": "600", "MODEL_ATTEMPT_S": "300", "HOLD_TTL_S": "900"}
    if arguments.protocol:
        found["OPENAI_PROTOCOL"] = arguments.protocol
    with ExitStack() as stack:
        if arguments.simulated:
            from tests.simulated_models import CHARACTERS
            from tests.vendors_server import vendors as serve

            if arguments.simulated not in CHARACTERS:
                parser.error(f"--simulated: one of {', '.join(CHARACTERS)}")
            url = stack.enter_context(serve(CHARACTERS[arguments.simulated])).url
            found |= {"ANTHROPIC_BASE_URL": url, "OPENAI_BASE_URL": f"{url}/v1"}
        for vendor in sorted(vendors):
            key = f"{vendor.upper()}_API_KEY"
            if arguments.simulated or arguments.replay:
                found[key] = "none is needed"
            elif not os.environ.get(key):
                parser.error(f"{key} is not set; set it, or choose --simulated or --replay")
        os.environ.update(found)
        if arguments.cassettes:
            from app.analysis.llm import clients

            stack.enter_context(clients.use_cassettes(arguments.cassettes, replay=arguments.replay))
        for vendor in sorted(vendors):  # so that no document pays for loading it
            import_module(f"app.analysis.llm.{vendor}")
        yield
