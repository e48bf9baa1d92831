internal import HTTPServer
internal import LV2
internal import Pipelines
internal import Processing

/// The types of nodes that a page can add: the built-in effects, then the installed plugins.
///
/// It reads plugins' descriptions in a world of its own, so that no session waits for it, and runs
/// no plugin.
final class NodePalette: Sendable {
    private let world = HostServices.plugins()

    /// Returns the JSON text of an answer; `nil` if there is no such type.
    ///
    /// It can take seconds.
    func text(for request: PaletteRequest) -> String? {
        switch request {
        case .list: list.text
        case .type(let name): description(of: name).map(Self.object)?.text
        }
    }

    private var list: JSONValue {
        let effects = HostServices.effects.map { Self.entry($0.description) }
        do throws(PluginError) {
            let plugins = try HostServices.pluginList(of: world).plugins()
            let crashes = CrashDiary.crashes()
            return [
                "types": .array(effects + plugins.map { Self.entry($0, crashes) }), "error": nil,
            ]
        } catch {
            return ["types": .array(effects), "error": .string(error.message)]
        }
    }

    private func description(of name: String) -> NodeDescription? {
        HostServices.effects.map(\.description).first { $0.name == name }
            ?? (try? world.description(ofPlugin: name))
    }

    /// The channels, settings and values of a type.
    private static func object(_ description: NodeDescription) -> JSONValue {
        var (inputs, outputs): (JSONValue, JSONValue) = (nil, nil)
        if case .ports(let ins, let outs) = description.channels {
            (inputs, outputs) = (.array(ins.map(port)), .array(outs.map(port)))
        }
        return [
            "type": .string(description.name), "label": .string(description.label),
            "summary": .string(description.summary), "inputs": inputs, "outputs": outputs,
            "parameters": .array(description.parameters.map(\.json)),
            "settings": .array(description.settings.map(\.json)),
            "receives_events": .bool(description.receivesEvents),
        ]
    }

    private static func port(_ port: PortDescription) -> JSONValue {
        [
            "symbol": .string(port.symbol), "label": .string(port.label),
            "optional": .bool(port.isOptional), "control_voltage": .bool(port.isControlVoltage),
        ]
    }

    private static func entry(_ description: NodeDescription) -> JSONValue {
        [
            "type": .string(description.name), "plugin": false,
            "label": .string(description.label), "summary": .string(description.summary),
            "category": .string(description.category), "author": "",
            "inputs": nil, "outputs": nil, "source": .bool(description.channels == .source),
            "mixer": .bool(description.channels == .mixer),
            "required": .array(description.requiredSettings.map { .string($0) }), "problem": nil,
            "crashed": nil,
        ]
    }

    private static func entry(_ plugin: KnownPlugin, _ crashes: [PluginCrash]) -> JSONValue {
        let summary = plugin.summary
        return [
            "type": .string(summary.uri), "plugin": true,
            "label": .string(summary.name.isEmpty ? summary.uri : summary.name), "summary": "",
            "category": .string(summary.category), "author": .string(summary.author),
            "inputs": .integer(summary.audioInputCount),
            "outputs": .integer(summary.audioOutputCount),
            "source": .bool(summary.audioInputCount == 0), "mixer": false, "required": .array([]),
            "problem": .optional(problem(of: plugin)),
            "crashed": .optional(crash(of: plugin, crashes)),
        ]
    }

    /// Returns the reason why a plugin cannot play; `nil` if no reason is known.
    private static func problem(of plugin: KnownPlugin) -> String? {
        let missing = plugin.summary.missingFeatures
        if !missing.isEmpty { return "it needs " + missing.joined(separator: ", ") }
        if case .refused(let reason)? = plugin.verdict?.outcome { return reason }
        return nil
    }

    /// Returns how a plugin crashed or hung, in its trial or in an earlier run; `nil` if it did not.
    private static func crash(of plugin: KnownPlugin, _ crashes: [PluginCrash]) -> String? {
        switch plugin.verdict?.outcome {
        case .crashes?, .hangs?: return "in its trial, it " + (plugin.verdict?.description ?? "")
        default: break
        }
        return crashes.first { $0.uri == plugin.summary.uri }
            .map { "an earlier run ended inside it, \($0.phrase)" }
    }
}
