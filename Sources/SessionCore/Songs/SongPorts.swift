internal import Engine
internal import Processing

extension EnginePorts {
    /// Creates the engine ports for all songs.
    ///
    /// - Throws: `SessionError.signals` if one name has two kinds, or the songs have too many
    ///   channels.
    init(of songs: [Song]) throws(SessionError) {
        self.init()
        for song in songs where !add(song.pipeline) {
            throw .signals(
                "the song \"\(song.name)\" gives an input or output a name that has another kind in an earlier song, or all songs together have more than \(EnginePorts.maximumChannels) channels"
            )
        }
    }

    /// Returns the engine ports that the current songs and edited ones need together, with the
    /// connection rules of the edited ones.
    ///
    /// - Throws: `PreparationError` if they are not compatible.
    func with(_ edited: [Song]) throws(PreparationError) -> EnginePorts {
        var result = self
        for song in edited where !result.add(song.pipeline) {
            throw PreparationError(
                node: song.name, plugin: "",
                cause: PluginError(
                    "its inputs and outputs are not compatible with the current ones"))
        }
        result.useRules(of: edited.map(\.pipeline))
        return result
    }
}
