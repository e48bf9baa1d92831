import Control
import Dispatch
import Glibc
import SessionCore
import Synchronization
import Testing
import TestSignals

@Suite("stompline ctl")
struct CtlCommandTests {
    private let program = Program()
    private let control = SmallControl()
    private let server: OSCServer

    init() throws { server = try OSCServer(at: .loopback(port: 0), control: control) }

    private func ctl(_ arguments: String...) -> Program.Outcome {
        program(["ctl", "--port", "\(server.endpoint.port)"] + arguments)
    }

    @Test("a value is printed, set and printed")
    func values() {
        #expect(ctl("verb.mix").output == "0.25\n")
        #expect(ctl("verb.mix", "0.1").output == "0.1\n")
        #expect(ctl("verb.mix", "-6").output == "-6\n")
        #expect(ctl("mute", "true").output == "true\n")
        #expect(ctl("mute", "0").output == "false\n")
        #expect(ctl("scene", "chorus 2").output == "chorus 2\n")
        #expect(ctl("scene", "\"2\"").output == "2\n")
        #expect(control.values["scene"] == .text("2"))
        #expect(ctl("tap").output == "")
        #expect(ctl("*.mix").output == "-6\n")
    }

    /// The lines of the reports in a dump.
    private static let reports =
        "tape.recorded 3.5 s (read-only)\ntape.file /takes/one.wav (read-only)\n"

    @Test("all values are printed, one per line or as an object")
    func dump() {
        #expect(
            ctl().output == """
                mute false
                scene verse
                verb.mix 0.25
                tape.recorded 3.5 s (read-only)
                tape.file /takes/one.wav (read-only)

                """)
        let outcome = ctl("--json")
        #expect(
            outcome.output.filter { !$0.isWhitespace }
                == "{\"mute\":false,\"scene\":\"verse\",\"verb.mix\":0.25,"
                + "\"tape.recorded\":3.5,\"tape.file\":\"/takes/one.wav\"}")
    }

    @Test(
        "an empty text clears an address, but no address is empty", arguments: ["tuner", "learn"])
    func emptyText(address: String) {
        let old: Value = .text("mic")
        control.set(address, to: old)
        let outcome = ctl(address, "")
        #expect(outcome.status == 0)
        #expect(outcome.output == "\n")
        #expect(outcome.errors.isEmpty)
        #expect(control.values[address] == .text(""))
        control.set(address, to: old)
        #expect(ctl(address, "\"\"").status == 0)
        #expect(control.values[address] == .text(""))
        for words in [[""], ["", "1"], ["--watch", ""], ["--watch", address, ""]] {
            let refused = program(["ctl", "--port", "\(server.endpoint.port)"] + words)
            #expect(refused.status == 64)
            #expect(refused.errors.contains("an address is empty"))
        }
    }

    @Test("a session on another machine cannot send control codes to the terminal")
    func hostile() {
        #expect(
            ctl("scene", "\u{1B}]0;x\u{07}\na\u{9B}").output == "\\u{1b}]0;x\\u{7}\\na\\u{9b}\n")
        #expect(
            ctl().output
                == "mute false\nscene \\u{1b}]0;x\\u{7}\\na\\u{9b}\nverb.mix 0.25\n" + Self.reports)
        #expect(ctl("--json").output.contains("\\u001b]0;x\\u0007\\na\\u009b"))
        #expect(!ctl("\u{1B}[2J", "1").errors.contains("\u{1B}"))
    }

    @Test("a refused request is wrong usage, with the session's reason")
    func refused() {
        let outcome = ctl("verb.mxi", "1")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "stompline: there is no verb.mxi (did you mean verb.mix?)\n")
        #expect(ctl("verb.mix", "1", "2").status == 64)
        #expect(ctl("--prot", "1").errors.contains("--prot"))
    }

    @Test("a song is printed when it plays, even if that takes longer than other answers")
    func song() {
        #expect(ctl("song", "Ready").output == "Ready\n")
        let outcome = ctl("song", "Party")
        #expect(outcome.status == 0)
        #expect(outcome.output == "Party\n")
        let json = ctl("--json", "song", "Ready").output
        #expect(json.filter { !$0.isWhitespace } == "{\"song\":\"Ready\"}")
        #expect(ctl("next-song").output == "Next\n")
    }

    @Test("what was saved is printed, even if that takes longer than other answers")
    func save() {
        let outcome = ctl("save")
        #expect(outcome.status == 0)
        #expect(outcome.output == "saved 1 value in a.json: verb.mix 0.25\n")
        #expect(
            ctl("save", "scene").output
                == "saved 1 value in the scene verse of a.json: verb.mix 0.25\n")
        // The name of a scene is a text, whatever it looks like.
        #expect(
            ctl("save", "scene", "2").output
                == "saved 1 value in the scene 2 of a.json: verb.mix 0.25\n")
        #expect(ctl("compare").output == "saved\n")
        #expect(ctl("save", "scene", "a", "b").status == 64)
        #expect(ctl("verb.mix", "scene", "a").status == 64)
    }

    @Test("the path of a box is printed, even if writing it takes longer than other answers")
    func keep() {
        let outcome = ctl("keep")
        #expect(outcome.status == 0)
        #expect(outcome.output == "/boxes/a.stompbox\n")
        let json = ctl("--json", "keep").output
        #expect(json.filter { !$0.isWhitespace } == "{\"kept\":\"/boxes/a.stompbox\"}")
    }

    @Test("the status is 1 if a file cannot be edited, with the reason")
    func undo() {
        let outcome = ctl("undo")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "stompline: another program has changed \"a.json\"\n")
        #expect(ctl("redo").output == "restored a.json as it was after \"save\"\n")
    }

    @Test("the status is 1 if a song cannot be prepared, with the reason")
    func brokenSong() {
        let outcome = ctl("song", "Broken")
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "stompline: piano: it is broken\n")
        // A song that does not exist is refused at once.
        #expect(ctl("song", "Prty").status == 64)
    }

    @Test("the status is 69 if no session answers")
    func nobody() {
        let outcome = program("ctl", "--port", "9", "verb.mix")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("127.0.0.1:9"))
    }

    @Test("run accepts ports for OSC, and a token from one source")
    func options() {
        #expect(program("run", "p.json", "--osc", "65536").status == 64)
        let both = program("run", "p.json", "--osc-token", "a", "--osc-token-file", "b")
        #expect(both.status == 64)
        #expect(both.errors.contains("exclude each other"))
    }

    /// Returns a server that treats every client as one on another machine.
    private func guarded() throws -> OSCServer {
        let access = AccessControl(token: OSCToken("k7qm-3xwd-9fhz-2tbn")) { _ in false }
        return try OSCServer(at: .loopback(port: 0), access, control: control)
    }

    @Test("a token comes from an option, a file or the environment, and gives access to all values")
    func tokens() throws {
        let server = try guarded()
        let dump = ["ctl", "--port", "\(server.endpoint.port)"]
        let values = "mute false\nscene verse\nverb.mix 0.25\n" + Self.reports
        #expect(program(dump + ["--token", "k7qm-3xwd-9fhz-2tbn"]).output == values)
        let file = program.folder.write("k7qm-3xwd-9fhz-2tbn\n", to: "token")
        chmod(file, 0o600)
        let byFile = program(dump + ["--osc-token-file", file])
        #expect(byFile.output == values)
        #expect(byFile.errors.isEmpty)
        chmod(file, 0o644)
        #expect(program(dump + ["--osc-token-file", file]).errors.contains("chmod 600"))
        var other = program
        other.environment = ["STOMPLINE_OSC_TOKEN=k7qm-3xwd-9fhz-2tbn"]
        #expect(other(dump).output == values)
    }

    @Test("a missing, wrong or unreadable token is an error that says so")
    func tokenErrors() throws {
        let server = try guarded()
        let dump = ["ctl", "--port", "\(server.endpoint.port)"]
        // The answer is the same soon after an earlier refusal.
        for _ in 0..<3 {
            let without = program(dump)
            #expect(without.status == 64)
            #expect(without.errors.contains("requires a token"))
        }
        let wrong = program(dump + ["--token", "open"])
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("has a different token"))
        let missing = program(dump + ["--osc-token-file", program.folder.file("none")])
        #expect(missing.status == 66)
        #expect(missing.errors.contains("cannot read the token file"))
        let empty = program.folder.write("\n", to: "empty")
        #expect(program(dump + ["--osc-token-file", empty]).status == 66)
    }
}

/// A session control with three values that accept everything.
private final class SmallControl: SessionControl {
    private let contents = Mutex<[String: Value]>([
        "mute": .toggle(false), "scene": .text("verse"), "verb.mix": .number(0.25),
    ])

    var values: [String: Value] { contents.withLock { $0 } }

    func set(_ address: String, to value: Value) { contents.withLock { $0[address] = value } }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        switch request {
        case .perform(.save): return edit(.saved(scene: nil), answer)
        case .perform(.saveScene): return edit(.saved(scene: "verse"), answer)
        case .set("save-scene", .text(let name)):
            return edit(.saved(scene: name), answer)
        case .perform(.redo): return edit(.redone, answer)
        case .perform(.compare): return answer(.compared(.saved))
        case .perform(.keep): return keep(answer)
        case .perform(.undo):
            answer(.pending)
            return answer(.refused("another program has changed \"a.json\"", suggestion: nil))
        case .get("song"): return answer(.values([.init("song", .text("Opener"))]))
        case .set("song", .text("Ready")): return answer(.playing(song: "Ready"))
        case .perform(.nextSong): return prepare("Next", .playing(song: "Next"), answer)
        case .set("song", .text("Party")):
            return prepare("Party", .playing(song: "Party"), answer)
        case .set("song", .text("Broken")):
            return prepare("Broken", .refused("piano: it is broken", suggestion: nil), answer)
        default: break
        }
        answer(contents.withLock { Self.answer(request, &$0) })
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {}

    /// Answers with the path of a box, after a time longer than the usual limit of a client.
    private func keep(_ answer: @escaping @Sendable (Answer) -> Void) {
        answer(.pending)
        DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) {
            answer(.kept(path: "/boxes/a.stompbox"))
        }
    }

    /// Answers with an edit of a file, after a time longer than the usual limit of a client.
    private func edit(_ kind: FileEdit.Kind, _ answer: @escaping @Sendable (Answer) -> Void) {
        answer(.pending)
        var edit = FileEdit(kind, path: "a.json", values: [.init("verb.mix", .number(0.25))])
        edit.name = "save"
        let done = edit
        DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { answer(.edited(done)) }
    }

    /// Answers that a song is being prepared, and after a time longer than the usual limit of a
    /// client with the outcome.
    private func prepare(
        _ name: String, _ outcome: Answer, _ answer: @escaping @Sendable (Answer) -> Void
    ) {
        answer(.preparing(song: name))
        DispatchQueue.global().asyncAfter(deadline: .now() + 2.5) { answer(outcome) }
    }

    private static func answer(_ request: SessionRequest, _ values: inout [String: Value]) -> Answer
    {
        switch request {
        case .dump:
            return .values(values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        case .reports:
            return .reports([
                .init("tape.recorded", .number(3.5), unit: "s"),
                .init("tape.file", .text("/takes/one.wav")),
            ])
        case .perform(.tap), .describe, .measureLevels, .measureSpectra, .edit, .readFile, .ports:
            return .done
        case .perform(let command): return refusal(of: command.rawValue)
        case .pressKey(let name): return refusal(of: name)
        case .get(let address):
            guard let value = values[address] else { return refusal(of: address) }
            return .values([.init(address, value)])
        case .set(let address, let value):
            guard values[address] != nil else { return refusal(of: address) }
            values[address] = value
            return .done
        case .fade(let address, let value, let seconds):
            guard values[address] != nil else { return refusal(of: address) }
            values[address] = value
            values["seconds"] = .number(seconds)
            return .done
        }
    }
    private static func refusal(of address: String) -> Answer {
        .refused("there is no \(address)", suggestion: "verb.mix")
    }
}
