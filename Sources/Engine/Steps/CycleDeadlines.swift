/// The deadlines of a schedule's steps: whether there are any, and how often the machine has missed
/// them.
struct CycleDeadlines: BitwiseCopyable {
    /// Whether the watchdog stops plugins that take too long.
    var isOn = false
    /// The number of overruns that the machine itself has caused since the engine was created.
    var machineOverruns: UInt32 = 0
}
