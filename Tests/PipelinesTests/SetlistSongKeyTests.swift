internal import Pipelines
internal import Testing

@Suite("Keys of songs in a setlist")
struct SetlistSongKeyTests {
    private func song(_ keys: String) throws -> Setlist.Song {
        let text = #"{"version": 1, "setlist": "x", "songs": [{"pipeline": "least.json"\#(keys)}]}"#
        let file = try PipelineFile(
            decoding: Array(text.utf8), file: TestFiles.path("Valid/none.json"),
            catalogue: FakeCatalogue.catalogue)
        guard case .setlist(let setlist) = file else { throw NoSetlist() }
        return try #require(setlist.songs.first)
    }

    private struct NoSetlist: Error {}

    private func reported(_ keys: String) -> [Diagnostic] {
        let error = #expect(throws: InvalidPipeline.self) { try song(keys) }
        return error?.diagnostics ?? []
    }

    @Test("a song has its gain, tempo, notes and color")
    func values() throws {
        let song = try song(
            ##", "gain": -3.5, "tempo": 96, "notes": "capo 2", "color": "#Ff8800""##)
        #expect(song.gainDecibels == -3.5)
        #expect(song.tempo == 96)
        #expect(song.notes == "capo 2")
        #expect(song.color == "#Ff8800")
    }

    @Test("without the keys, a song has gain 0 and no tempo, notes or color")
    func absent() throws {
        let song = try song("")
        #expect(song.gainDecibels == 0)
        #expect(song.tempo == nil)
        #expect(song.notes.isEmpty)
        #expect(song.color == nil)
    }

    @Test(
        "values outside their ranges are reported with the allowed ones",
        arguments: [
            (#", "gain": 24.5"#, "24"), (#", "gain": -61"#, "-60"), (#", "tempo": 0"#, "999"),
            (##", "color": "red""##, "six hexadecimal digits"),
            (##", "color": "#12345g""##, "six hexadecimal digits"),
        ])
    func wrongValues(keys: String, allowed: String) throws {
        let diagnostics = reported(keys)
        #expect(diagnostics.map(\.code) == [.range])
        #expect(try #require(diagnostics.first).message.contains(allowed))
    }

    @Test("notes that a display has no room for are reported")
    func longNotes() {
        let notes = String(repeating: "x", count: 1001)
        #expect(reported(#", "notes": "\#(notes)""#).map(\.code) == [.range])
        #expect(throws: Never.self) { try song(#", "notes": "\#(notes.dropLast())""#) }
    }
}
