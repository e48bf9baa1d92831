public import Engine
public import Pipelines

/// What befalls a show, for those who look after it.
public enum ShowEvent: Sendable {
    /// The engine's report; nodes in it count as in the `nodeIDs` that hold since the last `.exchanged`.
    case report(Report)
    /// Another schedule plays: another song, an edited file, another format.
    case exchanged(Pipeline, Plan, nodeIDs: [String])
    /// A song plays.
    case song(Int, name: String)
    /// A scene is on.
    case scene(name: String)
    /// The file was edited, and what plays follows.
    case reloaded(song: Int)
    /// What was to be played can't be prepared; what plays goes on.
    case refused(PreparationFault)
    /// A control was moved to be bound to an address, in the song's file.
    case learned(String, LearnedTrigger, path: String)
    /// Whatever was sounding is silenced and prepared anew.
    case panic
}
