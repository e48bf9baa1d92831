package import Pipelines

/// The values of the whole session that bindings move, as targets of a `BoundChange`.
package enum MasterTarget: Int32, BitwiseCopyable, CaseIterable, Sendable {
    /// The gain of all outputs, in dB.
    case gain
    /// In beats per minute.
    case tempo
    /// 0 or 1.
    case mute

    /// Creates the target of a value.
    package init(_ value: MasterValue) {
        self =
            switch value {
            case .gain: .gain
            case .tempo: .tempo
            case .mute: .mute
            }
    }

    /// The number of targets.
    static var count: Int { @_noLocks get { 3 } }
}
