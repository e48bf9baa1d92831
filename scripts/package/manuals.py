#!/usr/bin/env python3
"""Writes the manual pages: stompline(1), and one page for each command.

usage: manuals.py PROGRAM FOLDER

The text comes from the program itself (`--experimental-dump-help`), so pages and `stompline help`
agree.
"""

import json
import os
import subprocess
import sys

AUTOMATIC = {"help", "version"}


def main():
    program, folder = sys.argv[1:]
    ask = lambda *words: subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
    version = ask("--version").strip()
    root = json.loads(ask("--experimental-dump-help"))["command"]
    os.makedirs(folder, exist_ok=True)
    commands = [each for each in root["subcommands"] if is_shown(each) and each["commandName"] != "help"]
    pages = {"stompline": page(root, ["stompline"], version, commands)}
    for command in commands:
        words = ["stompline", command["commandName"]]
        pages["-".join(words)] = page(command, words, version, shown_subcommands(command))
    for name, text in pages.items():
        with open(os.path.join(folder, f"{name}.1"), "w") as file:
            file.write(text)


def is_shown(item):
    return item.get("shouldDisplay", True)


def shown_subcommands(command):
    return [each for each in command.get("subcommands", []) if is_shown(each) and each["commandName"] != "help"]


def page(command, words, version, subcommands):
    """Returns the source of a manual page."""
    name = "-".join(words)
    arguments = [each for each in command.get("arguments", []) if is_shown(each)]
    lines = [
        f'.TH {name.upper().replace("-", chr(92) + "-")} 1 "" "Stompline {version}" "Stompline Manual"',
        ".nh",
        ".SH NAME",
        f"{escaped(name)} \\- {escaped(command['abstract'].rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {escaped(' '.join(words))}",
        escaped(" ".join(synopsis(each) for each in arguments if not is_automatic(each))),
    ]
    if subcommands:
        lines.append(".I command")
    lines += [".SH DESCRIPTION", escaped(command["abstract"])]
    examples, rest = split_discussion(command.get("discussion", ""))
    lines += paragraphs(rest)
    if subcommands:
        lines.append(".SH COMMANDS")
        for each in subcommands:
            title = f"\\fB{escaped(each['commandName'])}\\fR"
            lines += [".TP", title, escaped(each["abstract"])]
            # A command of the program has a page of its own; a command of a command has not.
            if len(words) > 1:
                own_examples, own_rest = split_discussion(each.get("discussion", ""))
                examples += own_examples
                lines += indented(paragraphs(own_rest))
                for argument in filter(is_shown, each.get("arguments", [])):
                    if not is_automatic(argument):
                        lines += indented(entry(argument))
    positional = [each for each in arguments if each["kind"] == "positional"]
    options = [each for each in arguments if each["kind"] != "positional"]
    for title, group in (("ARGUMENTS", positional), ("OPTIONS", options)):
        if group:
            lines.append(f".SH {title}")
            for each in group:
                lines += entry(each)
    if examples:
        lines += [".SH EXAMPLES", ".nf", *(escaped(each) for each in examples), ".fi"]
    lines += [".SH SEE ALSO", see_also(words, subcommands)]
    return "\n".join(line for line in lines if line) + "\n"


def see_also(words, subcommands):
    if len(words) == 1:
        names = [f"stompline-{each['commandName']}" for each in subcommands]
        pages = ", ".join(f"\\fB{escaped(each)}\\fR(1)" for each in names)
    else:
        pages = "\\fBstompline\\fR(1)"
    return pages + "\n.PP\nThe guides are in the folder\n.I /usr/share/doc/stompline/html\nof packages."


def is_automatic(argument):
    return argument.get("preferredName", {}).get("name") in AUTOMATIC


def name_of(name):
    return {"long": "--", "short": "-", "longWithSingleDash": "-"}[name["kind"]] + name["name"]


def synopsis(argument):
    """Returns an argument as the synopsis shows it."""
    value = f"<{argument['valueName']}>" if "valueName" in argument else ""
    text = {
        "positional": value,
        "option": f"{name_of(argument['preferredName'])} {value}" if "preferredName" in argument else "",
        "flag": name_of(argument["preferredName"]) if "preferredName" in argument else "",
    }[argument["kind"]]
    if argument.get("isRepeating"):
        text += "..."
    return f"[{text}]" if argument.get("isOptional") else text


def entry(argument):
    """Returns the description of an argument."""
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if "valueName" in argument else ""
    if argument["kind"] == "positional":
        title = value.strip()
    else:
        names = sorted(map(name_of, argument["names"]), key=len)
        title = ", ".join(f"\\fB{escaped(each)}\\fR" for each in names)
        title += value if argument["kind"] == "option" else ""
    text = " ".join(filter(None, (argument.get("abstract"), argument.get("discussion"))))
    if argument.get("defaultValue"):
        text += f" (default: {argument['defaultValue']})"
    return [".TP", title, escaped(" ".join(text.split()))]


def split_discussion(text):
    """Returns the lines of the examples, and the other lines."""
    examples, rest, is_example = [], [], False
    for line in text.split("\n"):
        if line.rstrip(":") in ("Example", "Examples", "Start here"):
            is_example = True
        elif is_example and (line.startswith("  ") or not line):
            examples.append(line[2:])
            is_example = bool(line)
        else:
            is_example = False
            rest.append(line)
    while examples and not examples[-1]:
        examples.pop()
    return examples, rest


def paragraphs(lines):
    """Returns lines of text with paragraphs; indented lines keep their breaks."""
    source = []
    for line in lines:
        if not line.strip():
            source.append(".PP")
        elif line.startswith("  "):
            source += [".RS", ".nf", escaped(line.strip()), ".fi", ".RE"]
        else:
            source.append(escaped(line))
    while source and source[-1] == ".PP":
        source.pop()
    # A paragraph begins after the first line of the section.
    return [".PP", *source] if source and source[0] != ".PP" else source


def indented(lines):
    return [".RS", *lines, ".RE"] if lines else []


def escaped(text):
    """Returns text in which no character has a meaning for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("—", "\\(em")
    return "\\&" + text if text[:1] in (".", "'") else text


if __name__ == "__main__":
    main()
