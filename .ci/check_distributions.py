"""Check that wheel and sdist in a folder hold all that they should, and nothing else.

    python .ci/check_distributions.py dist

The wheel holds the package, the sdist every file of the checkout: its tests can be run.
"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MADE_BY_SETUPTOOLS = ("PKG-INFO", "skvus.egg-info/")


def compare(what, found, expected):
    """Say what is missing and what is too much, if anything is."""
    if found != expected:
        missing, surplus = sorted(expected - found), sorted(found - expected)
        raise SystemExit(f"{what}: missing {missing}, not expected {surplus}")
    print(f"{what}: {len(found)} files")


def main():
    """Compare both with what git tracks."""
    (wheel,) = Path(sys.argv[1]).glob("*.whl")
    (sdist,) = Path(sys.argv[1]).glob("*.tar.gz")
    tracked = set(subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split())

    names = set(zipfile.ZipFile(wheel).namelist())
    about = {name for name in names if ".dist-info/" in name}
    if not any(name.endswith("/licenses/LICENSE") for name in about):
        raise SystemExit(f"{wheel.name} has no LICENSE")
    package = {name for name in tracked if name.startswith("skvus/")}
    compare(wheel.name, names - about, package)

    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
        folders = {m.name.split("/", 1)[1] for m in archive if m.isdir() and "/" in m.name}
    made = {name for name in names if name.startswith(MADE_BY_SETUPTOOLS)}
    compare(sdist.name, names - folders - made, tracked)


if __name__ == "__main__":
    main()
