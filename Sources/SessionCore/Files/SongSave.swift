public import Pipelines
internal import Processing

/// The live values of a song to write into its file.
public struct SongSave: Sendable, Equatable {
    /// The name of the song.
    public let song: String
    /// The path of its file.
    public let path: String
    /// The name of the scene that the values are written into; `nil` if each one is written where
    /// the file sets it.
    public let scene: String?
    /// The changes of the file's text: those of the values, then those of keys without an address.
    public let edits: [ValueEdit]
    /// The values, in the same order.
    public let values: [AddressValue]
    /// The values of the setlist's own nodes, for the file of the setlist; `nil` without any.
    public let setlist: SetlistSave?

    /// The live values of a setlist's own nodes to write into its file.
    public struct SetlistSave: Sendable, Equatable {
        /// The path of the setlist.
        public let path: String
        /// The changes of the file's text.
        public let edits: [ValueEdit]
        /// The values, in the same order.
        public let values: [AddressValue]
    }

    /// The destination of the values.
    package enum Destination: Equatable {
        /// The file: a value that the scene in effect sets goes into the scene, and any other one
        /// into its node.
        case file
        /// The scene in effect.
        case currentScene
        /// The scene with a name, which is created if it does not exist.
        case scene(String)
    }

    /// Collects the values of a song that its file does not contain.
    ///
    /// - Parameters:
    ///   - song: The song, with the values from its file.
    ///   - values: The live values.
    ///   - scene: The name of the scene in effect; `nil` without one.
    ///   - destination: The destination of the values.
    ///   - origin: The origin of the request. Another program does not save the parameters of a
    ///     node whose setting `remote` is off.
    /// - Throws: `Refusal` if nothing can be saved.
    package init(
        of song: Song, _ values: LiveValues, scene: String?, into destination: Destination,
        from origin: RequestOrigin
    ) throws(AddressSpace.Refusal) {
        guard !song.path.isEmpty else {
            throw .init(message: "\"\(song.name)\" has no file to save into")
        }
        let file = song.pipeline
        self.song = song.name
        path = song.path
        let all: [Pipeline.Change]
        switch destination {
        case .file:
            self.scene = nil
            all = values.differences(from: file, scene: scene)
        case .currentScene:
            guard let scene else {
                throw .init(message: "no scene is in effect; name one: save-scene NAME")
            }
            self.scene = scene
            all = values.changes(in: file, toSaveIntoScene: scene)
        case .scene(let name):
            guard !name.isEmpty else { throw .init(message: "a scene needs a name") }
            self.scene = name
            all = values.changes(in: file, toSaveIntoScene: name)
        }
        let allowed = all.filter { origin == .here || !file.refusesRemote($0.address) }
        guard !allowed.isEmpty else { throw Self.refusal(all.first, of: file) }
        let outer = allowed.filter { file.isOuter(node: $0.address.node) }
        let own = allowed.filter { !file.isOuter(node: $0.address.node) }
        guard !own.isEmpty || self.scene == nil else { throw Self.outerRefusal(outer, of: file) }
        setlist = self.scene == nil ? SetlistSave(outer, of: file) : nil
        let ownedByScene = file.sceneValues(self.scene == nil ? scene : nil)
        let valueEdits = own.map { [destinationScene = self.scene] change in
            let isOfScene = ownedByScene[change.address] != nil
            return ValueEdit(
                change, of: file, inScene: destinationScene ?? (isOfScene ? scene : nil))
        }
        edits = valueEdits + Self.gain(of: scene, forNewScene: self.scene, of: file)
        self.values = own.map {
            AddressValue(file.text(of: $0.address), file.value($0.value, at: $0.address))
        }
    }

    /// Returns the edit that gives a new scene the gain of the scene in effect, so that it sounds the
    /// same; a scene that exists keeps its own gain.
    private static func gain(
        of current: String?, forNewScene name: String?, of file: Pipeline
    ) -> [ValueEdit] {
        guard let name, !file.scenes.contains(where: { $0.name == name }),
            let gain = file.scenes.first(where: { $0.name == current })?.gainDecibels
        else { return [] }
        return [
            ValueEdit(
                .address("gain", scene: name), value: .number(gain), number: Float(gain))
        ]
    }

    private static func outerRefusal(
        _ changes: [Pipeline.Change], of file: Pipeline
    ) -> AddressSpace.Refusal {
        let name = changes.first.map { file.text(of: $0.address) } ?? ""
        return .init(
            message:
                "nothing to save into the scene: \"\(name)\" belongs to the setlist; save without a scene"
        )
    }

    private static func refusal(
        _ refused: Pipeline.Change?, of file: Pipeline
    ) -> AddressSpace.Refusal {
        guard let refused else {
            return .init(message: "nothing to save: all values are as in the file")
        }
        let id = file.nodes[refused.address.node].id
        return .init(
            message:
                "\"\(file.text(of: refused.address))\" cannot be saved by another program: the node \"\(id)\" has \"remote\": false; use the key s or a MIDI control"
        )
    }
}

extension SongSave.SetlistSave {
    /// Creates the part that concerns the setlist; `nil` without changes.
    fileprivate init?(_ changes: [Pipeline.Change], of file: Pipeline) {
        guard !changes.isEmpty, let outer = file.outer, !outer.path.isEmpty else { return nil }
        path = outer.path
        edits = changes.map { ValueEdit($0, of: file) }
        values = changes.map {
            AddressValue(file.text(of: $0.address), file.value($0.value, at: $0.address))
        }
    }
}

extension LiveValues {
    /// Returns the values to write into a scene: every value that differs from the node's own value
    /// or from the value in the scene.
    fileprivate func changes(
        in file: Pipeline, toSaveIntoScene name: String
    ) -> [Pipeline.Change] {
        let own = ParameterValues(atStartOf: file.beginning(withSceneNamed: nil))
        let former = file.sceneValues(name)
        return changes(in: file) { address, value in (former[address] ?? own[address]) != value }
    }
}

extension Pipeline {
    /// Returns the values of a scene; empty without the scene.
    fileprivate func sceneValues(_ name: String?) -> [Address: Float] {
        let changes = scenes.first { $0.name == name }?.changes ?? []
        return Dictionary(changes.map { ($0.address, $0.value) }) { $1 }
    }

    /// Returns whether other programs must not change the value of an address: a parameter of a
    /// node whose setting `remote` is off.
    package func refusesRemote(_ address: Address) -> Bool {
        guard case .parameter = address.target else { return false }
        return nodes[address.node].settings["remote"]?.toggle == false
    }
}
