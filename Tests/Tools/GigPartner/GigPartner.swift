internal import CJack
internal import Glibc

/// Plays a tone and a pedalboard next to a program under test, and records its sound, controlled
/// through standard input by scripts/endurance/gig.sh.
///
/// usage: gig-partner SERVER FILE. The recorded sound goes to FILE as 32-bit floats, with the
/// channels left, right and phones interleaved.
///
/// Each command line gets one line as its answer:
/// - `connect FROM TO`: libjack's status.
/// - `tone LEVEL`: moves the tone to a level, 0 through 1; `ok`.
/// - `send BYTE …`: sends a MIDI message in the next cycle; `ok`, or `none` without a cycle.
/// - `hear FRAMES`: records this many more frames and writes all recorded frames; the number of
///   frames in the file, or `none` if they do not come.
/// - `drain`: writes all recorded frames without waiting; the number of frames in the file.
@main
enum GigPartner {
    static func main() {
        silenceJACK()
        let words = CommandLine.arguments
        guard words.count == 3, let file = fopen(words[2], "wb"),
            let clients = Clients(server: words[1])
        else {
            say("no server")
            exit(1)
        }
        var conversation = Conversation(clients: clients, file: file)
        say("ready")
        while let line = readLine() { say(conversation.answer(line)) }
        clients.close()
        fclose(file)
    }

    /// Flushes, so that the line also appears immediately in a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}

/// The answers to the commands.
private struct Conversation {
    let clients: Clients
    let file: UnsafeMutablePointer<FILE>
    private var writtenFrames = 0

    init(clients: Clients, file: UnsafeMutablePointer<FILE>) {
        (self.clients, self.file) = (clients, file)
    }

    mutating func answer(_ line: String) -> String {
        let words = line.split(separator: "\t").map(String.init)
        switch (words.first, words.count) {
        case ("connect", 3): return "\(clients.connect(words[1], words[2]))"
        case ("tone", 2):
            clients.play(level: max(0, min(1, Float(words[1]) ?? 0)))
            return "ok"
        case ("send", 2...4):
            return clients.send(words.dropFirst().compactMap(UInt8.init)) ? "ok" : "none"
        case ("hear", 2): return hear(frames: max(0, min(1 << 24, Int(words[1]) ?? 0)))
        case ("drain", 1): return write()
        default: return "unknown: \(line)"
        }
    }

    private mutating func hear(frames: Int) -> String {
        guard clients.waits(forFrame: clients.recordedFrames + frames) else { return "none" }
        return write()
    }

    private mutating func write() -> String {
        let end = clients.recordedFrames
        guard clients.write(writtenFrames..<end, to: file) else { return "none" }
        writtenFrames = end
        return "\(end)"
    }
}

/// Discards libjack's messages, because the server may disappear at any time.
///
/// The messages arrive on any thread, and would trap in a closure of the main actor.
private func silenceJACK() {
    jack_set_error_function { _ in }
    jack_set_info_function { _ in }
}
