import Dispatch
import Show
import Synchronization

/// A show without sound: some addresses, and a thread of its own.
final class FakeDesk: Desk {
    struct Contents {
        var entries: [Answer.Entry]
        /// All that was set, in order; what is only done has no value.
        var history: [Request] = []
        var listener: (@Sendable (Notice) -> Void)?
        var dumps = 0
    }

    private let contents: Mutex<Contents>
    /// The show's own thread.
    let queue = DispatchQueue(label: "show")

    init(_ entries: [Answer.Entry] = FakeDesk.usual) {
        contents = Mutex(Contents(entries: entries))
    }

    static let usual: [Answer.Entry] = [
        .init("scene", .text("verse")), .init("mute", .toggle(false)),
        .init("verb.mix", .number(0.25)), .init("verb.bypass", .toggle(false)),
        .init("cut.shape", .text("highpass")), .init("blend.mic:2.gain", .number(-6)),
        .init("blend.dry.gain", .number(0)),
    ]

    var history: [Request] { contents.withLock(\.history) }
    var dumps: Int { contents.withLock(\.dumps) }

    func value(_ address: String) -> Value? {
        contents.withLock { $0.entries.first { $0.address == address }?.value }
    }

    /// Has other addresses from now on.
    func become(_ entries: [Answer.Entry]) { contents.withLock { $0.entries = entries } }

    func ask(_ request: Request, answer: @escaping @Sendable (Answer) -> Void) {
        queue.async { answer(self.answer(request)) }
    }

    func listen(_ listener: (@Sendable (Notice) -> Void)?) {
        contents.withLock { $0.listener = listener }
    }

    private func answer(_ request: Request) -> Answer {
        var notices: [Notice] = []
        let (answer, listener) = contents.withLock { contents in
            (Self.answer(request, &contents, &notices), contents.listener)
        }
        for notice in notices { listener?(notice) }
        return answer
    }

    private static func answer(
        _ request: Request, _ contents: inout Contents, _ notices: inout [Notice]
    ) -> Answer {
        switch request {
        case .dump:
            contents.dumps += 1
            return .values(contents.entries)
        case .set("panic", nil), .set("tap", nil):
            contents.history.append(request)
            return .done
        case .get(let address), .set(let address, _):
            guard let place = contents.entries.firstIndex(where: { $0.address == address }) else {
                return .refused("there is no address \(address)", suggestion: "verb.mix")
            }
            guard case .set(_, let value?) = request else {
                return .values([contents.entries[place]])
            }
            guard value.kind == contents.entries[place].value.kind else {
                return .refused("\(address) takes another kind of value", suggestion: nil)
            }
            contents.entries[place].value = value
            contents.history.append(request)
            notices.append(.changed(contents.entries[place]))
            return .done
        }
    }
}

extension Value {
    var kind: Int {
        switch self {
        case .number: 0
        case .toggle: 1
        case .text: 2
        }
    }
}
