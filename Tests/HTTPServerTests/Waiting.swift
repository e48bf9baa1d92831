import Glibc

/// Polls until a condition holds, for at most 20 s.
func waitUntil(_ fits: () -> Bool) -> Bool {
    for _ in 0..<2_000 {
        if fits() { return true }
        usleep(10_000)
    }
    return false
}
