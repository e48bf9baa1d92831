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
    /// What was edited is not valid; what plays goes on.
    case invalid(InvalidPipeline)
    /// What was to be played can't be prepared; what plays goes on.
    case refused(PreparationFault)
    /// The signals with the outside are others; the session has its ports follow.
    case outside(Outside)
    /// Whatever was sounding is silenced and prepared anew.
    case panic
}
