internal import CRealtime
internal import Processing
internal import Realtime
internal import Synchronization

/// The memory that the audio thread and the guardian of an isolated plugin share.
///
/// It is freed with this object.
final class IsolatedMemory: @unchecked Sendable {
    // SAFETY: the handover and the values are atomic; only the audio thread uses the rest.
    let values: Buffer<Atomic<UInt32>>
    let sent: Buffer<UInt32>
    let handover = Buffer(count: 1) { _ in IsolatedCore.Handover() }
    let missedOutput = Buffer<UInt32>(count: 1, repeating: 0)
    let reports: Buffer<Float>
    let status = Buffer(count: 1, repeating: RTStatus())
    /// Bytes of each message ring; 0 if there are no rings.
    let messageBytes: Int
    /// The buffer in which a message is assembled.
    let message: Buffer<CacheLine>
    /// Whether each parameter is a trigger, which has no value for a new process.
    let isTrigger: Buffer<Bool>
    private let parameterCount: Int

    init(parameters: [Float], isTrigger: [Bool]? = nil, reportCount: Int, messageBytes: Int) {
        parameterCount = parameters.count
        self.isTrigger = Buffer((isTrigger ?? parameters.map { _ in false }) + [false])
        // The last value is the bypass flag.
        let bits = (parameters + [0]).map(\.bitPattern)
        values = Buffer(count: bits.count) { Atomic(bits[$0]) }
        sent = Buffer(bits)
        reports = Buffer(count: max(1, reportCount), repeating: 0)
        self.messageBytes = messageBytes
        message = Buffer(byteCount: max(1, messageBytes))
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
