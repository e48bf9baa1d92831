"""The pages of the documentation, and their fenced blocks."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FENCE = re.compile(r"^( *)```(.*)$")


def pages():
    """The pages at the root of the project, and all pages in docs/."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page):
    """Returns the path of a page in the project, or its whole path outside."""
    return str(page.relative_to(ROOT)) if page.is_relative_to(ROOT) else str(page)


def blocks(page):
    """Yields the words after the fence, the first line number and the text of each block."""
    block, first, indent, words = None, 0, 0, []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence and block is None:
            block, first, indent = [], number + 1, len(fence[1])
            words = fence[2].split()
        elif fence:
            yield words, first, "\n".join(block)
            block = None
        elif block is not None:
            block.append(line[indent:])
    if block is not None:
        sys.exit(f"{name_of(page)}:{first - 1}: a block that does not end")


class Mark:
    """What the words after a fence say about a block with commands.

    `how` is `run`, `live`, `needs` or `ci`; `machine` is the name of the machine on which it runs; `reason` is the
    thing that the machine of the checks lacks.
    """

    def __init__(self, words):
        rest = words[1:]
        self.how = rest[0] if rest else "run"
        self.machine, self.reason, self.fault = "desk", "", None
        if self.how in ("run", "live") and rest[1:2] == ["on"] and len(rest) == 3:
            self.machine = rest[2]
        elif self.how == "needs" and rest[1:]:
            self.reason = " ".join(rest[1:])
        elif self.how not in ("run", "live", "ci") or rest[1:]:
            self.fault = f"the words after the fence must be run, live, ci or needs X, not {' '.join(rest)}"

    @staticmethod
    def of(words):
        """Returns the mark of a block; None if it has no commands."""
        return Mark(words) if words[:1] == ["sh"] else None
