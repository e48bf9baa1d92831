internal import Processing

/// The parameters of a node by the names that addresses use.
struct NodeParameters {
    let type: TypeDescription
    /// The strips of a mixer by name; `nil` if they are not known.
    let strips: [String: Int]?

    init?(_ node: NodeDraft) {
        guard let description = node.description else { return nil }
        type = description
        strips = description.isMixer ? node.stripIndex : [:]
    }

    /// The result of looking up a name.
    enum Match {
        case parameter(Int, ParameterDescription)
        case none
        /// The name may belong to a strip that an error hides.
        case hidden
    }

    /// Finds a parameter by name, and returns its index in the pipeline's node.
    func match(_ name: String) -> Match {
        if let index = type.parameterIndex[name] {
            return .parameter(index, type.parameters[index])
        }
        guard type.isMixer, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return .none
        }
        guard let strips else { return .hidden }
        let last = String(name[name.utf8.index(after: dot)...])
        guard let strip = strips[String(name[..<dot])],
            let inner = type.stripParameterIndex[last]
        else { return .none }
        let all = type.description.stripParameters
        return .parameter(type.parameters.count + strip * all.count + inner, all[inner])
    }

    /// All names, for suggestions.
    var names: [String] {
        let own = type.parameters.map(\.name)
        let inner = type.description.stripParameters.map(\.name)
        return own
            + (strips ?? [:]).keys.sorted().flatMap { strip in
                inner.map { strip + "." + $0 }
            }
    }

    /// Returns the descriptions of the type, then those of each strip, named `<strip>.<name>`.
    func descriptions(strips: [Pipeline.Strip]) -> [ParameterDescription] {
        type.allParameters(strips: strips)
    }
}
