internal import Glibc
internal import Pipelines
internal import Show
internal import Synchronization

/// A desk that remembers values, prints what is asked of it, and tells the same levels all the time.
final class RehearsalDesk: Desk {
    private struct State {
        var values: [String: Value] = [
            "scene": .text("verse"), "song": .number(1), "tempo": .number(120),
            "mute": .toggle(false), "gain": .number(0), "tuner": .text(""),
            "verb.bypass": .toggle(false), "pitch.bypass": .toggle(false),
        ]
        var listener: (@Sendable (Notice) -> Void)?
        var print: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())
    private let crashes: Bool

    init(crashes: Bool) { self.crashes = crashes }

    /// What prints a line.
    var print: (@Sendable (String) -> Void)? {
        get { state.withLock { $0.print } }
        set { state.withLock { $0.print = newValue } }
    }

    func ask(_ request: Request, answer: @escaping @Sendable (Answer) -> Void) {
        switch request {
        case .dump: answer(.values(entries))
        case .get(let address): answer(.values(entries.filter { $0.address == address }))
        case .set(let address, let value):
            if crashes, address == "mute" { abort() }
            print?("asked \(address) \(value.map { "\($0)" } ?? "")")
            if address == "next-song" {
                return answer(
                    .refused("There is no song after this one", suggestion: "previous-song"))
            }
            answer(.done)
            if let value { change(address, value) }
        }
    }

    func listen(_ listener: (@Sendable (Notice) -> Void)?) {
        state.withLock { $0.listener = listener }
    }

    /// Tells levels and load, and what the tuner hears.
    func play() {
        tell(.level(port: "mic_1", peak: -12.3, rms: -20.1))
        tell(.level(port: "main_1", peak: 0, rms: -9.5))
        tell(.level(port: "main_1", peak: -14, rms: -22.5))
        tell(.load(mean: 0.12, worst: 0.3, xruns: 1))
    }

    private func change(_ address: String, _ value: Value) {
        state.withLock { $0.values[address] = value }
        tell(.changed(Answer.Entry(address, value)))
        if address == "tuner" { tell(.pitch(hertz: 441)) }
    }

    private var entries: [Answer.Entry] {
        state.withLock { $0.values }.map { Answer.Entry($0.key, $0.value) }
    }

    private func tell(_ notice: Notice) { state.withLock { $0.listener }?(notice) }
}
