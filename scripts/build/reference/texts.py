"""Parts of Markdown that several pages of the reference use."""


def cell(text):
    """Returns text for a cell of a table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def table(heads, rows):
    """Returns a table; a row has a cell for each head."""
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    lines += ["| " + " | ".join(cell(each) for each in row) + " |" for row in rows]
    return "\n".join(lines)


def code(text):
    return f"`{text}`"


def number(value):
    """Returns a number as people write it, with the minus sign of mathematics."""
    text = f"{value:g}" if abs(value) < 1e6 else f"{int(value)}"
    return text.replace("-", "−")


def interval(low, high):
    return f"{number(low)}…{number(high)}"


def capitalised(text):
    """Returns text with a capital first letter, unless it begins with code."""
    return text[:1].upper() + text[1:]


def sentence(text):
    """Returns a phrase as a sentence."""
    return capitalised(text) + ("" if text.endswith(".") else ".")
