package import Engine

/// Sends commands to the engine, and keeps those for which the engine's ring has no room.
///
/// The kept commands remain in order. If a later command overrides a kept one, only the later one
/// is kept.
package final class CommandQueue {
    private let deliver: (Command) -> Bool
    private var waiting: [Command] = []

    /// Creates an empty queue.
    ///
    /// - Parameter deliver: Hands a command to the engine; returns `false` if there is no room.
    package init(_ deliver: @escaping (Command) -> Bool) { self.deliver = deliver }

    /// Sends a command now, or as soon as there is room for it.
    package func send(_ command: Command) {
        if waiting.isEmpty, deliver(command) { return }
        waiting.removeAll { $0.isOverridden(by: command) }
        waiting.append(command)
    }

    /// Sends a command if there is room for it, ahead of any that wait.
    ///
    /// - Returns: Whether there was room.
    package func sendNow(_ command: Command) -> Bool { deliver(command) }

    /// Sends the waiting commands, as far as there is room.
    package func retry() {
        while let first = waiting.first, deliver(first) { waiting.removeFirst() }
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
        default: false
        }
    }
}
