package import Pipelines
internal import Processing

/// The settings of nodes that scenes have changed live.
///
/// Nodes are kept by their ids, so that the differences survive an edit of the file.
package struct SettingDifferences: Sendable, Equatable {
    private let differences: [Difference]

    private struct Difference: Equatable {
        let node: String
        let name: String
        let value: SettingValue?
        /// The value in the saved pipeline.
        let saved: SettingValue?
        /// The duration of a source with the live settings, in seconds.
        let durationSeconds: Double?
    }

    /// Compares settings that scenes name.
    ///
    /// - Parameters:
    ///   - saved: The pipeline of the file; the settings of its initial scene apply.
    ///   - live: The active pipeline.
    package init(from saved: Pipeline, to live: Pipeline) {
        let saved = saved.withSettingsAtLoad
        var found: [Difference] = []
        for setting in live.scenes.flatMap(\.settings) {
            let node = live.nodes[setting.node]
            guard let former = saved.nodes.first(where: { $0.id == node.id }),
                former.type == node.type, !node.isStandIn,
                former.settings[setting.name] != node.settings[setting.name]
            else { continue }
            let difference = Difference(
                node: node.id, name: setting.name, value: node.settings[setting.name],
                saved: former.settings[setting.name], durationSeconds: node.durationSeconds)
            if !found.contains(difference) { found.append(difference) }
        }
        differences = found
    }

    /// Whether no setting differs.
    package var isEmpty: Bool { differences.isEmpty }

    /// Returns a pipeline with the settings of its initial scene and these differences.
    ///
    /// A setting whose saved value has been edited is not changed.
    package func applied(to pipeline: Pipeline) -> Pipeline {
        let begun = pipeline.withSettingsAtLoad
        let settings = differences.compactMap { difference -> Pipeline.SceneSetting? in
            guard let index = begun.nodes.firstIndex(where: { $0.id == difference.node }),
                begun.nodes[index].settings[difference.name] == difference.saved
            else { return nil }
            return Pipeline.SceneSetting(
                node: index, name: difference.name, value: difference.value,
                durationSeconds: difference.durationSeconds)
        }
        return begun.applyingSettings(settings)
    }
}
