internal import Processing

/// Changes the list of files of a running player.
final class PlaylistEditor: SettingsFollower {
    private let files: PlaylistFiles
    private let opener: SoundOpener
    /// Whether the player has room for pages; otherwise, added files are loaded in full.
    private let hasPages: Bool

    /// Creates an editor.
    ///
    /// - Parameters:
    ///   - files: The files of the player.
    ///   - opener: Opens sound files.
    ///   - hasPages: Whether the player has room for pages.
    init(_ files: PlaylistFiles, opener: SoundOpener, hasPages: Bool) {
        self.files = files
        self.opener = opener
        self.hasPages = hasPages
    }

    func prepareChange(to request: ProcessorRequest) throws(PluginError) -> any SettingsChange {
        let settings = PlayerSettings(request.settings)
        guard !settings.items.isEmpty else { throw PluginError("there is no file to play") }
        let keys = settings.items.map { settings.key(of: $0, request) }
        let begun = files.beginChange(to: keys)
        // From here on, the end of the change frees the files that it has added.
        let change = PlaylistChange(files, number: begun.number)
        var added: [PlaylistFile] = []
        for (key, entry) in zip(keys, begun.entries) where entry == nil {
            added.append(
                try PlaylistFile(
                    key, opener: opener,
                    isClip: { !hasPages || settings.holdsClip(frameCount: $0, request.format) },
                    keepsOpen: false))
        }
        files.complete(change: begun.number, begun.entries, adding: added)
        return change
    }
}

/// A prepared change of a player's list of files.
private final class PlaylistChange: SettingsChange {
    private let files: PlaylistFiles
    private let number: Int

    init(_ files: PlaylistFiles, number: Int) {
        self.files = files
        self.number = number
    }

    deinit { files.withdraw(change: number) }

    func commit() { files.commit(change: number) }
}
