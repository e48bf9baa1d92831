/// A change of everything in a file that refers to a name.
public enum ReferenceChange: Sendable, Equatable {
    /// Gives a node another id, also in the sources of other nodes.
    case renameNode(String, to: String)
    /// Removes what refers to a node, except sources: its addresses, cues and bindings.
    case removeNode(String)
    /// Gives a strip of a mixer another name, except in the mixer's `from`.
    case renameStrip(Strip, to: String)
    /// Removes the values and addresses of a strip of a mixer.
    case removeStrip(Strip)
    /// Removes an address from scenes and bindings.
    case removeAddress(String)
    /// Gives a scene another name.
    case renameScene(String, to: String)
    /// Removes a scene, and what refers to it.
    case removeScene(String)
    /// Gives a song of a setlist another name in the setlist's bindings.
    case renameSong(String, to: String)
    /// Removes the setlist's bindings to a song.
    case removeSong(String)
    /// Gives an input or output another name, also in sources and MIDI messages.
    case renameSignal(String, to: String)

    /// A strip of a mixer.
    public struct Strip: Sendable, Equatable {
        /// The id of the mixer.
        public var mixer: String
        /// The name of the strip, which is the text of its signal.
        public var name: String

        /// Creates a strip from its parts.
        public init(_ name: String, of mixer: String) {
            self.mixer = mixer
            self.name = name
        }

        /// Parses `mixer.strip`; `nil` without a dot.
        public init?(_ text: String) {
            guard let dot = text.firstIndex(of: ".") else { return nil }
            self.init(String(text[text.index(after: dot)...]), of: String(text[..<dot]))
        }
    }
}

/// The effect of changes on one text that names something.
enum NewReference: Equatable {
    case same
    case changed(String)
    case removed

    /// Applies a change to the text that results from earlier ones.
    func then(_ text: String, _ change: (String) -> NewReference) -> NewReference {
        switch self {
        case .same: return change(text)
        case .changed(let text):
            let next = change(text)
            return next == .same ? self : next
        case .removed: return self
        }
    }
}

extension [ReferenceChange] {
    private func result(
        of text: String, _ change: (ReferenceChange, String) -> NewReference
    ) -> NewReference {
        reduce(.same) { result, each in result.then(text) { change(each, $0) } }
    }

    /// Returns the new form of an address, or of another text that begins with a node and a dot.
    func address(_ text: String) -> NewReference {
        result(of: text) { change, text in
            switch change {
            case .renameNode(let old, let new):
                if text.hasPrefix(old + ".") {
                    return .changed(new + text.dropFirst(old.count))
                }
                return Self.strip(in: text, old, new)
            case .removeNode(let old): return text.hasPrefix(old + ".") ? .removed : .same
            case .renameSignal(let old, let new): return Self.strip(in: text, old, new)
            case .renameStrip(let strip, let new):
                let prefix = "\(strip.mixer).\(strip.name)"
                return text.hasPrefix(prefix + ".")
                    ? .changed("\(strip.mixer).\(new)" + text.dropFirst(prefix.count)) : .same
            case .removeStrip(let strip):
                return text.hasPrefix("\(strip.mixer).\(strip.name).") ? .removed : .same
            case .removeAddress(let address): return text == address ? .removed : .same
            case .renameScene, .removeScene, .renameSong, .removeSong: return .same
            }
        }
    }

    /// Returns an address `mixer.old.gain` or `mixer.old:1.gain` with the new name of its strip.
    private static func strip(in text: String, _ old: String, _ new: String) -> NewReference {
        // `node.parameters.mix` and `node.settings.file` name no strip.
        guard let dot = text.firstIndex(of: "."), old != "parameters", old != "settings",
            case .changed(let rest) = strip(String(text[text.index(after: dot)...]), old, new)
        else { return .same }
        return .changed(text[...dot] + rest)
    }

    /// Returns a key `old.gain` or `old:1.gain` with the new name of its strip.
    private static func strip(_ key: String, _ old: String, _ new: String) -> NewReference {
        guard key.hasPrefix(old + ".") || (key.hasPrefix(old + ":") && key.contains(".")) else {
            return .same
        }
        return .changed(new + key.dropFirst(old.count))
    }

    /// Returns the new form of a key in the `parameters` of a node.
    func parameter(_ key: String, of node: String) -> NewReference {
        result(of: key) { change, key in
            switch change {
            case .renameNode(let old, let new), .renameSignal(let old, let new):
                Self.strip(key, old, new)
            case .renameStrip(let strip, let new) where strip.mixer == node:
                key.hasPrefix(strip.name + ".")
                    ? .changed(new + key.dropFirst(strip.name.count)) : .same
            case .removeStrip(let strip) where strip.mixer == node:
                key.hasPrefix(strip.name + ".") ? .removed : .same
            default: .same
            }
        }
    }

    /// Returns the new form of a source: `name` or `name:2`.
    func source(_ text: String) -> NewReference {
        result(of: text) { change, text in
            switch change {
            case .renameNode(let old, let new), .renameSignal(let old, let new):
                text == old || text.hasPrefix(old + ":")
                    ? .changed(new + text.dropFirst(old.count)) : .same
            default: .same
            }
        }
    }

    /// Returns the new form of the name of a node.
    func node(_ text: String) -> NewReference {
        result(of: text) { change, text in
            switch change {
            case .renameNode(text, let new): .changed(new)
            case .removeNode(text): .removed
            default: .same
            }
        }
    }

    /// Returns the new form of a cue: `player` or `player:2`.
    func cue(_ text: String) -> NewReference {
        let name = String(text.prefix { $0 != ":" })
        guard case .changed(let new) = node(name) else { return node(name) }
        return .changed(new + text.dropFirst(name.count))
    }

    /// Returns the new form of the name of a scene.
    func scene(_ text: String) -> NewReference {
        result(of: text) { change, text in
            switch change {
            case .renameScene(text, let new): .changed(new)
            case .removeScene(text): .removed
            default: .same
            }
        }
    }

    /// Returns the new form of the name of a song.
    func song(_ text: String) -> NewReference {
        result(of: text) { change, text in
            switch change {
            case .renameSong(text, let new): .changed(new)
            case .removeSong(text): .removed
            default: .same
            }
        }
    }

    /// Returns the new form of the name of an input or output.
    func signal(_ text: String) -> NewReference {
        result(of: text) { change, text in
            if case .renameSignal(text, let new) = change { .changed(new) } else { .same }
        }
    }
}
