internal import CLilv
internal import Processing

/// A reader of one port in a plugin's description.
struct PortReader {
    let world: LilvWorldHandle
    let plugin: OpaquePointer
    let port: OpaquePointer

    /// Reads the port in the form in which this host uses it.
    func shape() -> PortShape {
        let symbol = world.text(lilv_port_get_symbol(plugin, port)) ?? ""
        let label = world.consumeText(lilv_port_get_name(plugin, port)) ?? symbol
        let isOptional = has(Namespace.core("connectionOptional"))
        var shape = PortShape(
            symbol: symbol, label: label, role: role(isOptional: isOptional),
            isOptional: isOptional, isSideChain: isSideChain)
        shape.group = value(Namespace.portGroups("group")) ?? ""
        shape.channelRank = ChannelOrder.rank(of: value(Namespace.core("designation")))
        switch shape.role {
        case .eventInput, .eventOutput:
            let wanted = number(Namespace.resizePort("minimumSize")) ?? 0
            shape.minimumBytes = Int(min(max(0, wanted), Float(PortShape.maximumBytes) * 2))
            shape.asLargeAs = values(Namespace.resizePort("asLargeAs"))
            let types = values(Namespace.atom("supports"))
            shape.carriesMIDI = types.contains(Namespace.midi("MidiEvent"))
            shape.receivesTime = types.contains(Namespace.time("Position"))
            shape.receivesMessages = types.contains(Namespace.patch("Message"))
            shape.isMain = isDesignated(Namespace.core("control"))
        case .controlVoltageInput, .time:
            shape.restingValue = number(Namespace.core("default")) ?? 0
        case .parameter: shape.glides = !isSetAtOnce
        default: break
        }
        return shape
    }

    private func role(isOptional: Bool) -> PortShape.Role {
        let isInput = isA(Namespace.core("InputPort"))
        guard isInput || isA(Namespace.core("OutputPort")) else { return .unknown }
        if isA(Namespace.core("AudioPort")) { return isInput ? .audioInput : .audioOutput }
        if isA(Namespace.core("ControlPort")) { return isInput ? controlInput : controlOutput }
        if isA(Namespace.core("CVPort")) {
            return isInput ? .controlVoltageInput : .controlVoltageOutput
        }
        if isA(Namespace.atom("AtomPort")) { return isInput ? .eventInput : .eventOutput }
        return isOptional ? .unconnected : .unknown
    }

    private var controlInput: PortShape.Role {
        if isDesignated(Namespace.core("freeWheeling")) { return .freewheel }
        if isDesignated(Namespace.core("enabled")) { return .enabled }
        return TimeQuantity(designation: value(Namespace.core("designation"))).map { .time($0) }
            ?? .parameter
    }

    private var controlOutput: PortShape.Role {
        let isLatency =
            has(Namespace.core("reportsLatency")) || isDesignated(Namespace.core("latency"))
        return isLatency ? .latency : .report
    }

    /// Whether the port, or its group, is declared as a side chain.
    private var isSideChain: Bool {
        let sideChainOf = Namespace.portGroups("sideChainOf")
        if has(Namespace.core("isSideChain")) || value(sideChainOf) != nil { return true }
        guard let predicate = world.node(Namespace.portGroups("group")),
            let group = lilv_port_get(plugin, port, predicate)
        else { return false }
        defer { lilv_node_free(group) }
        return lilv_world_ask(world.pointer, group, world.node(sideChainOf), nil)
    }

    /// The name of the port's group for people; `nil` without one.
    var groupName: String? {
        guard let predicate = world.node(Namespace.portGroups("group")),
            let group = lilv_port_get(plugin, port, predicate)
        else { return nil }
        defer { lilv_node_free(group) }
        for name in [Namespace.core("name"), Namespace.schema("label")] {
            let found = world.consumeText(
                lilv_world_get(world.pointer, group, world.node(name), nil))
            if let found, !found.isEmpty { return found }
        }
        return nil
    }

    /// Whether intermediate values would be expensive, cause clicks, or have another meaning.
    private var isSetAtOnce: Bool {
        ["expensive", "causesArtifacts", "trigger"].contains { has(Namespace.portProperties($0)) }
    }

    private func isA(_ type: String) -> Bool { lilv_port_is_a(plugin, port, world.node(type)) }

    func has(_ property: String) -> Bool {
        lilv_port_has_property(plugin, port, world.node(property))
    }

    private func isDesignated(_ designation: String) -> Bool {
        value(Namespace.core("designation")) == designation
    }

    func value(_ predicate: String) -> String? {
        world.consumeText(lilv_port_get(plugin, port, world.node(predicate)))
    }

    func values(_ predicate: String) -> [String] {
        world.texts(lilv_port_get_value(plugin, port, world.node(predicate)))
    }

    func number(_ predicate: String) -> Float? {
        guard let node = lilv_port_get(plugin, port, world.node(predicate)) else { return nil }
        defer { lilv_node_free(node) }
        return world.number(node)
    }
}
