/// The memory that is still available for processors and their buffers.
///
/// Callers check the budget before they allocate: a pipeline that does not fit is rejected and does
/// not end the program.
public struct MemoryBudget: Sendable {
    /// The free memory, and what limits it.
    public struct Room: Sendable, Equatable {
        /// The available memory in bytes, at least 0.
        public var freeBytes: Int
        /// The origin of the limit, as a part of a sentence: "the address space limit (ulimit -v)".
        public var limit: String

        /// Creates a result from its parts.
        public init(freeBytes: Int, limit: String) {
            self.freeBytes = freeBytes
            self.limit = limit
        }
    }

    private let measure: @Sendable () -> Room?

    /// Creates a budget that is measured at each access.
    ///
    /// - Parameter measure: Returns the room at this moment, or `nil` if there is no limit; called
    ///   on any thread except the audio thread.
    public init(_ measure: @escaping @Sendable () -> Room?) { self.measure = measure }

    /// The memory that the computer, the control group and the limits of this process leave.
    public static let system = MemoryBudget { SystemMemory().room }

    /// No limit.
    public static let unlimited = MemoryBudget { nil }

    /// The room at this moment, or `nil` if there is no limit.
    ///
    /// Not for the audio thread.
    public var room: Room? { measure() }
}
