/// Returns the same plan with only as many buffers as its signals need at the same time.
///
/// A buffer is reused only after the last step that reads it, and never as an output of that same
/// step, because a plugin may fail if it reads and writes the same buffer.
func reusingBuffers(_ plan: Plan) -> Plan {
    var reuse = BufferReuse(lastUses: lastUses(in: plan))
    var result = plan
    result.steps = plan.steps.enumerated().map { reuse.rename($0.element, at: $0.offset) }
    result.outputs = plan.outputs.map { output in
        Plan.Output(
            buffers: output.buffers.map { $0.map { reuse.name($0) } },
            latencyFrames: output.latencyFrames)
    }
    result.bufferCount = reuse.bufferCount
    return result
}

extension Plan.Step {
    /// The buffers that the step reads.
    package var reads: [Plan.Buffer] {
        switch self {
        case .input: []
        case .delay(_, let from, _): [from]
        case .gain(_, _, let from, _): [from]
        case .blend(let terms, _): terms.map(\.buffer)
        case .node(let node):
            node.inputs.joined().compactMap { $0 } + node.dry.joined().map(\.buffer)
        }
    }

    /// The buffers that the step writes.
    package var writes: [Plan.Buffer] {
        switch self {
        case .input(_, let into): [into]
        case .delay(_, _, let into): [into]
        case .gain(_, _, _, let into): [into]
        case .blend(_, let into): [into]
        case .node(let node): node.outputs
        }
    }
}

/// Returns the last step that uses each signal; a signal that an output uses is needed until the
/// end of the cycle.
private func lastUses(in plan: Plan) -> [Int] {
    var last = [Int](repeating: 0, count: plan.bufferCount)
    for (index, step) in plan.steps.enumerated() {
        for buffer in step.reads + step.writes { last[buffer] = index }
    }
    for output in plan.outputs {
        for buffer in output.buffers.compactMap({ $0 }) { last[buffer] = plan.steps.count }
    }
    return last
}

/// Allocates and frees buffers.
private struct BufferReuse {
    private let lastUses: [Int]
    private(set) var bufferCount = 0
    private var names: [Int]
    private var free: [Int] = []

    init(lastUses: [Int]) {
        self.lastUses = lastUses
        names = Array(repeating: -1, count: lastUses.count)
    }

    func name(_ signal: Plan.Buffer) -> Plan.Buffer { names[signal] }

    mutating func rename(_ step: Plan.Step, at index: Int) -> Plan.Step {
        for signal in step.writes { names[signal] = allocate() }
        let renamed = step.renamed(name)
        for signal in Set(step.reads + step.writes).sorted() where lastUses[signal] == index {
            free.append(names[signal])
        }
        return renamed
    }

    private mutating func allocate() -> Plan.Buffer {
        if let buffer = free.popLast() { return buffer }
        bufferCount += 1
        return bufferCount - 1
    }
}

extension Plan.Step {
    /// Returns the step with other buffers.
    func renamed(_ name: (Plan.Buffer) -> Plan.Buffer) -> Plan.Step {
        switch self {
        case .input(let channel, let into): .input(channel: channel, into: name(into))
        case .delay(let wire, let from, let into):
            .delay(wire, from: name(from), into: name(into))
        case .gain(let gain, let level, let from, let into):
            .gain(gain, level, from: name(from), into: name(into))
        case .blend(let terms, let into):
            .blend(
                terms.map { .init(buffer: name($0.buffer), fade: $0.fade) }, into: name(into))
        case .node(let node): .node(node.renamed(name))
        }
    }
}

extension Plan.NodeStep {
    fileprivate func renamed(_ name: (Plan.Buffer) -> Plan.Buffer) -> Plan.NodeStep {
        var node = self
        node.inputs = inputs.map { $0.map { $0.map(name) } }
        node.outputs = outputs.map(name)
        node.dry = dry.map { $0.map { .init(buffer: name($0.buffer), gain: $0.gain) } }
        return node
    }
}
