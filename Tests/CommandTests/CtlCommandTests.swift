import Control
import Show
import Synchronization
import Testing

@Suite("stompline ctl")
struct CtlCommandTests {
    private let program = Program()
    private let desk = SmallDesk()
    private let server: OSCServer

    init() throws { server = try OSCServer(at: .loopback(port: 0), desk: desk) }

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
        #expect(desk.values["scene"] == .text("2"))
        #expect(ctl("tap").output == "")
        #expect(ctl("*.mix").output == "-6\n")
    }

    @Test("all values are printed, one a line or as an object")
    func dump() {
        #expect(ctl().output == "mute false\nscene verse\nverb.mix 0.25\n")
        let outcome = ctl("--json")
        #expect(
            outcome.output.filter { !$0.isWhitespace }
                == "{\"mute\":false,\"scene\":\"verse\",\"verb.mix\":0.25}")
    }

    @Test("what is refused is wrong usage, with the show's reason")
    func refused() {
        let outcome = ctl("verb.mxi", "1")
        #expect(outcome.status == 64)
        #expect(outcome.errors == "stompline: there is no verb.mxi (did you mean verb.mix?)\n")
        #expect(ctl("verb.mix", "1", "2").status == 64)
        #expect(ctl("--prot", "1").errors.contains("--prot"))
    }

    @Test("where nobody answers, that is status 69")
    func nobody() {
        let outcome = program("ctl", "--port", "9", "verb.mix")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("127.0.0.1:9"))
    }

    @Test("run takes ports for OSC, and the network only with a word")
    func options() {
        #expect(program("run", "p.json", "--osc", "65536").status == 64)
        #expect(program("run", "p.json", "--osc", "0.0.0.0:9000").errors.contains("--osc-token"))
    }
}

/// Three values, which take all.
private final class SmallDesk: Desk {
    private let contents = Mutex<[String: Value]>([
        "mute": .toggle(false), "scene": .text("verse"), "verb.mix": .number(0.25),
    ])

    var values: [String: Value] { contents.withLock { $0 } }

    func ask(_ request: Request, answer: @escaping @Sendable (Answer) -> Void) {
        answer(contents.withLock { Self.answer(request, &$0) })
    }

    func listen(_ listener: (@Sendable (Notice) -> Void)?) {}

    private static func answer(_ request: Request, _ values: inout [String: Value]) -> Answer {
        switch request {
        case .dump:
            return .values(values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        case .set("tap", nil): return .done
        case .get(let address), .set(let address, _):
            guard let old = values[address] else {
                return .refused("there is no \(address)", suggestion: "verb.mix")
            }
            if case .set(_, let new?) = request { values[address] = new; return .done }
            return .values([.init(address, old)])
        }
    }
}
