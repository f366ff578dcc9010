"""Make a virtual environment with the oldest or the newest versions that skvus supports.

    python .ci/environment.py oldest DIRECTORY
    python .ci/environment.py newest DIRECTORY --from dist/skvus-*.whl
    python .ci/environment.py oldest DIRECTORY --only scikit-learn

The interpreter is the one that runs this. The oldest versions are the lower bounds of
pyproject.toml, exactly; with --only those of some packages, beside the newest of all others.
"""

import argparse
import re
import subprocess
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = "distributed,plot,report,test"


def lower_bounds():
    """Lower bounds of all that pyproject.toml asks for, by name of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    bounds = {}
    for requirement in sum(extras, start=project["dependencies"]):
        if requirement.startswith(f"{project['name']}["):
            continue  # an extra that is made of others
        found = re.fullmatch(r"([\w.-]+)(?:\[.+\])?>=([\d.]+)(?: *;.*)?", requirement)
        if not found:
            raise SystemExit(f"{requirement!r} in pyproject.toml is not of the form name>=1.2")
        name, bound = found.groups()
        if bounds.setdefault(name, bound) != bound:
            raise SystemExit(f"{name} has two lower bounds in pyproject.toml")
    return bounds


def main():
    """Make it, check that its packages go together, and list them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("versions", choices=["oldest", "newest"])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--from", dest="source", default=ROOT, help="wheel, archive or folder")
    parser.add_argument("--extras", default=EXTRAS, help=f"default: {EXTRAS}")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these are the oldest")
    parser.add_argument("--pre", action="store_true", help="pre-releases as well")
    options = parser.parse_args()

    bounds = lower_bounds()
    if unknown := sorted(set(options.only or ()) - set(bounds)):
        parser.error(f"pyproject.toml has no lower bound of {', '.join(unknown)}")
    venv.create(options.directory, clear=True, with_pip=True)
    python = options.directory.resolve() / "bin" / "python"
    pip = [python, "-m", "pip"]
    source = Path(options.source).resolve()
    command = [*pip, "install", "--upgrade", f"{source}[{options.extras}]"]
    if options.versions == "oldest":
        constraints = options.directory / "constraints.txt"
        names = options.only or sorted(bounds)
        constraints.write_text("".join(f"{name}=={bounds[name]}\n" for name in names))
        command += ["--constraint", constraints]
    if options.pre:
        command += ["--pre"]
    subprocess.run([*command, "--quiet"], check=True)
    subprocess.run([*pip, "check"], check=True)
    subprocess.run([python, "--version"], check=True)
    subprocess.run([*pip, "list"], check=True)


if __name__ == "__main__":
    main()
