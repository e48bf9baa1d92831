internal import Engine

/// Commands that the engine had no room for, in their order, of each kind the latest alone.
struct Unsent {
    private var commands: [Command] = []

    var isEmpty: Bool { commands.isEmpty }

    /// Keeps a command until there is room for it.
    mutating func add(_ command: Command) {
        commands.removeAll { $0.isUndone(by: command) }
        commands.append(command)
    }

    /// Sends what there is room for.
    mutating func send(to engine: Engine) {
        while let first = commands.first, engine.send(first) { commands.removeFirst() }
    }
}

extension Command {
    /// Whether it has no effect any more once another one is carried out.
    fileprivate func isUndone(by later: Command) -> Bool {
        switch (self, later) {
        case (.tempo, .tempo), (.mute, .mute), (.masterGain, .masterGain), (.hear, .hear),
            (.learn, .learn), (.resume, .resume), (.hush, .hush):
            true
        default: false
        }
    }
}
