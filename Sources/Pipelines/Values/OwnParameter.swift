public import Processing

/// The address of a plugin's own parameter whose name every node uses for itself.
///
/// `verb.mix` and `verb.bypass` are the mix and the bypass of the node. If its plugin has controls
/// with these names, their addresses are `verb.parameters.mix` and `verb.parameters.bypass`, as in
/// the node's `"parameters"`. No other name contains this prefix: the names of plugins' controls
/// have no dots, and mixers, whose strips can have any name, have no parameters with these names.
enum OwnParameter {
    /// The part of the address before the name.
    static let prefix = "parameters."
    /// The names that every node uses for itself.
    static let hostNames = [PipelineKeys.bypassName, PipelineKeys.mixName]

    /// Returns the part of a parameter's address after the node.
    static func address(of name: String) -> String {
        hostNames.contains(name) ? prefix + name : name
    }

    /// Returns the parameter that the part of an address after the node names; `nil` if it names
    /// the node's own bypass or mix.
    static func name(at address: String) -> String? {
        if hostNames.contains(address) { return nil }
        for name in hostNames where address == prefix + name { return name }
        return address
    }

    /// Returns the address that was probably meant by an unknown one.
    ///
    /// - Parameters:
    ///   - address: The unknown address, without the node.
    ///   - names: The names of the node's parameters.
    ///   - nearest: Returns the name that is most similar to a text.
    /// - Returns: The address without the node; `nil` if none is similar.
    static func suggestion(
        for address: String, among names: [String], nearest: (String, [String]) -> String?
    ) -> String? {
        if address.hasPrefix(prefix) {
            let name = String(address.dropFirst(prefix.count))
            if names.contains(name) || hostNames.contains(name) { return name }
        }
        return nearest(address, names.map(Self.address) + hostNames)
    }
}

extension ParameterDescription {
    /// The part of the parameter's address after the node: its name, unless every node uses the
    /// name for itself.
    public var addressName: String { OwnParameter.address(of: name) }
}
