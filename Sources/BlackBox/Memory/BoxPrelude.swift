internal import Engine

/// The state at the start of the store, as far as commands have set it: the values of commands whose
/// records were removed.
struct BoxPrelude {
    /// The number of the schedule at the start of the store.
    private(set) var schedule: UInt64 = 0
    /// Whether any record of a call was removed.
    private(set) var hasLost = false
    private var commands: [CapturedCommand] = []
    /// The largest number of commands; the oldest ones are forgotten.
    private static let capacity = 1024

    /// Follows the removal of a record.
    mutating func drop(_ record: CapturedWords) {
        switch record.kind {
        case .call, .gap: hasLost = true
        case .command: drop(CapturedCommand(record, from: 2))
        case .message, .end, nil: break
        }
    }

    private mutating func drop(_ command: CapturedCommand) {
        var command = command
        switch command.kind {
        case CapturedCommand.exchange:
            schedule = command.frame
            // The nodes of a splice keep their values; those of another schedule are new.
            if command.manner?.keepsNodes != true {
                commands.removeAll { [1, 7].contains($0.kind) }
            }
            return
        // A fade counts with its goal.
        case 1, 2:
            (command.kind, command.frame, command.number, command.style) = (1, 0, 0, 0)
            commands.removeAll {
                $0.kind == 1 && $0.first == command.first && $0.second == command.second
            }
        case 6, 19, 20, 5: commands.removeAll { [5, 6, 19, 20].contains($0.kind) }
        case 3, 4, 12, 13: commands.removeAll { $0.kind == command.kind }
        case 7: break
        default: return
        }
        commands.append(command)
        if commands.count > Self.capacity { commands.removeFirst() }
    }

    /// The commands, for the facts of a box.
    var stored: [StoredCommand] {
        commands.map { StoredCommand(BoxLog.TimedCommand(frame: 0, command: $0)) }
    }
}

extension Command.Exchange {
    /// Whether the nodes of the schedule before continue.
    fileprivate var keepsNodes: Bool {
        switch self {
        case .splice, .outerSong: true
        case .ringOut, .song, .replace: false
        }
    }
}
