internal import Engine
internal import Pipelines
internal import Processing

/// The state at the start of the store: the values that removed commands have set.
struct BoxPrelude {
    /// The number of the schedule at the start of the store.
    private(set) var schedule: UInt64 = 0
    /// Whether any record of a call was removed.
    private(set) var hasLost = false
    /// The pipelines of the schedules from `schedule` on, by number.
    private(set) var pipelines: [UInt64: Pipeline] = [:]
    /// The values of nodes, by the id of the node and the target.
    private var values: [Key: Float] = [:]
    /// The ids of the halted nodes.
    private var halted: Set<String> = []
    /// The name of the scene whose gain the level of the song has.
    private var levelScene: String?
    /// The last command of each kind for the session as a whole.
    private var commands: [CapturedCommand] = []

    private struct Key: Hashable {
        let node: String
        let target: Int32
    }

    /// Adds the pipeline of a schedule.
    mutating func add(_ pipeline: Pipeline, number: UInt64) { pipelines[number] = pipeline }

    /// Follows the removal of a record.
    mutating func drop(_ record: CapturedWords) {
        switch record.kind {
        case .call, .gap: hasLost = true
        case .command: drop(CapturedCommand(record, from: 2))
        case .message, .arrivals, .state, .sound, .end, nil: break
        }
    }

    private mutating func drop(_ command: CapturedCommand) {
        switch command.command {
        case nil: if let manner = command.manner { follow(command.frame, manner) }
        // A fade counts as its final value.
        case .set(let node, let target, let value, _), .fade(let node, let target, let value, _, _):
            set(Int(node), target, value)
        case .scene(let index): apply(scene: Int(index))
        case .halt(let node, let isOn): set(isHalted: isOn, Int(node))
        case .sceneLevel(let index, _): moveLevel(toScene: Int(index))
        case .fadeIn, .fadeOut, .silence, .resume: replace(command, among: [5, 6, 19, 20])
        case .tempo, .roundTrip, .mute, .masterGain: replace(command, among: [command.kind])
        default: break
        }
    }

    private mutating func replace(_ command: CapturedCommand, among kinds: [Int32]) {
        commands.removeAll { kinds.contains($0.kind) }
        commands.append(command)
    }

    private mutating func set(_ node: Int, _ target: Int32, _ value: Float) {
        guard let nodes = pipelines[schedule]?.nodes, nodes.indices.contains(node) else { return }
        // An action has no value.
        let parameters = nodes[node].parameters
        if target >= 0,
            !parameters.indices.contains(Int(target))
                || parameters[Int(target)].isTrigger
        {
            return
        }
        values[Key(node: nodes[node].id, target: target)] = value
    }

    private mutating func set(isHalted: Bool, _ node: Int) {
        guard let nodes = pipelines[schedule]?.nodes, nodes.indices.contains(node) else { return }
        if isHalted {
            halted.insert(nodes[node].id)
        } else {
            halted.remove(nodes[node].id)
        }
    }

    private mutating func moveLevel(toScene index: Int) {
        guard let scenes = pipelines[schedule]?.scenes, scenes.indices.contains(index) else {
            return
        }
        levelScene = scenes[index].name
    }

    private mutating func apply(scene index: Int) {
        moveLevel(toScene: index)
        guard let pipeline = pipelines[schedule], pipeline.scenes.indices.contains(index) else {
            return
        }
        for change in pipeline.scenes[index].changes {
            set(change.address.node, change.target, change.value)
        }
    }

    /// Follows an exchange of the schedule: the nodes of a splice keep their values, those of
    /// another schedule are new.
    private mutating func follow(_ number: UInt64, _ manner: Command.Exchange) {
        let former = pipelines[schedule]?.nodes ?? []
        schedule = number
        pipelines = pipelines.filter { $0.key >= number }
        guard manner.keepsNodes, let nodes = pipelines[number]?.nodes else {
            (values, halted, levelScene) = ([:], [], nil)
            return
        }
        let ids = Set(nodes.map(\.id))
        // A variant or a node of another type is another instance, which is not halted.
        halted = halted.filter { id in
            nodes.contains { node in
                node.id == id && !node.isReduced && node.whenLate != nil
                    && former.contains { $0.id == id && $0.type == node.type }
            }
        }
        values = values.filter { ids.contains($0.key.node) }
    }

    /// The command that moves the level of the song to the gain of its scene, if there is one.
    private var level: [CapturedCommand] {
        guard let pipeline = pipelines[schedule], pipeline.usesSceneGains,
            let index = pipeline.scenes.firstIndex(where: { $0.name == levelScene })
        else { return [] }
        return [
            CapturedCommand(
                kind: 21, first: Int32(clamping: index), second: 0, value: 0, frame: 0, number: 0,
                style: 0)
        ]
    }

    /// The commands that halt nodes.
    private var halts: [CapturedCommand] {
        let nodes = pipelines[schedule]?.nodes ?? []
        return nodes.indices.filter { halted.contains(nodes[$0].id) }.map {
            CapturedCommand(
                kind: 22, first: Int32(clamping: $0), second: 1, value: 0, frame: 0, number: 0,
                style: 0)
        }
    }

    /// The commands, for the facts of a box.
    var stored: [StoredCommand] {
        let nodes = pipelines[schedule]?.nodes ?? []
        let sets = values.compactMap { key, value in
            nodes.firstIndex { $0.id == key.node }.map { node in
                CapturedCommand(
                    kind: 1, first: Int32(clamping: node), second: key.target, value: value,
                    frame: 0, number: 0, style: 0)
            }
        }
        let ordered = sets.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
        return (ordered + level + halts + commands).map {
            StoredCommand(BoxLog.TimedCommand(frame: 0, command: $0))
        }
    }
}

extension Pipeline.Change {
    /// The target in the form of commands.
    fileprivate var target: Int32 {
        switch address.target {
        case .parameter(let index): Int32(clamping: index)
        case .bypass: -2
        case .mix: -1
        }
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
