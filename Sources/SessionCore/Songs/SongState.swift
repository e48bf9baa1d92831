package import Pipelines
internal import Processing

/// The state of a song that its file does not contain: the scene in effect, and the values and
/// settings that differ from the file with that scene.
///
/// Addresses are kept as text, so that the state survives an edit of the file. Triggers have no
/// value. The activity of a player, recorder or looper (`ParameterDescription.isTransport`) is not
/// part of the state.
package struct SongState: Sendable, Equatable {
    /// The name of the scene in effect; `nil` without one.
    package let scene: String?
    private let values: [Difference]
    private let settings: SettingDifferences

    /// A value that differs from the file.
    private struct Difference: Equatable {
        let address: String
        let value: Float
        /// The value in the file with the scene.
        let saved: Float
    }

    /// Creates the state of a song.
    ///
    /// - Parameters:
    ///   - values: The live values.
    ///   - scene: The name of the scene in effect; `nil` without one.
    ///   - file: The pipeline of the song, with the values from its file.
    package init(of values: LiveValues, scene: String?, file: Pipeline) {
        self.scene = scene
        let begun = file.beginning(withSceneNamed: scene)
        settings = SettingDifferences(from: begun, to: values.pipeline)
        let saved = ParameterValues(atStartOf: begun)
        self.values = values.differences(from: file, scene: scene).map {
            Difference(
                address: file.text(of: $0.address), value: $0.value, saved: saved[$0.address])
        }
    }

    private init(_ scene: String?, _ values: [Difference], _ settings: SettingDifferences) {
        (self.scene, self.values, self.settings) = (scene, values, settings)
    }

    /// Returns the state without the values of the outer nodes, which belong to no song.
    ///
    /// - Parameter file: The pipeline of the song.
    /// - Returns: The state.
    package func withoutOuterValues(of file: Pipeline) -> SongState {
        let own = values.filter { difference in
            guard case .success(let address) = file.address(difference.address) else { return true }
            return !file.isOuter(node: address.node)
        }
        return SongState(scene, own, settings)
    }

    /// Returns the changes from the file with the scene to this state.
    ///
    /// An address whose saved value has been edited since is not changed.
    ///
    /// - Parameter file: The pipeline of the song, which may have been edited.
    /// - Returns: The changes, with addresses of this pipeline.
    package func changes(in file: Pipeline) -> [Pipeline.Change] {
        let saved = ParameterValues(atStartOf: file.beginning(withSceneNamed: scene))
        return values.compactMap { difference in
            guard case .success(let address) = file.address(difference.address),
                saved[address] == difference.saved,
                file.parameter(at: address).allows(difference.value)
            else { return nil }
            return Pipeline.Change(address: address, value: difference.value)
        }
    }

    /// Returns a song's pipeline with the values of this state, and without an initial scene.
    ///
    /// - Parameter file: The pipeline of the song, which may have been edited.
    /// - Returns: The pipeline to begin with.
    package func resumed(_ file: Pipeline) -> Pipeline {
        var values = ParameterValues(atStartOf: file.beginning(withSceneNamed: scene))
        let atStart = ParameterValues(atStartOf: file)
        for address in file.addresses where file.parameter(at: address).isTransport {
            values[address] = atStart[address]
        }
        for change in changes(in: file) { values[change.address] = change.value }
        return settings.applied(to: file.beginning(withSceneNamed: scene)).starting(with: values)
    }
}

extension LiveValues {
    /// Returns the changes from a file with a scene to the current values, in the order of the file.
    ///
    /// - Parameters:
    ///   - file: The pipeline of the song, with the values from its file.
    ///   - scene: The name of the scene in effect; `nil` without one.
    ///   - includesTransport: Whether the changes contain the activity of players and recorders.
    /// - Returns: The changes, with addresses of `file`.
    package func differences(
        from file: Pipeline, scene: String?, includingTransport includesTransport: Bool = false
    ) -> [Pipeline.Change] {
        let saved = ParameterValues(atStartOf: file.beginning(withSceneNamed: scene))
        return changes(in: file, includingTransport: includesTransport) { saved[$0] != $1 }
    }

    /// Returns the current values that can be kept and saved and that meet a condition.
    ///
    /// - Parameters:
    ///   - file: The pipeline of the song, with the values from its file.
    ///   - includesTransport: Whether the values contain the activity of players and recorders.
    ///   - isNeeded: Returns whether a value is needed, from its address in `file`.
    /// - Returns: The values as changes of `file`.
    package func changes(
        in file: Pipeline, includingTransport includesTransport: Bool = false,
        where isNeeded: (Pipeline.Address, Float) -> Bool
    ) -> [Pipeline.Change] {
        let counterparts = counterparts(of: file)
        return file.addresses.compactMap { address in
            let parameter = file.parameter(at: address)
            guard !parameter.isTrigger, includesTransport || !parameter.isTransport,
                let live = self.address(for: address, counterparts), isNeeded(address, self[live])
            else { return nil }
            return Pipeline.Change(address: address, value: self[live])
        }
    }
}

extension Pipeline {
    /// Returns the pipeline with another initial scene; without one if it has no such scene.
    package func beginning(withSceneNamed name: String?) -> Pipeline {
        var result = self
        result.initialScene = name.flatMap { name in scenes.firstIndex { $0.name == name } }
        return result
    }
}

extension ParameterDescription {
    /// Returns whether a value that was allowed before an edit still is.
    fileprivate func allows(_ value: Float) -> Bool {
        if case .choice(let choices) = kind { return choices.contains { $0.value == value } }
        return range.contains(value)
    }
}
