import Processing
import Testing
import TestSignals

import Players

@Suite("A player's settings")
struct PlayerSettingsTests {
    private let scene = PlayerScene()

    private func fault(_ settings: [String: SettingValue]) -> SettingError? {
        do throws(SettingError) {
            _ = try Player.effect().inspect(settings)
            return nil
        } catch {
            return error
        }
    }

    @Test("determine the number of channels and the length")
    func facts() throws {
        let mono = scene.file("m.wav", [ramp(24_000)])
        let stereo = scene.file("s.wav", [ramp(3000), ramp(3000)], sampleRate: 3000)
        let files = SettingValue.playlist([mono, stereo].map { PlaylistItem(path: $0) })
        let inspect = Player.effect().inspect
        #expect(
            try inspect(["files": files]) == SettingFacts(outputChannels: 2, durationSeconds: 1.5))
        #expect(
            try inspect(["file": .text(mono), "start": .number(0.1), "end": .number(0.25)])
                == SettingFacts(outputChannels: 1, durationSeconds: 0.15))
        #expect(
            try inspect(["file": .text(mono), "channels": .number(4), "sync": .toggle(true)])
                == SettingFacts(outputChannels: 4))
        #expect(
            try inspect(["url": .text("https://example.org/a.ogg")])
                == SettingFacts(outputChannels: 2))
    }

    @Test("produce errors with the invalid setting, and the item of a playlist")
    func errors() {
        let path = scene.file("a.wav", [ramp(4800)])
        let missing = PlaylistItem(path: scene.folder.file("none.wav"))
        let gone = fault(["files": .playlist([PlaylistItem(path: path), missing])])
        #expect(gone?.setting == "files" && gone?.item == 1 && gone?.kind == .file)
        #expect(gone?.message.contains("none.wav") == true)
        #expect(fault(["file": .text(missing.path)])?.item == nil)
        let late = fault(["file": .text(path), "start": .number(0.1)])
        #expect(late?.setting == "start" && late?.kind == .range)
        let reversed = fault(["file": .text(path), "start": .number(1), "end": .number(0.5)])
        #expect(reversed?.setting == "end")
        #expect(fault(["files": .playlist([])])?.setting == "files")
        #expect(fault(["url": .text("file:///etc/passwd")])?.setting == "url")
        #expect(
            fault(["url": .text("http://a.b/"), "channels": .number(9)])?.setting == "channels")
    }
}
