"""The contents of the manual: its parts and their pages, as docs/README.md lists them."""

import html
import os
import re

#: The start page.
START = "docs/README.md"


class Contents:
    """The parts of the manual, each with the titles and sources of its pages."""

    def __init__(self, text, pages):
        self._pages = pages
        self._parts = []
        for section in re.split(r"(?m)^## ", text)[1:]:
            title, _, body = section.partition("\n")
            entries = [(name, os.path.normpath(os.path.join(os.path.dirname(START), target)))
                       for name, target in re.findall(r"(?m)^- \[([^\]]+)\]\(([^)#]+)\)", body)]
            if lacking := [target for _, target in entries if target not in pages]:
                raise SystemExit(f"guides: {START} lists pages that do not exist: {', '.join(lacking)}")
            self._parts.append((title.strip(), entries))

    def header(self, source, page):
        """Returns the line above a page: the parts, with a link to the start page."""
        here = self._part_of(source)
        links = []
        for title, _ in self._parts:
            anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
            links.append(f'<a href="{self._to(START, page)}#{anchor}"{current(title == here, "true")}>{html.escape(title)}</a>')
        return (f'<header>\n<a class="name" href="{self._to(START, page)}">Stompline</a>\n'
                f'<a class="contents" href="#contents">Contents</a>\n'
                f'<nav aria-label="Parts">{"".join(links)}</nav>\n</header>\n')

    def sidebar(self, source, page):
        """Returns the contents; the part of the page is open."""
        here, entry = self._part_of(source), self._entry_of(source)
        parts = []
        for title, entries in self._parts:
            lines = [f'<li><a href="{self._to(each, page)}"{current(each == entry)}>{shown(name)}</a></li>'
                     for name, each in entries]
            is_open = " open" if title == here or here is None else ""
            parts.append(f"<details{is_open}><summary>{html.escape(title)}</summary>\n<ul>\n" + "\n".join(lines)
                         + "\n</ul></details>")
        return '<nav id="contents" aria-label="Contents">\n' + "\n".join(parts) + "\n</nav>\n"

    def turn(self, source, page):
        """Returns links to the pages before and after a page; nothing for a page that is not in the contents."""
        order = [entry for _, entries in self._parts for entry in entries]
        sources = [each for _, each in order]
        if source not in sources:
            return ""
        index = sources.index(source)
        links = []
        if index > 0:
            links.append(f'<a rel="prev" href="{self._to(sources[index - 1], page)}">← {shown(order[index - 1][0])}</a>')
        if index + 1 < len(order):
            links.append(f'<a rel="next" href="{self._to(sources[index + 1], page)}">{shown(order[index + 1][0])} →</a>')
        return f'<nav class="turn" aria-label="Next pages">{"".join(links)}</nav>\n'

    def _entry_of(self, source):
        """Returns the entry that a page belongs to: its own, or the one of a folder above it."""
        sources = [each for _, entries in self._parts for _, each in entries]
        folder = source
        while folder:
            for each in (folder, f"{folder}/README.md", f"{folder}.md"):
                if each in sources:
                    return each
            folder = os.path.dirname(folder)
        return None

    def _part_of(self, source):
        entry = self._entry_of(source)
        if found := next((title for title, entries in self._parts if entry in [each for _, each in entries]), None):
            return found
        folder = os.path.dirname(source)
        for title, entries in self._parts:
            if folder not in ("", "docs") and any(os.path.dirname(each) == folder for _, each in entries):
                return title
        return None

    def _to(self, source, page):
        return html.escape(os.path.relpath(self._pages[source], os.path.dirname(page) or "."))


def current(is_current, value="page"):
    return f' aria-current="{value}"' if is_current else ""


def shown(name):
    """Returns the name of a page without the marks of Markdown."""
    return html.escape(name.replace("`", ""))
