/// Targets of `Kernel.set` for processors that play sounds, in addition to `RTTarget`.
///
/// They have no address. Other processors ignore them.
public enum PlaybackTarget {
    /// The length of the fade-out of the next stop, in seconds.
    public static var stopSeconds: Int32 { @_noLocks @inlinable get { -5 } }
}
