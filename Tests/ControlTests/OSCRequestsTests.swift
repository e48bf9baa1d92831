import Dispatch
import SessionCore
import Synchronization
import Testing

import Control

@Suite("OSC requests")
struct OSCRequestsTests {
    private let sender = Endpoint.loopback(port: 1)
    private let control = FakeControl()
    private let answers = Answers()
    private var requests: OSCRequests

    private final class Answers: Sendable {
        private let waiting = Mutex<[(answer: Answer, number: Int)]>([])

        func put(_ answer: Answer, _ number: Int) {
            waiting.withLock { $0.append((answer, number)) }
        }

        func popAll() -> [(answer: Answer, number: Int)] {
            waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
        }
    }

    init() {
        requests = OSCRequests(to: control) { [answers] in answers.put($0, $1) }
        requests.requestAddresses()
        _ = receive()
    }

    /// Waits for the session, and returns the requests that it has answered.
    private mutating func receive() -> [QueuedRequest] {
        control.queue.sync {}
        return answers.popAll().compactMap { requests.receive($0.answer, to: $0.number) }
    }

    @Test("get without an argument, and set or perform with one")
    func single() {
        #expect(
            requests.read(.init("/verb/mix")) == [.request(.get("verb.mix"), path: "/verb/mix")])
        #expect(
            requests.read(.init("/verb/mix", .float(0.5)))
                == [.request(.set("verb.mix", .number(0.5)), path: "/verb/mix")])
        #expect(
            requests.read(.init("/tap", .float(1))) == [.request(.perform(.tap), path: "/tap")])
        #expect(requests.read(.init("/tap", .float(0))).isEmpty)
    }

    @Test("a second argument is the time of a fade, and a number is the time of fade-all")
    func fades() {
        #expect(
            requests.read(.init("/verb/mix", .float(0.5), .float(5)))
                == [.request(.fade("verb.mix", .number(0.5), seconds: 5), path: "/verb/mix")])
        #expect(
            requests.read(.init("/fade-all", .float(8)))
                == [.request(.set("fade-all", .number(8)), path: "/fade-all")])
        #expect(
            requests.read(.init("/fade-all"))
                == [.request(.perform(.fadeAll), path: "/fade-all")])
        #expect(requests.read(.init("/fade-all", .float(0))).isEmpty)
        for message in [
            OSCMessage("/verb/mix", .float(0.5), .text("long")),
            OSCMessage("/verb/mix", .float(0.5), .float(5), .float(5)),
            OSCMessage("/tap", .float(1), .float(5)),
        ] {
            guard case .error? = requests.read(message).first else {
                Issue.record("\(message) is not valid")
                continue
            }
        }
    }

    @Test("save with and without a scene; only a text names one")
    func saving() {
        #expect(requests.read(.init("/save")) == [.request(.perform(.save), path: "/save")])
        for path in ["/save/scene", "/save-scene"] {
            #expect(
                requests.read(.init(path)) == [.request(.perform(.saveScene), path: path)])
            #expect(
                requests.read(.init(path, .text("chorus")))
                    == [.request(.set("save-scene", .text("chorus")), path: path)])
            #expect(
                requests.read(.init(path, .float(1)))
                    == [.request(.perform(.saveScene), path: path)])
            #expect(requests.read(.init(path, .float(0))).isEmpty)
        }
        // A forgotten "scene" must not save into the whole file.
        #expect(
            requests.read(.init("/save", .text("chorus")))
                == [.request(.set("save", .text("chorus")), path: "/save")])
        #expect(
            requests.read(.init("/undo", .float(1))) == [.request(.perform(.undo), path: "/undo")])
    }

    @Test("set the value of a node with the same path as `save-scene`")
    mutating func nodeNamedSave() {
        control.become([.init("save.scene", .number(0))])
        requests.requestAddresses()
        _ = receive()
        #expect(
            requests.read(.init("/save/scene", .float(0.5)))
                == [.request(.set("save.scene", .number(0.5)), path: "/save/scene")])
    }

    @Test("set a toggle to 0 or 1 as a number")
    func toggle() {
        #expect(
            requests.read(.init("/mute", .float(1)))
                == [.request(.set("mute", .toggle(true)), path: "/mute")])
    }

    @Test("exist for each path that a pattern matches")
    func wildcards() {
        #expect(
            requests.read(.init("/verb/*")) == [
                .request(.get("verb.mix"), path: "/verb/mix"),
                .request(.get("verb.bypass"), path: "/verb/bypass"),
            ])
        #expect(
            requests.read(.init("/nothing/*"))
                == [.error(.error("/nothing/*", "no address of a node matches"))])
    }

    @Test("with more than two arguments are refused")
    func arguments() {
        let expected =
            "expected one value: a number, true, false or text; and perhaps a time in seconds"
        #expect(
            requests.read(.init("/mute", .float(1), .float(0), .float(0)))
                == [.error(.error("/mute", expected))])
    }

    @Test("that precede a sync are answered before it")
    mutating func sync() {
        let first = QueuedRequest(sender: sender, path: "/mute", content: .session(.get("mute")))
        let areQueued = [first, QueuedRequest(sender: sender, path: "/sync", content: .sync(7))].map
        {
            requests.add($0)
        }
        #expect(areQueued == [true, true])
        let early = requests.send(nowSeconds: 0).map(\.message)
        #expect(early.isEmpty)
        let answered = receive()
        #expect(answered == [first])
        let late = requests.send(nowSeconds: 0).map(\.message)
        #expect(late == [.init("/synced", .integer(7))])
        #expect(requests.isEmpty)
    }

    @Test("without an answer fail after a time, and a later answer is ignored")
    mutating func patience() {
        _ = requests.add(
            QueuedRequest(sender: sender, path: "/mute", content: .session(.get("mute"))))
        _ = requests.send(nowSeconds: 0)
        let refusals = requests.send(nowSeconds: RequestQueue.timeoutSeconds + 1).map(\.message)
        #expect(refusals == [.error("/mute", "the session did not answer")])
        let answered = receive()
        #expect(answered.isEmpty)
    }
}
