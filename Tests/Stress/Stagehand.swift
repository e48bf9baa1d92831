internal import CJack
internal import Glibc
internal import JackHost
internal import Pipelines
internal import Show
internal import Synchronization

/// All that people, programs and JACK do to a show while it plays, one random thing at a time.
struct Stagehand {
    private static let blockFrames: [UInt32] = [256, 32, 128, 1024, 16, 64]

    private let remote: SessionRemote
    private let desk: any Desk
    private let jack: OpaquePointer?
    private let written: [Song]
    private var songs: [Song]

    init(_ songs: [Song], remote: SessionRemote, jack: OpaquePointer?) {
        self.remote = remote
        desk = remote.desk()
        self.jack = jack
        written = songs
        self.songs = songs
    }

    /// Has a request carried out, whatever the answer.
    func ask(_ request: Request) { desk.ask(request) { _ in } }

    /// Does one of all things.
    ///
    /// - Returns: Its name.
    mutating func act(using random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<32, using: &random) {
        case 0..<6: return edit(using: &random)
        case 6..<9: return changeBlock(using: &random)
        case 9..<12: return changeScene(using: &random)
        case 12..<16: return changeSong(using: &random)
        case 16: return freewheel()
        default: return change(theNight: Int.random(in: 0..<8, using: &random), using: &random)
        }
    }

    private mutating func edit(using random: inout SeededRandom) -> String {
        let place = songs.indices.randomElement(using: &random) ?? 0
        songs[place] = written[place].edited(using: &random)
        remote.follow(songs)
        return "edits"
    }

    private func changeBlock(using random: inout SeededRandom) -> String {
        if let jack, let frames = Self.blockFrames.randomElement(using: &random) {
            jack_set_buffer_size(jack, frames)
        }
        return "block lengths"
    }

    private func changeScene(using random: inout SeededRandom) -> String {
        let scene = Int.random(in: 1...4, using: &random)
        ask(scene == 4 ? .set("next-scene", nil) : .set("scene", .number(Double(scene))))
        return "scenes"
    }

    private func changeSong(using random: inout SeededRandom) -> String {
        let song = Int.random(in: 1...songs.count, using: &random)
        ask(.set("song", .number(Double(song))))
        return "songs"
    }

    /// For a moment; the server needs a while to be back on the clock.
    private func freewheel() -> String {
        guard let jack else { return "freewheels" }
        jack_set_freewheel(jack, 1)
        usleep(50_000)
        jack_set_freewheel(jack, 0)
        usleep(50_000)
        return "freewheels"
    }

    /// What belongs to the night.
    private func change(theNight place: Int, using random: inout SeededRandom) -> String {
        let input = songs[0].pipeline.inputs.first { $0.kind == .audio }?.name ?? ""
        switch place {
        case 0: ask(.set("panic", nil))
        case 1: ask(.set("tap", nil))
        case 2: ask(.set("tempo", .number(Double.random(in: 20...400, using: &random))))
        case 3: ask(.set("gain", .number(Double.random(in: -120...24, using: &random))))
        case 4: ask(.set("mute", .toggle(Bool.random(using: &random))))
        case 5: ask(.set("tuner", .text(Bool.random(using: &random) ? input : "")))
        case 6: ask(.set("learn", .text(Bool.random(using: &random) ? "extra-one.gain" : "")))
        default: ask(.dump)
        }
        return "others"
    }
}
