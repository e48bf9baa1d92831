package import Pipelines

/// The songs of a session, the current one, and the scene in effect.
package struct SongList {
    /// The name of the pipeline or the setlist.
    package private(set) var name: String
    /// All songs, in order.
    package private(set) var songs: [Song]
    /// Whether the songs come from a setlist.
    package private(set) var isSetlist: Bool
    /// The tolerated errors of the setlist that concern no song.
    private var commonProblems: [Problem]
    /// The path of the setlist; empty for a single pipeline, or without a file.
    package private(set) var setlistPath: String
    /// The index of the current song.
    package private(set) var index: Int
    /// The name of the scene in effect; `nil` before the first one.
    package private(set) var scene: String?
    /// Whether a song that begins again has the scene and the live values that it was left with.
    package private(set) var keepsValues: Bool
    /// The states of songs that were left.
    private var keptStates: [SongKey: SongState] = [:]
    /// The indices of songs that could not be prepared, until they are edited or requested again.
    private var unpreparable: Set<Int> = []

    /// Identifies a song in edited setlists, in which its index may differ.
    private struct SongKey: Hashable {
        let name: String
        /// The number of earlier songs with the same name.
        let occurrence: Int

        init(of index: Int, in songs: [Song]) {
            name = songs[index].name
            occurrence = songs[..<index].count { [name] in $0.name == name }
        }

        private init(name: String, occurrence: Int) {
            self.name = name
            self.occurrence = occurrence
        }

        /// Returns the keys of all songs, which needs less time than one after another.
        static func all(of songs: [Song]) -> Set<SongKey> {
            var counts: [String: Int] = [:]
            return songs.reduce(into: []) { keys, song in
                keys.insert(SongKey(name: song.name, occurrence: counts[song.name, default: 0]))
                counts[song.name, default: 0] += 1
            }
        }
    }

    /// Creates a list of songs.
    ///
    /// - Parameters:
    ///   - collection: The songs, at least one.
    ///   - index: The index of the first current song.
    ///   - scene: The index of its first scene; `nil` for its initial scene.
    package init(_ collection: SongCollection, index: Int = 0, scene: Int? = nil) {
        (name, songs, isSetlist) = (collection.name, collection.songs, collection.isSetlist)
        (keepsValues, commonProblems) = (collection.keepsValues, collection.commonProblems)
        setlistPath = collection.setlistPath
        self.index = index
        self.scene =
            scene.map { collection.songs[index].pipeline.scenes[$0].name }
            ?? songs[index].initialSceneName
    }

    /// The current song.
    package var current: Song { songs[index] }

    /// The names of all songs.
    package var names: [String] { songs.map(\.name) }

    /// The index of the scene in effect among the scenes of the current song's file; `nil` without
    /// one.
    package var sceneIndexInEffect: Int? {
        current.pipeline.scenes.firstIndex { $0.name == scene }
    }

    /// The songs as a collection.
    package var collection: SongCollection {
        SongCollection(
            name: name, songs: songs, isSetlist: isSetlist, keepsValues: keepsValues,
            commonProblems: commonProblems, setlistPath: setlistPath)
    }

    /// The overview that watchers receive.
    package var overview: SessionOverview { SessionOverview(of: collection, song: index) }

    /// Returns the indices of the playable songs next to a song: the following one, then the
    /// preceding one.
    package func neighbours(of index: Int) -> [Int] {
        [step(from: index, by: 1).song, step(from: index, by: -1).song].compactMap(\.self)
    }

    /// Returns the next playable song in a direction.
    ///
    /// - Parameters:
    ///   - start: The index of a song.
    ///   - direction: 1 for the following songs, -1 for the preceding ones.
    ///   - wraps: Whether the list continues at its other end.
    /// - Returns: The index of the next song that can play, `nil` without one; and the indices of
    ///   the songs before it that cannot play.
    package func step(
        from start: Int, by direction: Int, wraps: Bool = false
    ) -> (song: Int?, skipped: [Int]) {
        var skipped: [Int] = []
        for distance in 1..<max(1, songs.count + 1) {
            var next = start + direction * distance
            if wraps { next = (next % songs.count + songs.count) % songs.count }
            guard songs.indices.contains(next), next != start else { break }
            if songs[next].isPlayable { return (next, skipped) }
            skipped.append(next)
        }
        return (nil, skipped)
    }

    /// The neighbours of the current song whose preparation has not failed.
    package var preparableNeighbours: [Int] {
        neighbours(of: index).filter { !unpreparable.contains($0) }
    }

    /// Remembers that a song could not be prepared.
    package mutating func markUnpreparable(_ index: Int) { unpreparable.insert(index) }

    /// Allows another attempt to prepare a song.
    package mutating func allowPreparation(of index: Int) { unpreparable.remove(index) }

    /// Makes a song the current one, with the scene that it was left with or its initial scene.
    package mutating func select(_ index: Int) {
        self.index = index
        guard let kept = keptStates[key(of: index)] else {
            scene = current.initialSceneName
            return
        }
        scene = kept.scene
        forgetMissingScene()
    }

    // MARK: Kept states

    /// Keeps the state of the current song until it begins again, if the setlist wants that.
    package mutating func keep(_ state: SongState) {
        if keepsValues { keptStates[key(of: index)] = state }
    }

    /// Forgets the states of all songs.
    package mutating func forgetStates() { keptStates = [:] }

    /// Returns the pipeline that a song begins with: with the values that it was left with, or as
    /// in its file.
    package func beginning(of index: Int) -> Pipeline {
        let file = songs[index].pipeline
        return keptStates[key(of: index)]?.resumed(file) ?? file
    }

    /// Returns the index of the scene that is in effect when a song begins; `nil` without one.
    package func sceneIndex(atBeginningOf index: Int) -> Int? {
        let pipeline = songs[index].pipeline
        guard let kept = keptStates[key(of: index)] else { return pipeline.initialScene }
        return pipeline.scenes.firstIndex { $0.name == kept.scene }
    }

    private func key(of index: Int) -> SongKey { SongKey(of: index, in: songs) }

    private mutating func forgetMissingStates() {
        guard !keptStates.isEmpty else { return }
        let keys = SongKey.all(of: songs)
        keptStates = keepsValues ? keptStates.filter { keys.contains($0.key) } : [:]
    }

    // MARK: Edits

    /// Remembers the scene in effect.
    package mutating func setScene(_ name: String) { scene = name }

    /// Returns the index of the current song among edited songs, found by name or else by position;
    /// if that song cannot play, the index of the nearest one that can.
    ///
    /// If several songs have its name, their order decides: the second one remains the second one.
    package func index(among edited: [Song]) -> Int {
        let sameName = edited.indices.filter { edited[$0].name == current.name }
        let occurrence = key(of: index).occurrence
        if sameName.indices.contains(occurrence), edited[sameName[occurrence]].isPlayable {
            return sameName[occurrence]
        }
        if let same = sameName.first(where: { edited[$0].isPlayable }) { return same }
        let position = min(index, edited.count - 1)
        return edited.indices.filter { edited[$0].isPlayable }
            .min { abs($0 - position) < abs($1 - position) } ?? position
    }

    /// Replaces the songs with edited ones.
    ///
    /// Call `forgetMissingScene` if the edit may have removed the scene in effect.
    package mutating func replace(with edited: SongCollection) {
        index = index(among: edited.songs)
        (songs, isSetlist) = (edited.songs, edited.isSetlist)
        adoptHead(of: edited)
        unpreparable = []
    }

    /// Adopts the name of the pipeline or the setlist, the errors that concern no song, and whether
    /// songs keep their values, but not the songs.
    package mutating func adoptHead(of edited: SongCollection) {
        (name, commonProblems) = (edited.name, edited.commonProblems)
        setlistPath = edited.setlistPath
        keepsValues = edited.keepsValues
        forgetMissingStates()
    }

    /// Forgets the scene in effect if the current song does not have it.
    package mutating func forgetMissingScene() {
        if !current.pipeline.scenes.contains(where: { $0.name == scene }) { scene = nil }
    }

    /// Returns the index of the scene a number of steps away; `nil` if it does not exist.
    ///
    /// - Parameters:
    ///   - steps: 1 for the next scene, -1 for the previous one.
    ///   - scenes: The scenes of the active pipeline.
    ///   - start: The name of the scene to start from; `nil` for the one in effect.
    ///   - wraps: Whether the list continues at its other end.
    /// - Returns: The index among the scenes.
    package func sceneIndex(
        stepping steps: Int, in scenes: [Pipeline.Scene], from start: String? = nil,
        wraps: Bool = false
    ) -> Int? {
        guard !scenes.isEmpty else { return nil }
        let present = scenes.firstIndex { $0.name == start ?? scene }
        var next = present.map { $0 + steps } ?? (steps > 0 ? 0 : scenes.count - 1)
        if wraps { next = (next % scenes.count + scenes.count) % scenes.count }
        return scenes.indices.contains(next) ? next : nil
    }
}

extension Song {
    /// The name of the scene in effect when the song begins; `nil` without an initial scene.
    fileprivate var initialSceneName: String? {
        pipeline.initialScene.map { pipeline.scenes[$0].name }
    }
}
