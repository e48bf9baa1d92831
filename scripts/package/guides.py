#!/usr/bin/env python3
"""Writes the guides (README.md and docs/) as HTML pages, with Debian's python3-markdown.

usage: guides.py FOLDER

Links between guides lead to the HTML pages. Links to files that are not installed become plain text.
"""

import html
import os
import re
import shutil
import sys

try:
    import markdown
except ImportError:
    sys.exit("guides: python3-markdown is missing (Debian: apt install python3-markdown)")

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
STYLE = """
body { margin: 0 auto; max-width: 50rem; padding: 1rem; line-height: 1.5; font-family: sans-serif }
pre, code { font-family: monospace } pre { overflow-x: auto; padding: .5rem; background: #8881 }
table { border-collapse: collapse } td, th { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; vertical-align: top }
img { max-width: 100% } :root { color-scheme: light dark }
"""


def main():
    target = os.path.abspath(sys.argv[1])
    pages = {"README.md": "index.html", "CHANGELOG.md": "CHANGELOG.html", "CONTRIBUTING.md": "CONTRIBUTING.html",
             "SECURITY.md": "SECURITY.html"}
    others = []
    for folder, _, names in os.walk(os.path.join(ROOT, "docs")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.endswith(".md"):
                pages[path] = path[:-3] + ".html"
            elif name.endswith((".svg", ".png", ".json")):
                others.append(path)
    for source, page in pages.items():
        write(os.path.join(target, page), converted(source, page, pages, set(others)))
    for path in others:
        os.makedirs(os.path.dirname(os.path.join(target, path)), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), os.path.join(target, path))


def converted(source, page, pages, others):
    """Returns a guide as an HTML page."""
    with open(os.path.join(ROOT, source)) as file:
        text = file.read()
    # The language is the first word after a fence; other words are for the checks of the guides.
    text = re.sub(r"(?m)^( *```\w+) .*$", r"\1", text)
    # A list needs no empty line before it on the pages of hosts, but here.
    text = re.sub(r"(?m)^(?![-*|> ]|\d+\.)(\S.*)\n(- )", r"\1\n\n\2", text)
    text = with_spaces(text)
    body = markdown.markdown(
        text, extensions=["tables", "fenced_code", "toc", "sane_lists"],
        extension_configs={"toc": {"slugify": slug}}, tab_length=2)
    body = re.sub(
        r'<a href="([^"]+)">(.*?)</a>', lambda match: link(match, source, page, pages, others), body,
        flags=re.DOTALL)
    heading = re.search(r"(?m)^# (.*)$", text)
    title = html.escape(heading.group(1) if heading else source)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{title} - Stompline</title>\n'
            f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")


def with_spaces(text):
    """Returns text whose fences inside of list items begin at the margin, because the converter accepts no others."""
    lines, indent = [], None
    for line in text.split("\n"):
        fence = re.match(r"( +)```", line)
        if fence and indent is None:
            indent = len(fence.group(1))
            lines += ["", line[indent:]]
        elif indent is not None:
            lines.append(line[indent:] if not line[:indent].strip() else line)
            if fence:
                indent = None
        else:
            lines.append(line)
    return "\n".join(lines)


def link(match, source, page, pages, others):
    """Returns a link between guides as a link between their pages."""
    address, text = html.unescape(match.group(1)), match.group(2)
    if re.match(r"[a-z]+:|#", address):
        return match.group(0)
    path, _, anchor = address.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(source), path))
    target = pages.get(path) or pages.get(os.path.join(path, "README.md")) or (path if path in others else None)
    if target is None:
        return text
    address = os.path.relpath(target, os.path.dirname(page) or ".")
    return f'<a href="{html.escape(address)}{"#" + anchor if anchor else ""}">{text}</a>'


def slug(text, separator):
    """Returns the anchor of a heading, as on the pages of hosts."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
