/// The figures by which nodes give way to their cheaper variants, on the audio thread and in the session.
public enum ReductionRule {
    /// The load below which the nodes should remain, as a share of the period.
    public static var highLoad: Double { @_noLocks get { 0.85 } }
    /// The share of its load that a node with other settings is assumed to save, before it has shown
    /// it.
    public static var savingBySettings: Double { @_noLocks get { 0.5 } }
}
