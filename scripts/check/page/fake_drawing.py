"""A drawing with the marks of `stompline graph`, for the fake session."""

from xml.sax.saxutils import escape, quoteattr

CABLES = ["#1f4e8c", "#a63a2b", "#2c6e49", "#6b4397", "#8a5a00", "#0f6b78", "#92315f", "#4a5568"]
WIDTH, COLUMN, GAP = 170, 260, 40


def text(x, y, size, fill, words, kind="", anchor="start"):
    mark = f' class="{kind}"' if kind else ""
    return (f'<text{mark} x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{fill}">{escape(words)}</text>')


def height(entry):
    return 46 + 24 * len(entry.get("strips", [])) + 21 * len(entry.get("rows", []))


def columns(song):
    """Returns the column of each name: inputs at 0, each node after its sources."""
    place = {signal["name"]: 0 for signal in song.inputs}
    for _ in song.nodes:
        for node in song.nodes:
            place[node["id"]] = 1 + max([place.get(name, 0) for name in node["from"]], default=0)
    return place


def drawing(song, latencies):
    """Returns the drawing of a song as SVG; `latencies` are in frames, by node."""
    place = columns(song)
    last = 1 + max(place.values(), default=0)
    cards = [("input", signal["name"], 0, {}) for signal in song.inputs]
    for node in song.nodes:
        rows = [each for each in song.parameters
                if each["node"] == node["id"] and each["strip"] is None
                and each["address"] in song.values and each["kind"] != "choice"
                and song.values[each["address"]] != each["default"]]
        cards.append(("node", node["id"], place[node["id"]], {**node, "rows": rows}))
    cards += [("output", signal["name"], last, signal) for signal in song.outputs]
    tops, boxes, parts = {}, {}, []
    for index, (kind, name, column, entry) in enumerate(cards):
        top = tops.get(column, 100)
        size = height(entry) if kind == "node" else 46
        tops[column] = top + size + GAP
        boxes[kind, name] = (48 + column * COLUMN, top, WIDTH, size, CABLES[index % len(CABLES)])
    for kind, name, _, entry in cards:
        left, top, width, size, colour = boxes[kind, name]
        for source in entry.get("from", []):
            start = boxes.get(("node", source)) or boxes.get(("input", source))
            if start:
                path = f"M{start[0] + start[2]} {start[1] + 23}L{left} {top + 23}"
                parts.append(f'<g class="wire" data-from={quoteattr(source)} '
                             f'data-to={quoteattr(name)}><path d="{path}" fill="none" '
                             f'stroke="{start[4]}" stroke-width="2"/></g>')
    for kind, name, _, entry in cards:
        left, top, width, size, colour = boxes[kind, name]
        parts.append(f'<g class="{kind}" data-name={quoteattr(name)} data-{kind}={quoteattr(name)} '
                     f'data-frame="{left} {top} {width} {size}" role="img" '
                     f'aria-label={quoteattr(name)}>')
        if kind == "node":
            parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{size}" rx="9" '
                         'fill="#e7eef8" stroke="#3b4250"/>')
        parts.append(text(left + 14, top + 20, 15, "#1d2129", name))
        if name in latencies and kind == "node":
            parts.append(text(left + width - 14, top + 20, 10.5, "#5a6270",
                              f"{latencies[name] / 48:.2f} ms", "latency", "end"))
        y = top + 60
        for strip in entry.get("strips", []):
            parts.append(f'<g class="strip" data-strip={quoteattr(name + "." + strip["name"])}>')
            parts.append(text(left + 14, y, 11, "#5a6270", strip["name"]))
            parts.append(text(left + width - 14, y, 11.5, "#1d2129", "?", "value", "end"))
            parts.append("</g>")
            y += 24
        for row in entry.get("rows", []):
            parts.append(f'<g class="row" data-address={quoteattr(row["address"])}>')
            parts.append(f'<circle cx="{left + 21}" cy="{y - 4}" r="6.5" fill="#eef0f3" '
                         'stroke="#5a6270"/>')
            parts.append(f'<path d="M{left + 21} {y - 4}L{left + 21} {y - 9}" stroke="{colour}" '
                         'stroke-width="2"/>')
            parts.append(text(left + 36, y, 11, "#5a6270", row["label"]))
            parts.append(text(left + width - 14, y, 11.5, "#1d2129", "?", "value", "end"))
            parts.append("</g>")
            y += 21
        parts.append("</g>")
    right = 48 + last * COLUMN + WIDTH
    bottom = max(tops.values(), default=200)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {right + 48} {bottom + 48}"><title>{escape(song.name)}</title>'
            f'<g class="graph" data-frame="48 100 {right - 48} {bottom - 100}">'
            + "".join(parts) + "</g></svg>")
