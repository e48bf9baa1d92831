internal import Glibc
internal import SessionCore
internal import Synchronization

/// A session control that keeps values, prints its requests, and sends constant levels.
final class RehearsalControl: SessionControl {
    private struct State {
        var values: [String: Value] = [
            "scene": .text("verse"), "song": .number(1), "tempo": .number(120),
            "mute": .toggle(false), "gain": .number(0), "tuner": .text(""),
            "verb.bypass": .toggle(false), "pitch.bypass": .toggle(false),
        ]
        var watcher: (@Sendable (SessionEvent) -> Void)?
        var print: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())
    private let crashes: Bool

    init(crashes: Bool) { self.crashes = crashes }

    /// The function that prints a line.
    var print: (@Sendable (String) -> Void)? {
        get { state.withLock { $0.print } }
        set { state.withLock { $0.print = newValue } }
    }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        switch request {
        case .dump: answer(.values(entries))
        case .reports: answer(.reports([]))
        case .get(let address): answer(.values(entries.filter { $0.address == address }))
        case .perform(let command):
            print?("asked \(command.rawValue)")
            if command == .nextSong {
                return answer(
                    .refused("There is no song after this one", suggestion: "previous-song"))
            }
            answer(.done)
        case .describe, .measureLevels, .measureSpectra, .edit, .readFile, .ports: answer(.done)
        case .pressKey(let name):
            print?("asked key \(name)")
            answer(.done)
        case .set(let address, let value), .fade(let address, let value, _):
            if crashes, address == "mute" { abort() }
            print?("asked \(address) \(value)")
            answer(.done)
            change(address, value)
        }
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        state.withLock { $0.watcher = watcher }
    }

    /// Sends levels, load and the tuner's pitch.
    func play() {
        publish(.level(port: "mic_1", peak: -12.3, rms: -20.1))
        publish(.level(port: "main_1", peak: 0, rms: -9.5))
        publish(.level(port: "main_1", peak: -14, rms: -22.5))
        publish(.load(mean: 0.12, worst: 0.3, xruns: 1))
    }

    private func change(_ address: String, _ value: Value) {
        state.withLock { $0.values[address] = value }
        publish(.valueChanged(AddressValue(address, value)))
        if address == "tuner" { publish(.pitch(hertz: 441)) }
    }

    private var entries: [AddressValue] {
        state.withLock { $0.values }.map { AddressValue($0.key, $0.value) }
    }

    private func publish(_ event: SessionEvent) { state.withLock { $0.watcher }?(event) }
}
