"""What installs the house: whole locks that name no index, and the words of scripts/needs."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from app.infra.config import CHECKOUT

LOCKS = ("requirements.lock", "requirements-dev.lock")


def locked(name: str) -> set[str]:
    text = (CHECKOUT / name).read_text()
    return {found.lower() for found in re.findall(r"^([A-Za-z0-9_.-]+)==", text, re.MULTILINE)}


def wanted(dependencies: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;~! ]", line)[0].lower() for line in dependencies}


def test_the_locks_hold_every_dependency() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    running = wanted(project["dependencies"])
    checking = wanted(project["optional-dependencies"]["dev"])
    assert running <= locked("requirements.lock"), "run scripts/lock"
    assert running | checking <= locked("requirements-dev.lock"), "run scripts/lock"
    assert "pytest" not in locked("requirements.lock"), "the server runs without the checks' tools"


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_hashes(name: str) -> None:
    lines = [line for line in (CHECKOUT / name).read_text().splitlines() if "==" in line]
    pinned = [line for line in lines if not line.startswith("#")]
    assert pinned
    assert all(line.endswith("\\") for line in pinned)


def test_the_locks_name_no_index() -> None:
    for name in LOCKS:
        text = (CHECKOUT / name).read_text()
        assert "://" not in text
        assert not re.search(r"^--(index|extra|find|trusted)", text, re.MULTILINE)
    packages = json.loads((CHECKOUT / "package-lock.json").read_text())["packages"]
    assert not [name for name, entry in packages.items() if "resolved" in entry]


def needs(folder: Path, commands: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run scripts/needs where only these commands exist (empty: the real one)."""
    folder.mkdir()
    for name, body in commands.items():
        path = folder / name
        if body:
            path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
            path.chmod(0o755)
        else:
            path.symlink_to(str(shutil.which(name)))
    return subprocess.run(
        [str(shutil.which("bash")), str(CHECKOUT / "scripts" / "needs")],
        env={"PATH": str(folder), "HOME": os.environ.get("HOME", "/")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_somebody_without_root_is_told_the_one_command(tmp_path: Path) -> None:
    commands = {"dirname": "", "id": "echo 1000", "apt-get": "exit 99", "node": "exit 0"}
    said = needs(tmp_path / "bin", commands)
    assert said.returncode == 1
    assert said.stderr.strip().endswith("run: sudo apt-get install -y chromium npm")


def test_root_gets_what_is_missing_from_the_system(tmp_path: Path) -> None:
    log = tmp_path / "log"
    commands = {
        "dirname": "",
        "id": "echo 0",
        "apt-get": f'echo "$@" >> {log}',
        "npm": "exit 0",
        "chromium": "exit 0",
    }
    assert needs(tmp_path / "bin", commands).returncode == 0
    assert log.read_text().splitlines() == [
        "update -qq",
        "install -y -qq --no-install-recommends nodejs",
    ]


def test_with_everything_there_nothing_is_said(tmp_path: Path) -> None:
    commands = dict.fromkeys(("node", "npm", "chromium"), "exit 0") | {"dirname": ""}
    said = needs(tmp_path / "bin", commands)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
