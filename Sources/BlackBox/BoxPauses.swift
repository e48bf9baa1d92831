/// The pauses between boxes that nobody has asked for: a late machine must not fill the disk.
///
/// Each kind of reason has its own pause, so that an xrun does not hide a NaN.
public struct BoxPauses: Sendable {
    /// The time from a box to the next one of the same kind, in ns.
    private static let usualNanoseconds: UInt64 = 120_000_000_000
    /// The time from the first failure to the next attempt, in ns; it doubles with each failure.
    private static let failureNanoseconds: UInt64 = 10_000_000_000

    private var due: [BoxReason.Kind: UInt64] = [:]
    /// The pause after the last failure of each kind, in ns.
    private var failurePauses: [BoxReason.Kind: UInt64] = [:]
    /// The kinds of boxes that are being written.
    private var begun: Set<BoxReason.Kind> = []

    /// Creates a state without a pause.
    public init() {}

    /// Begins a box if there is no pause, and no box of this kind is being written.
    ///
    /// - Parameters:
    ///   - kind: The kind of the reason.
    ///   - now: The time in ns.
    /// - Returns: Whether the box should be written; then `end` must follow.
    public mutating func begin(_ kind: BoxReason.Kind, at now: UInt64) -> Bool {
        now >= due[kind, default: 0] && begun.insert(kind).inserted
    }

    /// Begins the pause after a box, which is short if the box could not be written.
    public mutating func end(_ kind: BoxReason.Kind, at now: UInt64, isWritten: Bool) {
        begun.remove(kind)
        let former = failurePauses.removeValue(forKey: kind)
        guard !isWritten else {
            due[kind] = now + Self.usualNanoseconds
            return
        }
        let pause = min(former.map { 2 * $0 } ?? Self.failureNanoseconds, Self.usualNanoseconds)
        (failurePauses[kind], due[kind]) = (pause, now + pause)
    }
}
