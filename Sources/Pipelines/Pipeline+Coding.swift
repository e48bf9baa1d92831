public import Processing

// A checked pipeline as data: a black box keeps it, so that a replay runs exactly the pipeline that
// has played. Descriptions are not kept; whoever decodes a pipeline has a catalogue that knows them.

/// The node types that a decoder looks up.
public struct PipelineDecoding: Sendable {
    /// The key in `Decoder.userInfo` of a value of this type.
    public static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "pipeline") }

    let catalogue: Catalogue
    let sampleRate: Double

    /// Creates the lookup.
    ///
    /// - Parameters:
    ///   - catalogue: The effects and plugins.
    ///   - sampleRate: The rate that the pipeline was checked for, in Hz.
    public init(_ catalogue: Catalogue, sampleRate: Double) {
        self.catalogue = catalogue
        self.sampleRate = sampleRate
    }

    /// Returns the description of a type; `nil` if it is not installed.
    func description(of type: Pipeline.NodeType) -> NodeDescription? {
        switch type {
        case .effect(let name): catalogue.effect(name)?.description
        case .plugin(let uri): try? catalogue.plugins.description(ofPlugin: uri)
        }
    }
}

extension Pipeline.Node: Codable {
    private enum Key: String, CodingKey {
        case id, type, instances, outputChannels, strips, values, settings, isBypassed, mix
        case isolation, sandbox, events, durationSeconds, isStandIn, unalignedInputs, offInputs
        case songInputs, isAlwaysBypassed, whenLate, isReduced
    }

    /// Writes everything except the descriptions.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(id, forKey: .id)
        try values.encode(type, forKey: .type)
        try values.encode(instances, forKey: .instances)
        try values.encode(outputChannels, forKey: .outputChannels)
        try values.encode(strips, forKey: .strips)
        try values.encode(self.values, forKey: .values)
        try values.encode(settings, forKey: .settings)
        try values.encode(isBypassed, forKey: .isBypassed)
        try values.encode(mix, forKey: .mix)
        try values.encode(isolation, forKey: .isolation)
        try values.encode(sandbox, forKey: .sandbox)
        try values.encode(events, forKey: .events)
        try values.encode(durationSeconds, forKey: .durationSeconds)
        try values.encode(isStandIn, forKey: .isStandIn)
        try values.encode(unalignedInputs.sorted(), forKey: .unalignedInputs)
        try values.encode(offInputs.sorted(), forKey: .offInputs)
        try values.encode(songInputs.sorted(), forKey: .songInputs)
        try values.encode(isAlwaysBypassed, forKey: .isAlwaysBypassed)
        try values.encodeIfPresent(whenLate, forKey: .whenLate)
        try values.encode(isReduced, forKey: .isReduced)
    }

    /// Reads a node, and looks its description up.
    ///
    /// A node of a plugin that is not installed passes its input through.
    public init(from decoder: any Decoder) throws {
        let data = try decoder.container(keyedBy: Key.self)
        let type = try data.decode(Pipeline.NodeType.self, forKey: .type)
        let strips = try data.decode([Pipeline.Strip].self, forKey: .strips)
        let values = try data.decode([Float].self, forKey: .values)
        let lookup =
            PipelineDecoding.key.flatMap { decoder.userInfo[$0] } as? PipelineDecoding
        let description = lookup?.description(of: type)
        var parameters: [ParameterDescription] = []
        if let lookup, let description {
            parameters = TypeDescription(description, sampleRate: lookup.sampleRate)
                .allParameters(strips: strips)
        }
        let isKnown = parameters.count == values.count && description != nil
        if !isKnown { parameters = values.indices.map(Self.unknownParameter) }
        self.init(
            id: try data.decode(String.self, forKey: .id), type: type,
            description: description ?? NodeDescription(name: "", label: "", summary: ""),
            instances: try data.decode([[Pipeline.Tap?]].self, forKey: .instances),
            outputChannels: try data.decode(Int.self, forKey: .outputChannels), strips: strips,
            parameters: parameters, values: values,
            settings: try data.decode([String: SettingValue].self, forKey: .settings),
            isBypassed: try data.decode(Bool.self, forKey: .isBypassed),
            mix: try data.decode(Float.self, forKey: .mix),
            isolation: try data.decode(Isolation.self, forKey: .isolation),
            events: try data.decode(Int?.self, forKey: .events),
            durationSeconds: try data.decode(Double?.self, forKey: .durationSeconds),
            sandbox: try data.decode(Sandbox.self, forKey: .sandbox),
            isStandIn: try data.decode(Bool.self, forKey: .isStandIn) || !isKnown)
        unalignedInputs = Set(try data.decode([Int].self, forKey: .unalignedInputs))
        offInputs = Set(try data.decode([Int].self, forKey: .offInputs))
        songInputs = Set(try data.decode([Int].self, forKey: .songInputs))
        isAlwaysBypassed = try data.decode(Bool.self, forKey: .isAlwaysBypassed)
        whenLate = try data.decodeIfPresent(WhenLate.self, forKey: .whenLate)
        isReduced = try data.decode(Bool.self, forKey: .isReduced)
    }

    /// Returns a description for a parameter of a type that is not installed.
    private static func unknownParameter(_ index: Int) -> ParameterDescription {
        ParameterDescription(
            "\(index)", range: -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude,
            default: 0)
    }
}

extension TypeDescription {
    /// Returns the parameters of the type, then those of each strip, named `<strip>.<name>`.
    func allParameters(strips: [Pipeline.Strip]) -> [ParameterDescription] {
        guard !strips.isEmpty else { return parameters }
        return parameters
            + strips.flatMap { strip in
                description.stripParameters.map { parameter in
                    var parameter = parameter
                    parameter.name = strip.name + "." + parameter.name
                    return parameter
                }
            }
    }
}
