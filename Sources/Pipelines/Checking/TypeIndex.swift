internal import Processing

/// The descriptions of node types by name; each plugin is looked up only once.
final class TypeIndex {
    let effectNames: Set<String>
    private let catalogue: Catalogue
    private let sampleRate: Double
    private var effects: [String: TypeDescription] = [:]
    private var plugins: [String: Result<TypeDescription, PluginError>] = [:]
    private static let maximumSearches = 20
    private var namedPlugins: [String: [String]] = [:]
    private var matchedWords: [String: Bool] = [:]
    /// All installed plugins, for suggestions.
    private(set) lazy var installedPlugins = catalogue.plugins.installedPlugins()

    init(_ catalogue: Catalogue, sampleRate: Double) {
        self.catalogue = catalogue
        self.sampleRate = sampleRate
        effectNames = Set(catalogue.effects.map(\.description.name))
        for effect in catalogue.effects {
            effects[effect.description.name] = TypeDescription(
                effect.description, sampleRate: sampleRate)
        }
    }

    func effect(_ name: String) -> TypeDescription? { effects[name] }

    /// The names of the built-in effects that receive MIDI, sorted.
    var effectsWithEvents: [String] {
        effects.values.map(\.description).filter(\.receivesEvents).map(\.name).sorted()
    }

    /// The resources that pipelines may use in addition to audio.
    var permissions: Permissions { catalogue.permissions }

    /// Returns the facts that follow from an effect's settings.
    func facts(
        ofEffect name: String, _ settings: [String: SettingValue]
    ) -> Result<SettingFacts, SettingError> {
        guard let effect = catalogue.effect(name) else { return .success(SettingFacts()) }
        do throws(SettingError) {
            return .success(try effect.inspect(settings))
        } catch {
            return .failure(error)
        }
    }

    func plugin(_ uri: String) -> Result<TypeDescription, PluginError> {
        if let known = plugins[uri] { return known }
        let result: Result<TypeDescription, PluginError>
        do throws(PluginError) {
            let description = try catalogue.plugins.description(ofPlugin: uri)
            result = .success(
                TypeDescription(description, sampleRate: sampleRate, isPlugin: true))
        } catch {
            result = .failure(error)
        }
        plugins[uri] = result
        return result
    }

    /// Returns the URIs of the installed plugins with a name; empty for a text that looks like a
    /// URI.
    func plugins(named name: String) -> [String] {
        guard !name.isEmpty, !name.contains("://"), !name.hasPrefix("urn:") else { return [] }
        return search(name, in: &namedPlugins, otherwise: []) {
            catalogue.plugins.plugins(named: name)
        }
    }

    /// Returns whether `stompline plugins` finds an installed plugin for a word.
    func hasPlugins(matching word: String) -> Bool {
        search(word, in: &matchedWords, otherwise: false) {
            catalogue.plugins.hasPlugins(matching: word)
        }
    }

    /// Returns the result of a search, which is slow: each text is searched once, and a file with
    /// very many unknown names is not searched to its end.
    private func search<Found>(
        _ text: String, in known: inout [String: Found], otherwise: Found, _ body: () -> Found
    ) -> Found {
        if let found = known[text] { return found }
        guard known.count < Self.maximumSearches else { return otherwise }
        let found = body()
        known[text] = found
        return found
    }

    /// Returns the values of a preset by parameter name.
    func values(ofPreset preset: String, of uri: String) -> Result<[String: Float], PluginError> {
        do throws(PluginError) {
            return .success(
                try catalogue.plugins.parameters(ofPreset: preset, ofPlugin: uri))
        } catch {
            return .failure(error)
        }
    }
}

/// The description of a node type, with its names indexed.
final class TypeDescription {
    let description: NodeDescription
    let isPlugin: Bool
    /// The parameters, with their ranges at the current sample rate.
    let parameters: [ParameterDescription]
    let parameterIndex: [String: Int]
    let stripParameterIndex: [String: Int]
    let settings: [String: SettingDescription]

    init(_ description: NodeDescription, sampleRate: Double, isPlugin: Bool = false) {
        self.description = description
        self.isPlugin = isPlugin
        parameters = description.parameters.map { $0.atSampleRate(sampleRate) }
        parameterIndex = Self.index(parameters.map(\.name))
        stripParameterIndex = Self.index(description.stripParameters.map(\.name))
        let settings = description.settings + (isPlugin ? [PipelineKeys.preset] : [])
        self.settings = Dictionary(settings.map { ($0.name, $0) }) { first, _ in first }
    }

    private static func index(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
    }

    /// The audio ports of a type with fixed ports; otherwise `nil`.
    var ports: (inputs: [PortDescription], outputs: [PortDescription])? {
        if case .ports(let inputs, let outputs) = description.channels {
            (inputs, outputs)
        } else {
            nil
        }
    }

    var isMixer: Bool { description.channels == .mixer }
    /// Whether the type has no audio inputs.
    var isSource: Bool {
        description.channels == .source || ports?.inputs.audioIndices.isEmpty == true
    }
}

extension ParameterDescription {
    /// Returns the parameter with its range at `sampleRate`, in the unit of the value.
    func atSampleRate(_ sampleRate: Double) -> ParameterDescription {
        guard rangeScalesWithRate else { return self }
        var scaled = self
        scaled.range =
            Self.scaled(
                range.lowerBound, sampleRate)...Self.scaled(
                range.upperBound, sampleRate)
        scaled.rangeScalesWithRate = false
        return scaled
    }

    /// Returns a multiple of the sample rate, based on the decimal text of the float.
    private static func scaled(_ multiple: Float, _ sampleRate: Double) -> Float {
        Float((Double(multiple.description) ?? Double(multiple)) * sampleRate)
    }
}
