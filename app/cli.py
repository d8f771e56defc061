"""The command line: `rebelote play`, `serve`, `migrate`, and the commands of the packages.

The bodies of domain commands live in their packages: a module of `PACKAGES` has
`add_parsers(commands)`, and each of its parsers says `set_defaults(run=…)`, a function of the
arguments and the settings that answers the exit code.
"""

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_settings import SettingsError

from app import __version__
from app.infra import logging
from app.infra.config import Settings, unknown_variables
from app.infra.data_folder import StartError
from app.infra.embedded import database_for_command
from app.infra.migrate import upgrade
from app.server import play, serve

PACKAGES = ("app.tables.check_log", "app.history.cli")
"""Modules that bring commands, where they exist."""
OWN = ("play", "serve", "migrate")


def _parser(called: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="rebelote", description="A server for Belote.")
    parser.add_argument("--version", action="version", version=f"rebelote {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, help_text in (
        ("play", "start everything on this machine and print the address"),
        ("serve", "the same for a host: no hunt for a free port"),
    ):
        server = commands.add_parser(name, help=help_text)
        server.add_argument("--host", help="the address to listen at (0.0.0.0: the home network)")
        server.add_argument("--port", type=int, help="the port to listen at")
    commands.add_parser("migrate", help="bring the database to the newest shape")
    if called not in OWN:
        for module in PACKAGES:
            if importlib.util.find_spec(module) is not None:
                importlib.import_module(module).add_parsers(commands)
    return parser


def _settings(arguments: argparse.Namespace) -> Settings:
    given = {
        name: value
        for name in ("host", "port")
        if arguments.command in ("play", "serve")
        and (value := getattr(arguments, name, None)) is not None
    }
    if unknown := unknown_variables():
        raise StartError(f"There is no such setting: {', '.join(unknown)}.")
    try:
        return Settings(**given)
    except SettingsError as error:
        raise StartError(f"The settings are wrong: {error}.") from None
    except ValidationError as error:
        sentences = [
            f"{'.'.join(str(part) for part in problem['loc']) or 'settings'}: {problem['msg']}"
            for problem in error.errors()
        ]
        raise StartError("The settings are wrong: " + "; ".join(sentences)) from None


def _run(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments)
    logging.configure(settings.log_level, settings.log_format)
    if arguments.command == "play":
        return play(settings)
    if arguments.command == "serve":
        return serve(settings)
    if arguments.command == "migrate":
        with database_for_command(settings) as url:
            upgrade(url)
        print("The database has the newest shape.")
        return 0
    return int(arguments.run(arguments, settings))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; answers its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    arguments = _parser(words[0] if words else None).parse_args(words)
    try:
        return _run(arguments)
    except StartError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
