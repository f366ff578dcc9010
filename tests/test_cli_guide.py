"""The guide to the command line shows what comes out."""

import re
import shlex
from pathlib import Path

from skvus.__main__ import main

GUIDE = Path(__file__).parents[1] / "docs/guide_command_line.md"


def words(text):
    """What does not depend on digits."""
    return re.findall(r"[A-Za-z_][\w.]*", re.sub(r"\d[\d.,]*(e-?\d+)?", "", text))


def test_console_blocks_are_real(capsys, monkeypatch):
    text, names = GUIDE.read_text(), {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(block, GUIDE.name, "exec"), names)
    monkeypatch.chdir(names["folder"])
    blocks = re.findall(r"```console\n\$ skvus (.*?)\n(.*?)```", text, re.DOTALL)
    blocks += [(line, None) for line in re.findall(r"^    skvus (.*)$", text, re.MULTILINE)]
    assert len(blocks) == 4
    for line, shown in blocks:
        assert main(shlex.split(line)) == 0
        out = capsys.readouterr().out
        assert shown is None or words(out) == words(shown), line
    assert Path("wine.html").exists()
