package import Engine

/// Takes commands for the audio thread, as long as there is room for them: the engine, or a test.
package protocol CommandSink: AnyObject {
    /// Takes a command, ahead of any that wait in a `CommandQueue`.
    ///
    /// - Returns: Whether there was room; otherwise the command is dropped.
    func send(_ command: Command) -> Bool
}

extension Engine: CommandSink {}

/// Sends commands to the engine, and keeps those for which the engine's ring has no room.
///
/// The kept commands remain in order. If a later command overrides a kept one, only the later one
/// is kept. Commands that are useless later, such as a value, go to the engine directly.
package final class CommandQueue {
    private let engine: any CommandSink
    private var waiting: [Command] = []

    /// Creates an empty queue.
    package init(for engine: any CommandSink) { self.engine = engine }

    /// Sends a command now, or as soon as there is room for it.
    package func send(_ command: Command) {
        if waiting.isEmpty, engine.send(command) { return }
        waiting.removeAll { $0.isOverridden(by: command) }
        waiting.append(command)
    }

    /// Sends the waiting commands, as far as there is room.
    package func retry() {
        while let first = waiting.first, engine.send(first) { waiting.removeFirst() }
    }
}

extension Command {
    /// Returns whether the command has no effect once a later one is carried out.
    fileprivate func isOverridden(by later: Command) -> Bool {
        switch (self, later) {
        case (.tempo, .tempo), (.roundTrip, .roundTrip), (.mute, .mute), (.masterGain, .masterGain),
            (.monitor, .monitor),
            (.learn, .learn), (.resume, .resume), (.endTails, .endTails):
            true
        case (.tap(let slot, _), .tap(let laterSlot, _)): slot == laterSlot
        default: false
        }
    }
}
