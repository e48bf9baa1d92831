internal import Processing
internal import Synchronization

/// What the audio thread and the guardian of an isolated plugin share.
///
/// Freed with this object.
final class IsolatedMemory: @unchecked Sendable {
    // SAFETY: the handover and the values are atomic; the rest is the audio thread's alone.
    let values: UnsafeMutablePointer<Atomic<UInt32>>
    let told: UnsafeMutablePointer<UInt32>
    let handover: UnsafeMutablePointer<IsolatedCore.Handover>
    let absence: UnsafeMutablePointer<UInt32>
    let reports: UnsafeMutablePointer<Float>
    private let parameterCount: Int

    init(parameters: [Float], reportCount: Int) {
        parameterCount = parameters.count
        values = .allocate(capacity: max(1, parameterCount))
        told = .allocate(capacity: max(1, parameterCount))
        for (place, value) in parameters.enumerated() {
            (values + place).initialize(to: Atomic(value.bitPattern))
            (told + place).initialize(to: value.bitPattern)
        }
        handover = .allocate(capacity: 1)
        handover.initialize(to: IsolatedCore.Handover())
        absence = .allocate(capacity: 1)
        absence.initialize(to: 0)
        reports = .allocate(capacity: max(1, reportCount))
        reports.initialize(repeating: 0, count: max(1, reportCount))
    }

    deinit {
        values.deinitialize(count: parameterCount)
        values.deallocate()
        told.deallocate()
        handover.deinitialize(count: 1)
        handover.deallocate()
        absence.deallocate()
        reports.deallocate()
    }

    /// The values that the parameters are to have now.
    var parameters: [Float] {
        (0..<parameterCount).map { Float(bitPattern: values[$0].load(ordering: .relaxed)) }
    }
}
