internal import Processing
internal import Realtime

/// A processor of a schedule whose output depends on data from other threads.
struct ArrivalSource: BitwiseCopyable {
    /// The index of the node in the schedule, and that of the processor in the node.
    let node: Int32
    let processor: Int32
    // SAFETY: the processor keeps its log alive, and the schedule its processors.
    let notes: UnsafeMutablePointer<ArrivalNotes>
}

extension [NodeInstance] {
    /// The processors whose output depends on data from other threads.
    var arrivalSources: [ArrivalSource] {
        enumerated().flatMap { node, instance in
            instance.processors.enumerated().compactMap { index, processor in
                processor.arrivals.map {
                    ArrivalSource(
                        node: Int32(clamping: node), processor: Int32(clamping: index),
                        notes: $0.notes)
                }
            }
        }
    }
}

// Arrivals of data from other threads, for a capture and for its replay.
extension Schedule {
    private var logs: [ArrivalLog] {
        instances.flatMap { $0.processors.compactMap(\.arrivals) }
    }

    /// Makes the processors note arrivals, and their state when the engine asks; before the schedule
    /// is handed over.
    func beginNoting() {
        for log in logs { log.beginNoting() }
        beginNotingState()
    }

    /// Makes the processors repeat arrivals instead of waiting for data, and provides memory for
    /// notes of their state; before the schedule is handed over.
    ///
    /// - Parameter isBehind: Whether the schedule has played before the first call of the replay.
    public func beginRepeating(isBehind: Bool = false) {
        for log in logs { log.beginRepeating(isBehind: isBehind) }
        beginNotingState()
    }

    /// Gives a processor the arrivals of the next call.
    ///
    /// - Parameters:
    ///   - noted: The words of the notes.
    ///   - node: The index of the node, as it was noted.
    ///   - processor: The index of the processor in the node.
    /// - Returns: Whether there is such a processor.
    public func give(_ noted: [UInt64], toNode node: Int, processor: Int) -> Bool {
        guard instances.indices.contains(node),
            instances[node].processors.indices.contains(processor),
            let log = instances[node].processors[processor].arrivals
        else { return false }
        log.give(noted)
        return true
    }

    /// Ends a call of a replay: forgets its arrivals, and notes that were not used.
    public func endRepeatedCall() {
        for index in 0..<core.pointee.arrivalCount {
            core.pointee.arrivals[index].notes.pointee.clear()
        }
        for index in 0..<core.pointee.stateCount {
            core.pointee.states[index].notes.pointee.forget()
        }
    }
}
