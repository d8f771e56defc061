"""The command line: `rebelote play`, `serve`, `migrate` and the commands of the packages."""


def main() -> int:
    """Run a command; answers its exit code."""
    raise SystemExit("not wired yet")
