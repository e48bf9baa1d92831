/// The target of a learned control: the key of the binding, and its value.
public struct LearnedTarget: Sendable, Equatable {
    /// The kind of target, which is the key of the binding.
    enum Key: String {
        case to, action, scene, song
    }

    let key: Key
    let value: String

    /// Parses the text of a target: an address such as `verb.mix` or `gain`, an action such as
    /// `next-song`, or `scene:` or `song:` and a name.
    public init(_ text: String) {
        if Pipeline.Binding.Command(rawValue: text) != nil {
            (key, value) = (.action, text)
            return
        }
        for key in [Key.scene, .song] where text.hasPrefix(key.rawValue + ":") {
            self.key = key
            value = String(text.dropFirst(key.rawValue.count + 1))
            return
        }
        (key, value) = (.to, text)
    }

    /// The name of a scene; `nil` for another target.
    public var scene: String? { key == .scene ? value : nil }

    /// The name of a song; `nil` for another target.
    public var song: String? { key == .song ? value : nil }

    /// Whether the target exists only in one song, so that the file of the song has the binding.
    public var belongsToSong: Bool {
        switch key {
        case .scene: true
        case .to: MasterValue(rawValue: value) == nil
        case .action, .song: false
        }
    }

    /// Whether presses select the target, which has no value.
    public var needsPresses: Bool { key != .to }
}
