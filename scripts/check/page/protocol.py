"""Checks the messages of a WebSocket against docs/http.schema.json."""

import json
from pathlib import Path

import jsonschema

SCHEMA = Path(__file__).resolve().parents[3] / "docs" / "http.schema.json"


def closed(part):
    """Returns a schema that allows no members except those that it lists."""
    if isinstance(part, list):
        return [closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    copy = {key: closed(value) for key, value in part.items()}
    if "properties" in part:
        copy.setdefault("additionalProperties", False)
    return copy


class Protocol:
    """The messages of all pages, and the errors in them."""

    def __init__(self):
        definitions = closed(json.loads(SCHEMA.read_text())["$defs"])
        self.server, self.client = (
            jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})
            for name in ["serverMessage", "request"])
        self.errors = []
        #: The kinds of messages that were seen.
        self.kinds = set()

    def watch(self, page):
        page.on("websocket", self._watch)

    def _watch(self, socket):
        socket.on("framereceived", lambda text: self._check(self.server, text, "type"))
        socket.on("framesent", lambda text: self._check(self.client, text, "request"))

    def _check(self, validator, text, kind):
        if isinstance(text, bytes):
            return
        message = json.loads(text)
        self.kinds.add(message.get(kind))
        for error in validator.iter_errors(message):
            best = jsonschema.exceptions.best_match([error])
            place = "/".join(str(step) for step in best.absolute_path)
            self.errors.append(f"{text[:80]}…: {place}: {best.message[:200]}")
