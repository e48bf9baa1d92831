internal import CJack
internal import Glibc

/// Plays a sine, noise and random MIDI beside a soaking program, and does what scripts/soak.sh asks on standard input.
///
/// usage: soak-partner SERVER SEED. Each line is answered by one: `connect FROM TO`, `disconnect FROM TO`,
/// `block FRAMES` and `freewheel 0|1` by libjack's status, `figures` by the largest step and the peak since the last
/// time, the frames and the xruns since the start; `work SHARE` has the bare client take a share of each period, and is
/// answered by how many of its cycles were late since the start.
@main
enum SoakPartner {
    static func main() {
        silenceJACK()
        let words = CommandLine.arguments
        guard words.count == 3, let seed = UInt64(words[2]),
            let client = Neighbours(server: words[1], seed: seed)
        else {
            say("no server")
            exit(1)
        }
        say("ready")
        while let line = readLine() { say(answer(line, client)) }
        client.close()
    }

    /// At once, also into a pipe.
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
        case ("figures", 1): return client.takeFigures()
        default: return "unknown: \(line)"
        }
    }
}

/// The server may go at any time; what libjack says of it comes on any thread, and would trap in a closure of the main actor's.
private func silenceJACK() {
    jack_set_error_function { _ in }
    jack_set_info_function { _ in }
}
