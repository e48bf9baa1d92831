internal import Processing

/// Returns the symbol of the port for a name.
func portSymbol(_ name: String) -> String { String(name.map { $0 == "-" ? "_" : $0 }) }

/// A port of a plugin in the bundle.
enum PluginPort {
    case audio(isInput: Bool, AudioChannel)
    case parameter(ParameterDescription)
    /// If this is off, the plugin outputs the dry signal.
    case enabled
    case latency
    /// A value that the plugin measures.
    case report(ReportDescription)
    case events(BundledPlugin.EventKind)

    /// Returns the statements about a port of the plugin with a URI.
    func turtle(index: Int, of uri: String) -> [String] {
        let groups = group.map { ["pg:group <\($0.uri(of: uri))>"] } ?? []
        let start = ["a \(types)", "lv2:index \(index)"] + groups
        switch self {
        case .audio(let isInput, let channel):
            return start + [
                "lv2:symbol \(quoted((isInput ? "in" : "out") + channel.symbolEnding))",
                "lv2:name \(quoted((isInput ? "In" : "Out") + channel.nameEnding))",
            ] + (channel.designation.map { ["lv2:designation \($0)"] } ?? [])
        case .parameter(let parameter): return start + statements(about: parameter)
        case .report(let report):
            return start + [
                "lv2:symbol \(quoted(portSymbol(report.name)))", "lv2:name \(quoted(report.label))",
            ] + unit(report.unit)
        case .events(let kind):
            return start + [
                "lv2:symbol \"events\"", "lv2:name \(quoted(kind.name))",
                "rdfs:comment \(quoted(kind.summary))", "atom:bufferType atom:Sequence",
                "atom:supports \(kind.type)", "lv2:designation lv2:control",
                "lv2:portProperty lv2:connectionOptional",
            ]
        case .enabled:
            return start + [
                "lv2:symbol \"enabled\"", "lv2:name \"Enabled\"", "lv2:default 1",
                "lv2:minimum 0", "lv2:maximum 1", "lv2:designation lv2:enabled",
                "lv2:portProperty lv2:toggled",
            ]
        case .latency:
            return start + [
                "lv2:symbol \"latency\"", "lv2:name \"Latency\"", "lv2:minimum 0",
                "lv2:designation lv2:latency",
                "lv2:portProperty lv2:reportsLatency , lv2:integer", "units:unit units:frame",
            ]
        }
    }

    /// The group that the port belongs to; `nil` without one.
    var group: PortGroup? {
        switch self {
        case .audio(_, .mono), .enabled, .latency, .report, .events: nil
        case .audio(true, _):
            PortGroup(symbol: "in", name: "In", types: "pg:InputGroup , pg:StereoGroup")
        case .audio(false, _):
            PortGroup(symbol: "out", name: "Out", types: "pg:OutputGroup , pg:StereoGroup")
        case .parameter(let parameter):
            parameter.group.isEmpty
                ? nil
                : PortGroup(
                    symbol: portSymbol(parameter.group.lowercased().replacingSpaces),
                    name: parameter.group, types: "pg:InputGroup")
        }
    }

    private var types: String {
        switch self {
        case .audio(true, _): "lv2:InputPort , lv2:AudioPort"
        case .audio(false, _): "lv2:OutputPort , lv2:AudioPort"
        case .parameter, .enabled: "lv2:InputPort , lv2:ControlPort"
        case .latency, .report: "lv2:OutputPort , lv2:ControlPort"
        case .events: "lv2:InputPort , atom:AtomPort"
        }
    }

    private func statements(about parameter: ParameterDescription) -> [String] {
        [
            "lv2:symbol \(quoted(portSymbol(parameter.name)))",
            "lv2:name \(quoted(parameter.label))", "rdfs:comment \(quoted(parameter.summary))",
            "lv2:default \(parameter.defaultValue)",
            "lv2:minimum \(parameter.range.lowerBound)",
            "lv2:maximum \(parameter.range.upperBound)",
        ] + properties(of: parameter.kind)
            + (parameter.isTrigger ? ["lv2:portProperty pprops:trigger"] : [])
            + unit(parameter.unit)
    }

    private func properties(of kind: ParameterDescription.Kind) -> [String] {
        switch kind {
        case .continuous(.linear): []
        case .continuous(.logarithmic): ["lv2:portProperty pprops:logarithmic"]
        case .integer: ["lv2:portProperty lv2:integer"]
        case .toggle: ["lv2:portProperty lv2:toggled"]
        case .choice(let choices):
            ["lv2:portProperty lv2:enumeration , lv2:integer"]
                + choices.map {
                    "lv2:scalePoint [ rdfs:label \(quoted($0.name)) ; rdf:value \($0.value) ]"
                }
        }
    }

    private func unit(_ unit: Unit) -> [String] {
        let name: String? =
            switch unit {
            case .decibels: "db"
            case .hertz: "hz"
            case .seconds: "s"
            case .milliseconds: "ms"
            case .semitones: "semitone12TET"
            case .cents: "cent"
            case .beats: "beat"
            case .beatsPerMinute: "bpm"
            case .percent: "pc"
            case .frames: "frame"
            case .degrees: "degree"
            case .octaves: "oct"
            case .ratio: "coef"
            case .none: nil
            }
        return name.map { ["units:unit units:\($0)"] } ?? []
    }
}

extension BundledPlugin.EventKind {
    fileprivate var name: String {
        switch self {
        case .notes: "MIDI"
        case .tempo: "Tempo"
        }
    }

    fileprivate var summary: String {
        switch self {
        case .notes: "The notes that are held, with the sustain pedal."
        case .tempo: "The tempo of beats; 120 beats per minute if the host sends none."
        }
    }

    fileprivate var type: String {
        switch self {
        case .notes: "midi:MidiEvent"
        case .tempo: "time:Position"
        }
    }
}

/// Ports that belong together.
struct PortGroup: Hashable {
    let symbol: String
    let name: String
    let types: String

    /// Returns the URI of the group in a plugin.
    func uri(of plugin: String) -> String { "\(plugin)#group-\(symbol)" }

    /// Returns the statements about the group.
    func turtle(of plugin: String) -> String {
        """
        <\(uri(of: plugin))>
            a \(types) ;
            lv2:name \(quoted(name)) ;
            lv2:symbol \(quoted(symbol)) .

        """
    }
}

extension String {
    fileprivate var replacingSpaces: String { String(map { $0 == " " ? "_" : $0 }) }
}

/// The channel of an audio port.
enum AudioChannel: CaseIterable {
    case mono, left, right

    /// Returns the channels of a plugin with 1 or 2 channels.
    static func all(of count: Int) -> [AudioChannel] { count == 1 ? [.mono] : [.left, .right] }

    fileprivate var symbolEnding: String {
        switch self {
        case .mono: ""
        case .left: "_l"
        case .right: "_r"
        }
    }

    /// The property of the channel in a stereo group.
    fileprivate var designation: String? {
        switch self {
        case .mono: nil
        case .left: "pg:left"
        case .right: "pg:right"
        }
    }

    fileprivate var nameEnding: String {
        switch self {
        case .mono: ""
        case .left: " left"
        case .right: " right"
        }
    }
}
