import Glibc
import Processing
import SoundFiles
import Synchronization
import Testing
import TestSignals

import Players

@Suite("A player in a replay")
struct ReplayedPlayerTests {
    private let scene = PlayerScene()

    /// The sound of calls, and the notes of each call.
    private struct Recording {
        var sound: [Float] = []
        var notes: [[UInt64]] = []
    }

    /// Plays a number of calls of 64 frames on a live player, with moves given by the numbers of
    /// their calls; `before` receives the number of each call before it begins.
    private func record(
        _ player: Processor, _ count: Int, moves: [Int: Move] = [:],
        before: (Int) -> Void = { _ in }
    ) throws -> Recording {
        let log = try #require(player.arrivals)
        log.beginNoting()
        var recording = Recording()
        for call in 0..<count {
            before(call)
            recording.sound += player.play(64, moves: moves[call].map { [$0] } ?? [])[0]
            let notes = log.notes.pointee
            #expect(!notes.hasLost)
            recording.notes.append((0..<notes.count).map { notes.word($0) })
            log.notes.pointee.clear()
        }
        return recording
    }

    /// Repeats calls from one on.
    private func replay(
        _ player: Processor, _ recording: Recording, from first: Int = 0, moves: [Int: Move] = [:]
    ) throws -> [Float] {
        let log = try #require(player.arrivals)
        log.beginRepeating(isBehind: first > 0)
        var sound: [Float] = []
        for call in first..<recording.notes.count {
            log.give(recording.notes[call])
            sound += player.play(64, moves: moves[call].map { [$0] } ?? [])[0]
            log.notes.pointee.clear()
        }
        return sound
    }

    @Test("is silent in the same frames as when the disk was slow", arguments: [1.0, 0.8])
    func slowDisk(_ rate: Float) throws {
        let path = scene.file("a.wav", [whiteNoise(frames: 400_000)])
        let settings: [String: SettingValue] = ["file": .text(path), "preload": .number(0.5)]
        let disk = SlowDisk()
        let live = scene.player(settings, isLive: true, opener: disk.opener, ["rate": rate])
        let moves = [
            700: Move("position", to: 5, at: 10), 1900: Move("position", to: 1, at: 63),
            2500: Move("playing", to: 0, at: 5), 2600: Move("playing", to: 1, at: 0),
        ]
        let recording = try record(live, 3000, moves: moves) { call in
            disk.isHeld.store((600..<1500).contains(call), ordering: .releasing)
            // Let the thread of the player read.
            if call % 50 == 0 { usleep(2000) }
        }
        disk.isHeld.store(false, ordering: .releasing)
        #expect(live.report("silent-frames") > 0)
        let player = scene.player(settings, isReplay: true, ["rate": rate])
        let sound = try replay(player, recording, moves: moves)
        #expect(sound == recording.sound)
        #expect(player.report("silent-frames") == live.report("silent-frames"))
    }

    @Test("differs if it does not get the notes")
    func withoutNotes() throws {
        let path = scene.file("a.wav", [whiteNoise(frames: 200_000)])
        let settings: [String: SettingValue] = ["file": .text(path), "preload": .number(0.5)]
        var recording = try record(scene.player(settings, isLive: true), 1500) { call in
            if call % 50 == 0 { usleep(2000) }
        }
        #expect(recording.notes.contains { !$0.isEmpty })
        for call in recording.notes.indices { recording.notes[call] = [] }
        let sound = try replay(scene.player(settings, isReplay: true), recording)
        #expect(sound != recording.sound)
    }

    @Test("plays a shuffled list in the same order")
    func shuffle() throws {
        let items = (0..<12).map { index in
            PlaylistItem(path: scene.file("\(index).wav", [whiteNoise(frames: 2000 + index)]))
        }
        let settings: [String: SettingValue] = [
            "files": .playlist(items), "shuffle": .toggle(true), "swell": .number(0),
        ]
        let live = scene.player(settings, isLive: true)
        let recording = try record(live, 400)
        let seed = try #require(live.arrivals?.seed)
        #expect(seed > 0)
        let player = scene.player(settings, isReplay: true, seed: seed)
        #expect(try replay(player, recording) == recording.sound)
    }

    @Test("continues from a noted position if its beginning is missing", arguments: [false, true])
    func behind(_ isPaused: Bool) throws {
        let path = scene.file("a.wav", [whiteNoise(frames: 500_000)])
        let settings: [String: SettingValue] = ["file": .text(path), "preload": .number(0.5)]
        let moves =
            isPaused
            ? [900: Move("playing", to: 0, at: 30), 3000: Move("playing", to: 1, at: 17)] : [:]
        let recording = try record(scene.player(settings, isLive: true), 4000, moves: moves) {
            if $0 % 50 == 0 { usleep(2000) }
        }
        let first = 1000
        let player = scene.player(settings, isReplay: true, ["playing": isPaused ? 0 : 1])
        let sound = try replay(player, recording, from: first, moves: moves)
        // A second after the start of the replay, there has been a note.
        let second = 48_000 + 64
        #expect(sound[second...] == recording.sound[(first * 64 + second)...])
        #expect(sound[second...].contains { $0 != 0 })
        if !isPaused {
            #expect(sound[..<second] != recording.sound[(first * 64)..<(first * 64 + second)])
        }
    }
}
