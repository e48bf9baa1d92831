"""The pages of addresses, OSC, HTTP, events, error codes and exit codes, and the start page of the reference."""

from texts import code, sentence, table

INDEX = """# Reference

These pages are made from the output of the program, and [CI](../../CONTRIBUTING.md#test) checks that they still agree
with it.

- [Commands](commands.md): every command with its arguments and options
- [Effects](effects.md): every built-in effect with its parameters, settings and reports
- [Keys of a pipeline](pipeline.md) and [keys of a setlist](setlist.md): every key with its values and default
- [Addresses](addresses.md): the values and actions of a session, for `ctl`, OSC, HTTP and MIDI
- [OSC messages](osc.md): the messages to and from the program
- [HTTP and WebSockets](http.md): requests, messages, answers, status codes and metrics
- [Events](events.md): the lines of `run --json`
- [Error codes](error-codes.md): the codes of errors in files
- [Exit codes](exit-codes.md): how commands end

These pages are written by hand. They define formats and protocols:

- [The pipeline format](../pipeline-format.md): the contract of the files, with examples
- [The page and its protocol](../http.md): rights, edits and messages, with a [JSON Schema](../http.schema.json)
- [The glossary](../glossary.md): the terms of the program
- [Versions](../versions.md): what stays valid in later versions
"""

#: The pages that explain an address.
EXPLAINED = {
    "scene": "on-stage.md#scenes-and-songs", "song": "on-stage.md#scenes-and-songs",
    "learn": "pipeline-format.md#learn", "cue": "on-stage.md#cues", "next-cue": "on-stage.md#cues",
    "go": "on-stage.md#cues", "back": "on-stage.md#cues", "notes": "pipeline-format.md#setlists",
    "color": "pipeline-format.md#setlists", "problems": "on-stage.md#one-bad-song-does-not-stop-the-night",
    "fade-all": "on-stage.md#fades", "save": "on-stage.md#save-what-you-hear",
    "save-scene": "on-stage.md#save-what-you-hear", "undo": "on-stage.md#save-what-you-hear",
    "redo": "on-stage.md#save-what-you-hear", "next-undo": "on-stage.md#save-what-you-hear",
    "next-redo": "on-stage.md#save-what-you-hear", "compare": "on-stage.md#save-what-you-hear",
}


def addresses(entries):
    names = [each["address"] for each in entries]
    if unknown := set(EXPLAINED) - set(names):
        raise ValueError(f"the program has no address {', '.join(sorted(unknown))}")

    def rows(kind):
        for each in entries:
            if each["kind"] == kind:
                name = each["address"]
                more = f" ([more](../{EXPLAINED[name]}))" if name in EXPLAINED else ""
                yield code(name), each["value"], each["meaning"] + more

    def read_only():
        return [(name, meaning) for name, _, meaning in rows("read-only")]

    return f"""# Addresses

`stompline ctl`, OSC, HTTP, the terminal view, scenes and bindings use the same addresses. `stompline ctl` without an
address lists those of a running session with their values. [Remote control](../remote-control.md) explains them.

## Values of nodes

| address | meaning |
| --- | --- |
| `ID.NAME` | a parameter of the node `ID`: see [effects](effects.md), or `stompline plugin` for a plugin |
| `ID.STRIP.NAME` | a parameter of a strip of a mixer |
| `ID.bypass`, `ID.mix` | the keys of every node |
| `ID.parameters.NAME` | a parameter whose name is `bypass`, `mix` or the name of a report |
| `ID.reports.NAME`, or `ID.NAME` | a [report](../remote-control.md#reports), which can only be read |

## Values of the session

{table(["address", "value", "meaning"], list(rows("value")))}

## Texts that can only be read

A text is empty if there is no such thing; a dump then leaves it out.

{table(["address", "meaning"], read_only())}

## Actions

Some actions can have a value.

{table(["address", "value", "meaning"], list(rows("action")))}

```sh run
stompline reference addresses
```
"""


def messages(entries):
    def rows(sender):
        for each in entries:
            if each["from"] == sender:
                arguments = code(each["arguments"]) if each["arguments"] else "none"
                yield code(each["path"]), arguments, each["meaning"]

    heads = ["path", "arguments", "meaning"]
    return f"""# OSC messages

`run --osc PORT` listens to these messages over UDP. [Remote control](../remote-control.md#osc) explains the protocol,
its limits and access over a network. The arguments have the OSC types after the comma; those in brackets can be
missing.

## To values and actions

An [address](addresses.md) `verb.mix` is the path `/verb/mix`. Without an argument, the message asks for the value; with
one, it sets the value. With two, the second one is the time of a [fade](../pipeline-format.md#fades) in seconds.

## To Stompline

{table(heads, list(rows("client")))}

## From Stompline

{table(heads, list(rows("stompline")))}

```sh run
stompline reference osc
```
"""


#: The places in docs/http.md that explain a request.
REQUESTS = {
    "/api/files/NUMBER": "edit-a-file", "/api/library/NUMBER/PATH": "send-a-file",
    "/api/library/NUMBER": "send-a-file", "/api/files/NUMBER/references": "rename-and-remove-names",
    "/api/palette": "the-palette", "/api/palette/TYPE": "the-palette", "/api/drawing": "the-drawing",
    "/api/live": "the-websocket-protocol", "/api/state": "snapshot", "/api/pair": "other-machines",
    "/metrics": "metrics", "/PATH": "the-files-of-the-page",
}


def http(entries):
    def rows(kind, *members):
        return [[code(each["name"]), *(each[member] for member in members)] for each in entries if each["kind"] == kind]

    requests = [each for each in entries if each["kind"] == "request"]
    if unknown := set(REQUESTS) - {each["name"] for each in requests}:
        raise ValueError(f"the program has no path {', '.join(sorted(unknown))}")

    def request(each):
        name = each["name"]
        more = f" ([more](../http.md#{REQUESTS[name]}))" if name in REQUESTS else ""
        return code(f"{each['methods']} {name}"), each["role"], each["content"] or "none", each["meaning"] + more

    parts = [(code(each["name"]), f"{each['meaning']} ([more](../http.md#{each['name']}))")
             for each in entries if each["kind"] == "part"]
    members = ["members", "meaning"]
    return f"""# HTTP and WebSockets

`run --http PORT` answers these requests. [The page and its protocol](../http.md) explains how other machines are
paired, which requests are refused, how files are edited and sent, and what the parts of a snapshot contain.

## Requests over HTTP

Words in capitals stand for a value: `/api/values/verb.mix`. A character that a URL cannot contain is percent-encoded.
The role is the smallest one that another machine needs; `none` needs no key. Values of the body are JSON.

{table(["request", "role", "body", "meaning or answer"], [request(each) for each in requests])}

An [address](addresses.md) or action is the same as in OSC and `stompline ctl`. A device that is limited to one mix may
set only the values of this mix.

## Status codes

A request that succeeds has status 200, or 201 for a new file or preset. With `If-None-Match`, a file of the page or the
palette that has not changed has 304. A refused request has a body such as
`{{"error": "…", "suggestion": "verb.mix"}}`; some reasons add members, which are in parentheses.

{table(["status", "reason"], rows("status", "meaning"))}

## Requests over a WebSocket

A request is a JSON object with `id`, `request` and these members. [Stale requests](../http.md#requests) explains
`revision`.

{table(["request", *members], rows("page-request", "content", "meaning"))}

## Answers

Each answer is a message of the type `answer` with the `id` of its request.

{table(["answer", *members], rows("answer", "content", "meaning"))}

## Messages of the server

Each message has `type`, and one with state has `revision`.

{table(["type", *members], rows("message", "content", "meaning"))}

The member `event` of an event is one of the [events](events.md) of `run --json`. `status`, `problems`, `connections`
and `history` are parts instead.

## Parts of a snapshot

{table(["part", "content"], parts)}

## Close codes

{table(["code", "reason"], rows("close-code", "meaning"))}

## Metrics

`GET /metrics` answers in the text format of Prometheus.

{table(["name", "type", "meaning"], rows("metric", "content", "meaning"))}

```sh run
stompline reference http
```
"""


def events(entries):
    parts = ["""# Events

`stompline run FILE --json` prints each event as a JSON object on a line of standard output. The member `event` has the
name. [Playing in JACK](../playing-in-jack.md#for-scripts---json) explains how scripts read them. Times are in seconds
and levels in dB unless the member says otherwise; a load of 1 is the whole period.""",
             table(["event", "when"], [(f"[`{each['event']}`](#{each['event']})", each["meaning"]) for each in entries]),
             "```sh run\nstompline reference events --json\n```"]
    for each in entries:
        parts += [f"## `{each['event']}`", sentence(each["meaning"])]
        if each["members"]:
            rows = [(code(member["name"]) + (" (not always)" if member["optional"] else ""), member["meaning"])
                    for member in each["members"]]
            parts.append(table(["member", "meaning"], rows))
        else:
            parts.append("It has no members.")
    return "\n\n".join(parts) + "\n"


def error_codes(entries):
    return f"""# Error codes

`stompline check` reports all errors of a file at once; [the command line](../command-line.md#check) shows the form of a
report. Each error has one of these codes, which are [stable](../versions.md):

{table(["code", "the error"], [(code(each["code"]), each["meaning"]) for each in entries])}

[What a file may not do without permission](../pipeline-format.md#what-a-file-may-not-do-without-permission) explains
which files are not permitted.

```sh run
stompline reference error-codes
```
"""


def exit_codes(entries):
    return f"""# Exit codes

Every command ends with one of these statuses. Those above 1 are the ones of `sysexits.h`.

{table(["status", "meaning"], [(each["status"], each["meaning"]) for each in entries])}

A command that a signal ends has the status that the shell gives it, 128 and the number of the signal. `run` ends with 0
after Ctrl-C and SIGTERM.

```sh run
stompline reference exit-codes
```
"""
