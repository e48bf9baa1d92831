internal import CJack
internal import Glibc
internal import JackHost
internal import Pipelines
internal import Processing
internal import SessionCore
internal import Synchronization

/// Random actions of users, programs and JACK on a running session, one at a time.
struct RandomActions {
    private static let blockFrames: [UInt32] = [256, 32, 128, 1024, 16, 64]

    private let remote: SessionRemote
    private let control: any SessionControl
    private let jack: OpaquePointer?
    private let written: [Song]
    private let versions: [[Song]]
    private var songs: [Song]

    init(
        _ songs: [Song], versions: [[Song]], remote: SessionRemote, jack: OpaquePointer?
    ) {
        self.remote = remote
        control = remote.control()
        self.jack = jack
        written = songs
        self.versions = versions
        self.songs = songs
    }

    /// Sends a request and ignores the answer.
    func ask(_ request: SessionRequest) { control.ask(request) { _ in } }

    /// Performs a random action.
    ///
    /// - Returns: Its name.
    mutating func act(using random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<49, using: &random) {
        case 0..<6: return edit(using: &random)
        case 6..<9: return changeBlock(using: &random)
        case 9..<12: return changeScene(using: &random)
        case 12..<16: return changeSong(using: &random)
        case 16: return freewheel()
        case 17..<21: return changeCue(using: &random)
        case 21..<25: return fade(using: &random)
        case 25..<27: return pressKey(using: &random)
        case 27: return stopPlayers(using: &random)
        case 28:
            ask(.perform(.compare))
            return "comparisons"
        case 29, 30: return moveTransport(using: &random)
        case 31..<34: return measure(using: &random)
        default: return change(theNight: Int.random(in: 0..<8, using: &random), using: &random)
        }
    }

    private mutating func edit(using random: inout SeededRandom) -> String {
        if let version = versions.randomElement(using: &random) {
            songs = version
        } else {
            let index = songs.indices.randomElement(using: &random) ?? 0
            songs[index] = written[index].edited(using: &random)
        }
        remote.follow(
            SongCollection(
                name: songs[0].name, songs: songs, isSetlist: songs.count > 1))
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
        ask(scene == 4 ? .perform(.nextScene) : .set("scene", .number(Double(scene))))
        return "scenes"
    }

    private func changeSong(using random: inout SeededRandom) -> String {
        let song = Int.random(in: 1...songs.count, using: &random)
        ask(.set("song", .number(Double(song))))
        return "songs"
    }

    private func changeCue(using random: inout SeededRandom) -> String {
        ask(.perform(Int.random(in: 0..<3, using: &random) == 0 ? .back : .go))
        return "cues"
    }

    /// Fades a gain of a node of any song, which the current one may not have.
    private func fade(using random: inout SeededRandom) -> String {
        let nodes = songs.flatMap(\.pipeline.nodes).filter { node in
            node.parameters.contains { $0.name == "gain" }
        }
        guard let node = nodes.randomElement(using: &random) else { return "fades" }
        ask(
            .fade(
                "\(node.id).gain", .number(Double.random(in: -60...0, using: &random)),
                seconds: Double.random(in: 0...2, using: &random)))
        return "fades"
    }

    /// Measures levels and spectra of nodes of any song, which the current one may not have.
    private func measure(using random: inout SeededRandom) -> String {
        ask(
            .measureLevels(
                perSecond: Int.random(in: 0...60, using: &random),
                ofNodes: Bool.random(using: &random)))
        let nodes = songs.flatMap(\.pipeline.nodes).map(\.id).shuffled(using: &random)
        ask(.measureSpectra(ofNodes: Array(nodes.prefix(Int.random(in: 0...5, using: &random)))))
        return "measurements"
    }

    private func pressKey(using random: inout SeededRandom) -> String {
        ask(.pressKey(["g", "f1", "space"].randomElement(using: &random) ?? "g"))
        return "keys"
    }

    private func stopPlayers(using random: inout SeededRandom) -> String {
        ask(.perform(Bool.random(using: &random) ? .fadeAll : .stopAll))
        return "stops of players"
    }

    /// Freewheels briefly; the server needs some time to return to the clock.
    private func freewheel() -> String {
        guard let jack else { return "freewheels" }
        jack_set_freewheel(jack, 1)
        usleep(50_000)
        jack_set_freewheel(jack, 0)
        usleep(50_000)
        return "freewheels"
    }

    /// Starts, stops or relocates JACK's transport, whose beats the session provides.
    private func moveTransport(using random: inout SeededRandom) -> String {
        guard let jack else { return "transports" }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: jack_transport_start(jack)
        case 1: jack_transport_stop(jack)
        default: jack_transport_locate(jack, UInt32.random(in: 0...UInt32.max, using: &random))
        }
        return "transports"
    }

    /// Changes a value of the master section.
    private func change(theNight index: Int, using random: inout SeededRandom) -> String {
        let input = songs[0].pipeline.inputs.first { $0.kind == .audio }?.name ?? ""
        switch index {
        case 0: ask(.perform(.panic))
        case 1: ask(.perform(.tap))
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
