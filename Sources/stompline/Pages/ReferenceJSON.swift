internal import Control
internal import HTTPServer
internal import Pipelines
internal import SessionCore
internal import SessionTexts

extension AddressDescription {
    /// `{"address", "kind", "value", "meaning"}`.
    var json: JSONValue {
        [
            "address": .string(address), "kind": .string(kind.rawValue), "value": .string(value),
            "meaning": .string(meaning),
        ]
    }
}

extension OSCMessageDescription {
    /// `{"path", "from", "arguments", "meaning"}`; `from` is `client` or `stompline`.
    var json: JSONValue {
        [
            "path": .string(path), "from": isSentByServer ? "stompline" : "client",
            "arguments": .string(arguments), "meaning": .string(meaning),
        ]
    }
}

extension HTTPDescription {
    /// `{"kind", "name", "methods", "role", "content", "meaning"}`.
    var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "name": .string(name), "methods": .string(methods),
            "role": .string(role), "content": .string(content), "meaning": .string(meaning),
        ]
    }
}

extension EventDescription {
    /// `{"event", "meaning", "members"}`, with `{"name", "meaning", "optional"}` for each member.
    var json: JSONValue {
        [
            "event": .string(name.rawValue), "meaning": .string(meaning),
            "members": .array(
                members.map {
                    [
                        "name": .string($0.name), "meaning": .string($0.meaning),
                        "optional": .bool($0.isOptional),
                    ]
                }),
        ]
    }
}

extension Diagnostic.Code {
    /// `{"code", "meaning"}`.
    var json: JSONValue { ["code": .string(rawValue), "meaning": .string(meaning)] }
}

extension ExitStatus {
    /// `{"status", "meaning"}`.
    var json: JSONValue { ["status": .integer(Int(rawValue)), "meaning": .string(meaning)] }
}
