internal import Pipelines
internal import Processing
internal import SessionCore

/// The part `pipeline`: the current song with its nodes, mixers and parameters.
struct PipelineJSON {
    private let pipeline: Pipeline
    private let path: String
    /// The index of each input port.
    private let inputPorts: [String: Int]
    /// The number of output channels of all nodes before each node.
    private let firstChannels: [Int]
    /// All songs; the first one that has a signal decides its connections.
    private let songs: [Song]
    /// The names of the inputs of all songs.
    private let inputNames: Set<String>

    /// Creates the part for the current song.
    init(_ description: SessionDescription) {
        pipeline = description.pipeline
        path =
            description.songs.indices.contains(description.song)
            ? description.songs[description.song].path : ""
        inputPorts = Dictionary(
            description.inputPorts.enumerated().map { ($1, $0) }
        ) { first, _ in first }
        var channels = 0
        firstChannels = description.pipeline.nodes.map { node in
            defer { channels += node.outputChannels }
            return channels
        }
        songs = description.songs
        inputNames = Set(
            (description.songs.map(\.pipeline) + [pipeline]).flatMap(\.inputs).map(\.name))
    }

    /// The object.
    var object: JSONValue {
        [
            "name": .string(pipeline.name), "summary": .string(pipeline.summary),
            "file": .string(path), "tempo": .number(pipeline.tempo),
            "inputs": .array(pipeline.inputs.map(input)),
            "outputs": .array(pipeline.outputs.map(output)),
            "nodes": .array(pipeline.nodes.indices.map(node)),
            "parameters": .array(Self.masterParameters + nodeParameters),
            "reports": .array(reports),
        ]
    }

    // MARK: Signals

    private func input(_ input: Pipeline.Input) -> JSONValue {
        [
            "name": .string(input.name), "kind": .string(input.kind.rawValue),
            "channels": .integer(input.channels),
            "ports": .array(Self.ports(input.name, input.channels).map { .string($0) }),
            "rules": rules(of: input.name, isInput: true),
        ]
    }

    /// Returns the connection rules that apply to a signal, with the file that contains them; null
    /// if no file does.
    private func rules(of signal: String, isInput: Bool) -> JSONValue {
        for song in songs {
            let pipeline = song.pipeline
            let rules =
                isInput
                ? pipeline.inputs.first { $0.name == signal }?.connect
                : pipeline.outputs.first { $0.name == signal }?.connect
            guard let rules else { continue }
            let file = pipeline.path(ofSignal: signal, isInput: isInput) ?? song.path
            guard !file.isEmpty else { return .null }
            return ["file": .string(file), "connect": .array(rules.map { .string($0.text) })]
        }
        return .null
    }

    private func output(_ output: Pipeline.Output) -> JSONValue {
        // No two ports have the same name; see `EnginePorts.Signal.portNames`.
        let portName = output.name + (inputNames.contains(output.name) ? "-out" : "")
        return [
            "name": .string(output.name), "kind": .string(output.kind.rawValue),
            "channels": .integer(output.channels),
            "ports": .array(Self.ports(portName, output.channels).map { .string($0) }),
            "from": .array(names(of: output.taps.compactMap { $0 }).map { .string($0) }),
            "rules": rules(of: output.name, isInput: false),
        ]
    }

    /// Returns the short names of a signal's ports; one for MIDI.
    private static func ports(_ name: String, _ channels: Int) -> [String] {
        channels <= 1 ? [name] : (1...channels).map { "\(name)_\($0)" }
    }

    /// Returns the names of the signals of taps, each once, in order.
    private func names(of taps: [Pipeline.Tap]) -> [String] {
        var names: [String] = []
        for tap in taps where !names.contains(name(of: tap.source)) {
            names.append(name(of: tap.source))
        }
        return names
    }

    private func name(of source: Pipeline.Source) -> String {
        switch source {
        case .input(let index): pipeline.inputs[index].name
        case .node(let index): pipeline.nodes[index].id
        }
    }

    // MARK: Nodes

    private func node(_ index: Int) -> JSONValue {
        let node = pipeline.nodes[index]
        let place = pipeline.place(ofNode: index, inSong: path)
        let taps = node.instances.flatMap { $0 }.compactMap { $0 }
        return [
            "id": .string(node.id), "type": .string(Self.type(of: node)),
            "label": .string(node.description.label),
            "category": .string(node.description.category),
            "summary": .string(node.description.summary), "plugin": .bool(Self.isPlugin(node)),
            "stand_in": .bool(node.isStandIn), "remote": .bool(Self.admitsRemote(node)),
            "channels": .integer(node.outputChannels),
            "from": .array(names(of: taps).map { .string($0) }),
            "strips": .array(strips(of: node)),
            "place": place.path.isEmpty
                ? .null
                : [
                    "file": .string(place.path),
                    "pointer": .string("/\(place.key)/\(place.index)"),
                ], "files": .array(Self.fileSettings(of: node)),
        ]
    }

    /// Returns the settings of a node that name files, with the paths that they have now.
    private static func fileSettings(of node: Pipeline.Node) -> [JSONValue] {
        node.description.settings.compactMap { setting in
            let isList = setting.kind == .playlist
            guard isList || setting.kind == .path else { return nil }
            let value = node.settings[setting.name]
            let paths = isList ? value?.playlist?.map(\.path) : value?.text.map { [$0] }
            return [
                "setting": .string(setting.name), "summary": .string(setting.summary),
                // A built-in effect reads sound files only.
                "kind": isPlugin(node) ? .null : .string(LibraryFileKind.sound.rawValue),
                "list": .bool(isList), "paths": .array((paths ?? []).map { .string($0) }),
            ]
        }
    }

    private static func type(of node: Pipeline.Node) -> String {
        switch node.type {
        case .effect(let name): name
        case .plugin(let uri): uri
        }
    }

    private static func isPlugin(_ node: Pipeline.Node) -> Bool {
        if case .plugin = node.type { true } else { false }
    }

    private static func admitsRemote(_ node: Pipeline.Node) -> Bool {
        node.settings["remote"]?.toggle != false
    }

    private func strips(of node: Pipeline.Node) -> [JSONValue] {
        var first = 0
        let inputs = node.instances.first ?? []
        return node.strips.map { strip in
            let end = min(inputs.count, first + strip.channels)
            let taps = inputs[min(first, end)..<end].compactMap { $0 }
            first = end
            let names = names(of: taps)
            return [
                "name": .string(strip.name), "channels": .integer(strip.channels),
                "source": .optional(names.count == 1 ? names[0] : nil),
                "meters": .array(taps.compactMap(meter)),
                "node_meters": .array(taps.compactMap(nodeMeter)),
            ]
        }
    }

    /// Returns the index in the part `meters` of the channel that a tap takes; `nil` for the signal
    /// of a node.
    private func meter(of tap: Pipeline.Tap) -> JSONValue? {
        guard case .input(let index) = tap.source else { return nil }
        let input = pipeline.inputs[index]
        let ports = Self.ports(input.name, input.channels)
        guard ports.indices.contains(tap.channel) else { return nil }
        return inputPorts[ports[tap.channel]].map { .integer($0) }
    }

    /// Returns the index in the part `node_meters` of the channel that a tap takes; `nil` for the
    /// signal of an input.
    private func nodeMeter(of tap: Pipeline.Tap) -> JSONValue? {
        guard case .node(let index) = tap.source else { return nil }
        return .integer(firstChannels[index] + tap.channel)
    }

    // MARK: Parameters

    private static let masterParameters: [JSONValue] = [
        ParameterJSON(
            address: "tempo",
            ParameterDescription(
                "tempo", label: "Tempo", summary: "The tempo.", unit: .beatsPerMinute,
                range: range(of: "tempo"), default: 120)
        ).object,
        ParameterJSON(
            address: "gain",
            ParameterDescription(
                "gain", label: "Gain", summary: "The gain of all outputs; -120 dB is silence.",
                unit: .decibels, range: range(of: "gain"), default: 0)
        ).object,
        ParameterJSON(
            address: "mute",
            .toggle("mute", label: "Mute", summary: "Silences all outputs.")
        ).object,
    ]

    private static func range(of address: String) -> ClosedRange<Float> {
        let range = SessionDescription.ranges[address] ?? 0...1
        return Float(range.lowerBound)...Float(range.upperBound)
    }

    private var nodeParameters: [JSONValue] {
        pipeline.addresses.map { address in
            let node = pipeline.nodes[address.node]
            let parameter = pipeline.parameter(at: address)
            var json = ParameterJSON(address: pipeline.text(of: address), parameter)
            json.node = node.id
            if case .parameter = address.target {
                json.strip = Self.strip(of: parameter.name, in: node)
                json.admitsRemote = Self.admitsRemote(node)
            }
            return json.object
        }
    }

    /// Returns the name of the strip to which a parameter belongs: the longest one that begins its
    /// name.
    private static func strip(of name: String, in node: Pipeline.Node) -> String? {
        node.strips.map(\.name).filter { name.hasPrefix($0 + ".") }.max { $0.count < $1.count }
    }

    private var reports: [JSONValue] {
        pipeline.nodes.indices.flatMap { node in
            pipeline.nodes[node].description.allReports.indices.map { report in
                self.report(Pipeline.ReportAddress(node: node, report: report))
            }
        }
    }

    private func report(_ address: Pipeline.ReportAddress) -> JSONValue {
        let node = pipeline.nodes[address.node]
        let report = node.description.allReports[address.report]
        let isText = address.report >= node.description.reports.count
        return [
            "address": .string(pipeline.text(of: address)), "name": .string(report.name),
            "node": .string(node.id), "label": .string(report.label),
            "unit": .string(report.unit.rawValue),
            "kind": .string(isText ? "text" : Self.kind(of: report)),
            "choices": Self.choices(of: report),
        ]
    }

    private static func kind(of report: ReportDescription) -> String {
        switch report.kind {
        case .number: "number"
        case .toggle: "toggle"
        case .choice: "choice"
        }
    }

    private static func choices(of report: ReportDescription) -> JSONValue {
        guard case .choice(let names) = report.kind else { return .null }
        return .array(names.map { .string($0) })
    }
}
