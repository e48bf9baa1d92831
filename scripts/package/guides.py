#!/usr/bin/env python3
"""Writes the manual (docs/ and the pages at the root of the project) as HTML, with Debian's python3-markdown.

usage: guides.py FOLDER

The start page is docs/README.md. Its lists of links are the contents, which each page shows. Links between pages lead to
the HTML pages. Links to files that are not installed become plain text. A link to a heading that does not exist is an
error.
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

sys.dont_write_bytecode = True
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from contents import START, Contents  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
STYLE = "manual.css"


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: guides.py FOLDER")
    target = os.path.abspath(sys.argv[1])
    pages = {START: "index.html", "README.md": "README.html", "CHANGELOG.md": "CHANGELOG.html",
             "CONTRIBUTING.md": "CONTRIBUTING.html", "SECURITY.md": "SECURITY.html"}
    others = []
    for folder, folders, names in os.walk(os.path.join(ROOT, "docs")):
        # The pages of docc have links to symbols, which only docc understands.
        folders[:] = [each for each in folders if not each.endswith(".docc")]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), ROOT)
            if name.endswith(".md"):
                pages.setdefault(path, path[:-3] + ".html")
            elif name.endswith((".svg", ".png", ".json")):
                others.append(path)
    contents = Contents(read(START), pages)
    book = {page: converted(source, page, pages, set(others), contents) for source, page in sorted(pages.items())}
    if missing := list(missing_headings(book)):
        sys.exit("\n".join(f"guides: {line}" for line in missing))
    for page, text in book.items():
        write(os.path.join(target, page), text)
    for path in others:
        os.makedirs(os.path.dirname(os.path.join(target, path)), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), os.path.join(target, path))
    shutil.copyfile(os.path.join(ROOT, "scripts/package/guides.css"), os.path.join(target, STYLE))
    print(f"guides: {len(book)} pages: {os.path.join(target, 'index.html')}")


def read(source):
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        return file.read()


def converted(source, page, pages, others, contents):
    """Returns a page of the manual as HTML."""
    text = read(source)
    # The language is the first word after a fence; other words are for the checks of the pages.
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
    # A drawing is wider than a page: it leads to itself.
    body = re.sub(r'<img alt="[^"]*" src="([^"]+\.svg)" />', r'<a href="\1">\g<0></a>', body)
    # A keyboard can scroll a wide table or block only if it can have the focus.
    body = body.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    # An empty cell is no heading.
    body = re.sub(r"<th( [^>]*)?></th>", "<td></td>", body)
    # A narrow column can break a long name only here.
    body = re.sub(r"<code>(\w+_\w+)</code>", lambda name: f"<code>{name[1].replace('_', '_<wbr>')}</code>", body)
    body = body.replace("<pre>", '<pre tabindex="0">')
    heading = re.search(r"(?m)^# (.*)$", text)
    title = html.escape((heading.group(1) if heading else source).replace("`", ""))
    up = relative("", page)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title} - Stompline</title>\n'
            f'<link rel="stylesheet" href="{up}{STYLE}">\n</head>\n<body>\n'
            f'<a class="skip" href="#content">Skip to the text</a>\n{contents.header(source, page)}'
            f'<div class="page">\n<main id="content">\n{body}\n{contents.turn(source, page)}</main>\n'
            f'{contents.sidebar(source, page)}</div>\n</body>\n</html>\n')


def relative(target, page):
    """Returns the address of a file, or of the folder of the manual, from a page."""
    up = "../" * page.count("/")
    return up + target


def with_spaces(text):
    """Returns text whose lists have the form that the converter reads: an indentation of two spaces for all that
    belongs to an entry, and four for its code instead of a fence."""
    lines, fence, outer, is_list = [], None, False, False
    for line in text.split("\n"):
        found = re.match(r"( *)```", line)
        if outer:
            outer = not found
        elif fence is not None:
            if found:
                fence = None
                line = ""
            else:
                line = " " * 4 + line[fence:] if line.strip() else ""
        elif found and found.group(1):
            fence = len(found.group(1))
            line = ""
        elif found:
            outer, is_list = True, False
        elif re.match(r"(\d+\.|-) ", line):
            is_list = line[0].isdigit()
        elif line.strip() and not line.startswith(" "):
            is_list = False
        elif is_list and line.startswith("   "):
            line = line[1:]
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


def missing_headings(book):
    """Yields a line for each link to a heading that its page lacks."""
    names = {page: set(re.findall(r' id="([^"]+)"', text)) for page, text in book.items()}
    for page, text in book.items():
        for address in re.findall(r'href="([^"]*#[^"]+)"', text):
            path, _, anchor = html.unescape(address).partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not re.match(r"[a-z]+:", path) and target in names and anchor not in names[target]:
                yield f"{page}: {target} has no heading #{anchor}"


def slug(text, separator):
    """Returns the anchor of a heading, as on the pages of hosts."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
