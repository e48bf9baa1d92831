public import Processing

extension Pipeline {
    /// A new value of a node's setting, given by a scene.
    public struct SceneSetting: Sendable, Equatable, Codable {
        /// The index of the node in `nodes`.
        public var node: Int
        /// The name of the setting.
        public var name: String
        /// The value; `nil` removes the setting, so that its default applies.
        public var value: SettingValue?
        /// The duration of a source with this setting, in seconds; `nil` if it has no end or waits
        /// for a start.
        public var durationSeconds: Double?

        /// Creates a setting from its properties.
        public init(
            node: Int, name: String, value: SettingValue?, durationSeconds: Double? = nil
        ) {
            self.node = node
            self.name = name
            self.value = value
            self.durationSeconds = durationSeconds
        }
    }

    /// The largest number of variants that the scenes of a pipeline may give one node: the distinct
    /// combinations of its settings, with the one in the file.
    public static let maximumNodeVariants = 16
    /// The largest number of variants that the scenes may give all nodes together, in addition to
    /// the settings in the file.
    public static let maximumVariants = 64

    /// Returns the pipeline with some settings changed; a stand-in keeps its settings.
    public func applyingSettings(_ settings: [SceneSetting]) -> Pipeline {
        var result = self
        for setting in settings where !result.nodes[setting.node].isStandIn {
            result.nodes[setting.node].settings[setting.name] = setting.value
            result.nodes[setting.node].durationSeconds = setting.durationSeconds
        }
        return result
    }

    /// The pipeline with the settings of its initial scene and the values of the file.
    public var withSettingsAtLoad: Pipeline {
        guard let initialScene else { return self }
        return applyingSettings(scenes[initialScene].settings)
    }

    /// Whether any scene gives a node a setting.
    public var hasSettingsInScenes: Bool { scenes.contains { !$0.settings.isEmpty } }

    /// Returns whether a scene gives a node another setting than the node has.
    public func changesSettings(_ scene: Scene) -> Bool {
        scene.settings.contains {
            !nodes[$0.node].isStandIn && nodes[$0.node].settings[$0.name] != $0.value
        }
    }

    /// Returns the combinations of settings that scenes can give each node from its present ones.
    ///
    /// A scene changes only the settings that it names, so the combinations depend on the order in
    /// which the scenes are called.
    ///
    /// - Returns: The combinations by the index of the node, without the present one, at most
    ///   `maximumNodeVariants` for a node. Nodes without such combinations are missing.
    public var reachableSettings: [Int: [[String: SettingValue]]] {
        Self.settingSteps(of: scenes).reduce(into: [:]) { result, entry in
            let (node, steps) = entry
            guard !nodes[node].isStandIn else { return }
            let all = SettingCombinations(
                from: nodes[node].settings, steps: steps.map(\.settings))
            if all.combinations.count > 1 { result[node] = Array(all.combinations.dropFirst()) }
        }
    }

    /// Returns the settings that each scene gives each node, by the index of the node.
    static func settingSteps(
        of scenes: [Scene]
    ) -> [Int: [(scene: Int, settings: [SceneSetting])]] {
        var steps: [Int: [(scene: Int, settings: [SceneSetting])]] = [:]
        for (index, scene) in scenes.enumerated() {
            for (node, settings) in Dictionary(grouping: scene.settings, by: \.node) {
                steps[node, default: []].append((index, settings))
            }
        }
        return steps
    }
}

/// The combinations of settings that calls of scenes in any order can give a node.
struct SettingCombinations {
    /// The combinations, the present one first; no two are equal.
    private(set) var combinations: [[String: SettingValue]]
    /// Whether there are more combinations than a node may have.
    private(set) var areTooMany = false

    /// Finds the combinations.
    ///
    /// - Parameters:
    ///   - settings: The present settings.
    ///   - steps: The settings that each scene gives the node.
    ///   - isUsable: Returns whether a combination is valid, from its settings and the index of the
    ///     step that leads to it. Scenes that are called after an invalid one are not followed.
    init(
        from settings: [String: SettingValue], steps: [[Pipeline.SceneSetting]],
        isUsable: ([String: SettingValue], Int) -> Bool = { _, _ in true }
    ) {
        combinations = [settings]
        var unusable: [[String: SettingValue]] = []
        var next = 0
        while next < combinations.count {
            for (index, step) in steps.enumerated() {
                var changed = combinations[next]
                for setting in step { changed[setting.name] = setting.value }
                guard !combinations.contains(changed), !unusable.contains(changed) else { continue }
                guard isUsable(changed, index) else {
                    unusable.append(changed)
                    continue
                }
                guard combinations.count < Pipeline.maximumNodeVariants else {
                    areTooMany = true
                    return
                }
                combinations.append(changed)
            }
            next += 1
        }
    }
}
