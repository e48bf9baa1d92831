internal import CJack
internal import Glibc

/// Plays a sine, noise and random MIDI next to a program under test, controlled through standard
/// input by scripts/endurance/soak.sh.
///
/// usage: soak-partner SERVER SEED [SUFFIX]. The suffix is appended to the names of its clients.
///
/// Each command line gets one line as its answer:
/// - `connect FROM TO`, `disconnect FROM TO`, `block FRAMES` and `freewheel 0|1`: libjack's status.
/// - `figures`: the largest step and the peak since the last query, the frames and xruns since the
///   start, the age of that step in frames, and the number of cycles in which the server has left
///   out one of the clients.
/// - `midi BYTE…`: plays a message of hexadecimal bytes; the answer is `true`, or `false` if too many
///   wait.
/// - `random 0|1`: whether random messages are played.
/// - `clock TEMPO`: plays a MIDI clock in beats per minute; 0 stops it.
/// - `transport 0|1`: JACK's transport stops or rolls.
/// - `heard`: the numbers of messages received since the start: ends of notes, notes, controllers,
///   programs, system exclusive messages, ticks and starts of the clock.
/// - `work SHARE`: makes the bare client take a share of each period; the answer is the number of
///   its overruns since the start.
@main
enum SoakPartner {
    static func main() {
        silenceJACK()
        let words = CommandLine.arguments
        guard (3...4).contains(words.count), let seed = UInt64(words[2]),
            let client = Neighbours(
                server: words[1], seed: seed, suffix: words.count == 4 ? words[3] : "")
        else {
            say("no server")
            exit(1)
        }
        say("ready")
        while let line = readLine() { say(answer(line, client)) }
        client.close()
    }

    /// Flushes, so that the line also appears immediately in a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func answer(_ line: String, _ client: Neighbours) -> String {
        let words = line.split(separator: "\t").map(String.init)
        switch (words.first, words.count) {
        case ("connect", 3): return "\(client.connect(words[1], words[2]))"
        case ("disconnect", 3): return "\(client.disconnect(words[1], words[2]))"
        case ("block", 2): return "\(client.setBlock(frames: UInt32(words[1]) ?? 64))"
        case ("freewheel", 2): return "\(client.freewheel(words[1] == "1"))"
        case ("work", 2): return "\(client.work(share: min(0.9, Float(words[1]) ?? 0)))"
        case ("midi", 2...4):
            return "\(client.play(message: words.dropFirst().compactMap { UInt8($0, radix: 16) }))"
        case ("random", 2): client.setRandom(words[1] == "1")
        case ("clock", 2): client.setClock(tempo: min(400, max(0, Double(words[1]) ?? 0)))
        case ("transport", 2): client.rollTransport(words[1] == "1")
        case ("heard", 1): return client.heard
        case ("figures", 1): return client.popFigures()
        default: return "unknown: \(line)"
        }
        return "done"
    }
}

/// Discards libjack's messages, because the server may disappear at any time.
///
/// The messages arrive on any thread, and would trap in a closure of the main actor.
private func silenceJACK() {
    jack_set_error_function { _ in }
    jack_set_info_function { _ in }
}
