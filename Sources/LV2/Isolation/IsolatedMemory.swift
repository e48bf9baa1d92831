internal import CRealtime
internal import Processing
internal import Synchronization

/// The memory that the audio thread and the guardian of an isolated plugin share.
///
/// It is freed with this object.
final class IsolatedMemory: @unchecked Sendable {
    // SAFETY: the handover and the values are atomic; only the audio thread uses the rest.
    let values: UnsafeMutablePointer<Atomic<UInt32>>
    let sent: UnsafeMutablePointer<UInt32>
    let handover: UnsafeMutablePointer<IsolatedCore.Handover>
    let absence: UnsafeMutablePointer<UInt32>
    let reports: UnsafeMutablePointer<Float>
    let news: UnsafeMutablePointer<RTNews>
    /// Bytes of each message ring; 0 if there are no rings.
    let messageBytes: Int
    /// The buffer in which a message is assembled.
    let message: UnsafeMutableRawPointer
    private let parameterCount: Int

    init(parameters: [Float], reportCount: Int, messageBytes: Int) {
        parameterCount = parameters.count
        values = .allocate(capacity: parameterCount + 1)
        sent = .allocate(capacity: parameterCount + 1)
        // The last value is the bypass flag.
        for (index, value) in (parameters + [0]).enumerated() {
            (values + index).initialize(to: Atomic(value.bitPattern))
            (sent + index).initialize(to: value.bitPattern)
        }
        handover = .allocate(capacity: 1)
        handover.initialize(to: IsolatedCore.Handover())
        absence = .allocate(capacity: 1)
        absence.initialize(to: 0)
        reports = .allocate(capacity: max(1, reportCount))
        reports.initialize(repeating: 0, count: max(1, reportCount))
        news = .allocate(capacity: 1)
        news.initialize(to: RTNews())
        self.messageBytes = messageBytes
        message = .allocate(byteCount: max(16, messageBytes), alignment: 16)
        message.initializeMemory(as: UInt8.self, repeating: 0, count: max(16, messageBytes))
    }

    deinit {
        values.deinitialize(count: parameterCount + 1)
        values.deallocate()
        sent.deallocate()
        handover.deinitialize(count: 1)
        handover.deallocate()
        absence.deallocate()
        reports.deallocate()
        news.deallocate()
        message.deallocate()
    }

    /// Stores a parameter value that the process already has; only while the audio thread is idle.
    func store(_ value: Float, at index: Int) {
        values[index].store(value.bitPattern, ordering: .relaxed)
        sent[index] = value.bitPattern
    }

    /// The current target values of the parameters.
    var parameters: [Float] {
        (0..<parameterCount).map { Float(bitPattern: values[$0].load(ordering: .relaxed)) }
    }
}
