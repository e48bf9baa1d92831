internal import ArgumentParser
internal import Pipelines
internal import Platform
internal import Proof
internal import SessionCore

/// The gains that `prove --fix-levels` writes: those of songs into the setlist, and those of scenes
/// into the files of the songs.
struct LevelFix {
    /// The gains to change.
    enum Scope: String, CaseIterable {
        case songs, scenes, all

        /// Whether the gains of scenes are among them.
        var hasScenes: Bool { self != .songs }
        /// Whether the gains of songs are among them.
        var hasSongs: Bool { self != .scenes }
    }

    private let songGains: [SongGain]
    private let sceneGains: [SceneGain]
    private let songs: SongCollection

    init(_ night: PlayedNight, _ scope: Scope) {
        songs = night.songs
        sceneGains = scope.hasScenes ? SceneGain.all(of: night) : []
        songGains =
            scope.hasSongs && songs.isSetlist ? SongGain.all(of: night, after: sceneGains) : []
    }

    /// The texts of the files before the night was played.
    struct Texts {
        private let setlist: (file: String, text: PipelineText)?
        private let pipelines: [String: PipelineText]
        private let check: EditCheck

        /// Reads the setlist, or the single pipeline, and the files of all songs.
        ///
        /// - Throws: `Failure` if a file cannot be read.
        init(of songs: SongCollection, file: String, _ scope: Scope, check: EditCheck) throws {
            self.check = check
            func text(of path: String) throws -> PipelineText {
                do {
                    return try PipelineText(ofFile: path)
                } catch {
                    throw Failure("\(path): \(error.message)", .unreadableFile)
                }
            }
            setlist = scope.hasSongs && songs.isSetlist ? (file, try text(of: file)) : nil
            var pipelines: [String: PipelineText] = [:]
            for song in songs.songs where scope.hasScenes && song.isPlayable && !song.path.isEmpty {
                if pipelines[song.path] == nil { pipelines[song.path] = try text(of: song.path) }
            }
            self.pipelines = pipelines
        }

        /// Writes gains into the setlist.
        fileprivate func write(_ gains: [SongGain]) throws {
            guard let setlist else { return }
            let changes = gains.map {
                (gain: $0.change.decibels, at: ["songs", "\($0.song)", "gain"])
            }
            try write(changes, to: setlist.file, over: setlist.text)
        }

        /// Writes gains of scenes into the file of a song.
        fileprivate func write(_ gains: [SceneGain], to path: String) throws {
            guard let text = pipelines[path] else { return }
            let changes = gains.map {
                (gain: $0.change.decibels, at: ["scenes", $0.scene, "gain"])
            }
            try write(changes, to: path, over: text)
        }

        /// Writes gains into a file if they add no error; all other bytes remain.
        private func write(
            _ gains: [(gain: Double, at: [String])], to path: String, over old: PipelineText
        ) throws {
            guard !gains.isEmpty else { return }
            do {
                let operations = gains.map { gain, tokens in
                    JSONPatch.Operation(
                        .add(JSONFragment(.number(gain))), at: JSONPointer(tokens: tokens))
                }
                let new = try old.applying(JSONPatch(operations))
                try check.check(new, insteadOf: old, path)
                try new.save(to: path, over: old)
            } catch let error as EditError {
                throw Failure("\(path) is not changed: \(error.message)", .failedWrite)
            } catch let error as PatchError {
                throw Failure("\(path) is not changed: \(error.message)", .failedWrite)
            }
        }
    }

    /// Writes the gains into the files; all other bytes remain.
    ///
    /// If a file cannot be written, the others are written anyway.
    ///
    /// - Parameters:
    ///   - texts: The files before the night was played.
    ///   - file: The path of the setlist or the single pipeline.
    ///   - report: Receives a line for each gain, after its file is written.
    /// - Throws: The last `Failure` if a file has changed since then or cannot be written.
    func write(over texts: Texts, file: String, _ report: (String) -> Void) throws {
        if songGains.isEmpty, sceneGains.isEmpty {
            return report("\(file): no gain needs to change; nothing is changed")
        }
        var failure: (any Error)?
        for (song, gains) in Dictionary(grouping: sceneGains, by: \.song).sorted(by: {
            $0.key < $1.key
        }) {
            let path = songs.songs[song].path
            do {
                try texts.write(gains, to: path)
                for gain in gains {
                    report("\(path): scene \(gain.scene): \(Self.text(of: gain.change))")
                }
            } catch { failure = error }
        }
        do {
            try texts.write(songGains)
            for gain in songGains {
                report("\(file): \(gain.name): \(Self.text(of: gain.change))")
            }
        } catch { failure = error }
        if let failure { throw failure }
    }

    private static func text(of change: GainChange) -> String {
        "gain \(change.decibels.fixed(1)) dB, was \(change.former.fixed(1)) dB"
            + (change.isLimited ? "; more would raise its peaks above -1 dB" : "")
    }
}

extension LevelFix.Scope: ExpressibleByArgument {}
