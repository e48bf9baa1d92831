import CJack
import Synchronization

/// Counts the MIDI messages that a port receives, by kind.
struct HeardMessages: ~Copyable {
    /// The kinds of messages, in the order of the answer to `heard`.
    enum Kind: Int, CaseIterable { case noteOff, note, controller, program, exclusive, tick, start }

    private let counts: InlineArray<7, Atomic<Int>>

    init() { counts = .init { _ in Atomic(0) } }

    /// Counts the messages of a cycle.
    borrowing func count(from port: OpaquePointer, _ frames: jack_nframes_t) {
        guard let buffer = jack_rt_events(port, frames) else { return }
        for index in 0..<jack_rt_event_count(buffer) {
            var event = jack_midi_event_t()
            guard jack_rt_event(buffer, index, &event), let kind = Self.kind(of: event) else {
                continue
            }
            counts[kind.rawValue].add(1, ordering: .relaxed)
        }
    }

    private static func kind(of event: jack_midi_event_t) -> Kind? {
        switch event.buffer[0] {
        case 0x80...0x8f: return .noteOff
        case 0x90...0x9f: return event.size > 2 && event.buffer[2] == 0 ? .noteOff : .note
        case 0xb0...0xbf: return .controller
        case 0xc0...0xcf: return .program
        case 0xf0: return .exclusive
        case 0xf8: return .tick
        case 0xfa, 0xfb: return .start
        default: return nil
        }
    }

    /// The number of messages of each kind since the start.
    var text: String {
        Kind.allCases.map { "\(counts[$0.rawValue].load(ordering: .relaxed))" }
            .joined(separator: " ")
    }
}
