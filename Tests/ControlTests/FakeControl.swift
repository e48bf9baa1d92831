import Dispatch
import SessionCore
import Synchronization

/// A session without sound, with some addresses and a separate thread.
final class FakeControl: SessionControl {
    struct Contents {
        var entries: [AddressValue]
        var reports: [NodeReport] = []
        /// All requests that changed the session, in order; an action has no value.
        var history: [SessionRequest] = []
        var watcher: (@Sendable (SessionEvent) -> Void)?
        var dumps = 0
    }

    private let contents: Mutex<Contents>
    /// The session's own thread.
    let queue = DispatchQueue(label: "show")

    init(_ entries: [AddressValue] = FakeControl.usual, reports: [NodeReport] = []) {
        contents = Mutex(Contents(entries: entries, reports: reports))
    }

    static let usual: [AddressValue] = [
        .init("scene", .text("verse")), .init("mute", .toggle(false)),
        .init("verb.mix", .number(0.25)), .init("verb.bypass", .toggle(false)),
        .init("cut.shape", .text("highpass")), .init("blend.mic:2.gain", .number(-6)),
        .init("blend.dry.gain", .number(0)),
    ]

    var history: [SessionRequest] { contents.withLock(\.history) }
    var dumps: Int { contents.withLock(\.dumps) }

    func value(_ address: String) -> Value? {
        contents.withLock { $0.entries.first { $0.address == address }?.value }
    }

    /// Replaces the addresses.
    func become(_ entries: [AddressValue]) { contents.withLock { $0.entries = entries } }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        queue.async { answer(self.answer(request)) }
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        contents.withLock { $0.watcher = watcher }
    }

    private func answer(_ request: SessionRequest) -> Answer {
        var events: [SessionEvent] = []
        let (answer, watcher) = contents.withLock { contents in
            (Self.answer(request, &contents, &events), contents.watcher)
        }
        for event in events { watcher?(event) }
        return answer
    }

    private static func answer(
        _ request: SessionRequest, _ contents: inout Contents, _ events: inout [SessionEvent]
    ) -> Answer {
        switch request {
        case .dump:
            contents.dumps += 1
            return .values(contents.entries)
        case .reports:
            return .reports(contents.reports)
        case .perform, .pressKey, .fade, .describe, .measureLevels, .measureSpectra, .edit,
            .readFile, .ports:
            contents.history.append(request)
            return .done
        case .get(let address)
        where contents.reports.contains { $0.address == address && $0.value != nil }:
            let report = contents.reports.first { $0.address == address }
            return .values(report?.value.map { [AddressValue(address, $0)] } ?? [])
        case .get(let address), .set(let address, _):
            guard let index = contents.entries.firstIndex(where: { $0.address == address }) else {
                return .refused("there is no address \(address)", suggestion: "verb.mix")
            }
            guard case .set(_, let value) = request else {
                return .values([contents.entries[index]])
            }
            guard value.kind == contents.entries[index].value.kind else {
                return .refused("\(address) takes another kind of value", suggestion: nil)
            }
            contents.entries[index].value = value
            contents.history.append(request)
            events.append(.valueChanged(contents.entries[index]))
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
