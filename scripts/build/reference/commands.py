"""The page of the commands, from the program's own description of its arguments."""

import re

from manuals import is_automatic, is_shown, name_of, shown_subcommands, split_discussion, synopsis
from texts import code, table


def page(root):
    commands = [each for each in root["subcommands"] if is_shown(each) and each["commandName"] != "help"]
    rows = [(f"[`{each['commandName']}`](#{each['commandName']})", each["abstract"]) for each in commands]
    parts = ["# Commands",
             "These are all commands with their arguments and options. `stompline help COMMAND` prints the same in the\n"
             "terminal, and `man stompline-COMMAND` shows it after an installation. [The command line](../command-line.md)\n"
             "explains the commands, and [exit codes](exit-codes.md) lists how they end.",
             table(["command", "task"], rows)]
    for each in commands:
        parts += section(each, ["stompline", each["commandName"]], "##")
    return "\n\n".join(parts) + "\n"


def section(command, words, level):
    arguments = [each for each in command.get("arguments", []) if is_shown(each) and not is_automatic(each)]
    subcommands = shown_subcommands(command)
    usage = " ".join([*words, *(["COMMAND"] if subcommands else []), *map(synopsis, arguments)])
    parts = [f"{level} {' '.join(words[1:])}", command["abstract"]]
    # A line of many options is hard to read, and the table below has them all.
    if subcommands or len(usage) <= 100:
        parts.append(f"```text\n{usage}\n```")
    examples, rest = split_discussion(command.get("discussion", ""))
    if examples:
        parts.append("```text\n" + "\n".join(examples) + "\n```")
    parts += [with_code(text) for text in "\n".join(rest).strip().split("\n\n") if text]
    if arguments:
        parts.append(table(["argument", "meaning"], [(title(each), meaning(each)) for each in arguments]))
    for each in subcommands:
        parts += section(each, [*words, each["commandName"]], level + "#")
    return parts


def title(argument):
    value = argument.get("valueName", "").upper()
    if argument["kind"] == "positional":
        return code(value + ("…" if argument.get("isRepeating") else ""))
    names = sorted(map(name_of, argument["names"]), key=len)
    shown = [f"{each} {value}" if argument["kind"] == "option" else each for each in names]
    return ", ".join(map(code, shown)) + (", repeatable" if argument.get("isRepeating") else "")


def meaning(argument):
    text = " ".join(filter(None, (argument.get("abstract"), argument.get("discussion"))))
    default = re.sub(r"\.0$", "", argument.get("defaultValue") or "")
    if default and "(default" not in text:
        text += f" Default: {code(default)}."
    return with_code(text)


def with_code(text):
    """Returns text in which options are code. Words in angle brackets would be tags on a page."""
    return re.sub(r"(?<![\w`-])--[a-z][a-z-]*", lambda option: code(option[0]), text.replace("<", "&lt;"))
