/// The states of bindings that outlive their schedule: the last press, and the position in a list.
///
/// A guarded press that starts another song also guards that song, which has a binding of the same
/// identity.
struct BindingStates: BitwiseCopyable {
    /// The number of slots of the hash table, a power of two.
    private static var capacity: Int { @_noLocks get { 4096 } }
    /// The maximum number of slots examined per look-up.
    private static var mostProbes: Int { @_noLocks get { 16 } }

    /// The state of one binding.
    struct State: BitwiseCopyable {
        /// The identity of the binding; 0 for an empty slot.
        var identity: UInt64 = 0
        /// The frame of the last press that had an effect.
        var pressedAt: UInt64 = 0
        var hasPress = false
        /// The entry of the list that was selected last; -1 for none.
        var entry: Int32 = -1
    }

    private let states: UnsafeMutablePointer<State>

    init(arena: Arena) { states = arena.allocate(Self.capacity, State()) }

    /// Returns the state of a binding; if there is no room, replaces the oldest state examined.
    @_noLocks
    func state(of identity: UInt64) -> UnsafeMutablePointer<State> {
        let start = Int(truncatingIfNeeded: identity &>> 20)
        var oldest = states + (start & (Self.capacity - 1))
        for probe in 0..<Self.mostProbes {
            let state = states + ((start &+ probe) & (Self.capacity - 1))
            if state.pointee.identity == identity { return state }
            if state.pointee.identity == 0 {
                state.pointee.identity = identity
                return state
            }
            if state.pointee.pressedAt < oldest.pointee.pressedAt { oldest = state }
        }
        oldest.pointee = State(identity: identity)
        return oldest
    }

    /// Returns the identity of a text: its FNV-1a hash, which is never 0.
    ///
    /// Glenn Fowler, Landon Curt Noll, Kiem-Phong Vo, "The FNV Non-Cryptographic Hash Algorithm".
    static func identity(of text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash ^= UInt64(byte)
            hash = hash &* 0x100_0000_01B3
        }
        return max(1, hash)
    }
}
