import Glibc
import OfflineHost
import PluginComparison
import SoundFiles
import Testing
import TestSignals

@Suite("Instruments and MIDI plugins from Debian packages, played from files")
struct InstrumentTests {
    private static let noteFrame = 10_000
    private let folder = ScratchFolder()

    /// Writes a file with one note that is held for a second.
    private func song() -> String {
        let contents = MIDIFileWriter(sampleRate: 48_000).contents(
            of: [
                (Self.noteFrame, [0x90, 60, 100]), (Self.noteFrame + 48_000, [0x80, 60, 0]),
            ], lengthFrames: 72_000)
        let path = folder.file("note.mid")
        guard let file = fopen(path, "wb") else { return path }
        fwrite(contents, 1, contents.count, file)
        fclose(file)
        return path
    }

    /// Renders with the built program, because some instruments share random numbers with the rest
    /// of a process.
    private func render(
        _ uri: String, outputs: String, to file: String, blockFrames: Int
    ) throws -> String {
        let pipeline = folder.write(
            """
            { "version": 1, "inputs": { "keys": { "kind": "midi" } }, "outputs": { "out": { \(outputs) } },
              "nodes": [{ "id": "plugin", "type": "lv2", "uri": "\(uri)", "events": "keys" }] }
            """, to: "pipeline.json")
        let path = folder.file(file)
        let end = ChildProgram(product: "stompline").run([
            "render", pipeline, "--input", song(), "--output", path, "--block", "\(blockFrames)",
        ])
        #expect(end == .status(0))
        return path
    }

    @Test(
        "an instrument sounds from its note on, equally loud at any block size, and repeatably",
        arguments: [
            "http://drobilla.net/plugins/mda/Piano", "http://drobilla.net/plugins/mda/EPiano",
            "http://drobilla.net/plugins/mda/DX10", "http://drobilla.net/plugins/mda/JX10",
            "http://calf.sourceforge.net/plugins/Organ",
            "http://calf.sourceforge.net/plugins/Monosynth",
        ])
    func instrument(uri: String) throws {
        let stereo = "\"channels\": 2, \"limiter\": false"
        let sounds = try [64, 64, 1024].enumerated().map { index, blockFrames in
            try SoundFileReader(
                path: render(uri, outputs: stereo, to: "\(index).wav", blockFrames: blockFrames)
            ).readChannels()[0]
        }
        #expect(sounds[0] == sounds[1])
        for sound in sounds {
            #expect(sound.count == 72_000)
            let peak = sound.map(abs).max() ?? 0
            #expect(peak > 0.01)
            #expect(sound[..<Self.noteFrame].allSatisfy { abs($0) < peak / 1000 })
            let first = try #require(sound.firstIndex { abs($0) > peak / 1000 })
            #expect(first < Self.noteFrame + 1024 + 480)
        }
    }

    @Test("a plugin from MIDI to MIDI plays from file to file", arguments: [64, 1000])
    func fifths(blockFrames: Int) throws {
        let path = try render(
            "http://lv2plug.in/plugins/eg-fifths", outputs: "\"kind\": \"midi\"", to: "out.mid",
            blockFrames: blockFrames)
        let song = try MIDIFile(bytes: bytes(path), path: path)
        #expect(
            song.events.map(\.bytes) == [
                [0x90, 60, 100], [0x90, 67, 100], [0x80, 60, 0], [0x80, 67, 0],
            ])
        let frames = song.events.map { Int(($0.seconds * 48_000).rounded()) }
        #expect(frames == [10_000, 10_000, 58_000, 58_000])
        #expect(Int((song.seconds * 48_000).rounded()) == 72_000)
    }

    private func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return bytes
    }
}
