internal import Synchronization

/// Something that befell a node while it played, or the end of it.
public enum Incident: Sendable, Equatable {
    /// Its own process ended or hangs, with the reason; the node passes its dry signal until the process is back.
    case lost(reason: String)
    /// Its own process gave no sound in time; the node passes its dry signal until it does.
    case away
    /// Its process was started again, and plays.
    case back
    /// Its process is not started again, with the reason; the node passes its dry signal from now on.
    case abandoned(reason: String)
    /// The state of its own process cannot be kept, with the reason; started again it would have the state that the file
    /// gives it.
    case stateNotKept(reason: String)
    /// It took too long again and again, at worst so many periods; the node passes its dry signal from now on.
    case stopped(periods: Double)
    /// It wrote beyond the end of a buffer.
    case wroteBeyond
    /// It has not come back from its run for so many seconds, and holds up the audio thread.
    case stuck(seconds: Double)
    /// Another title plays.
    case title(String)
    /// A source waits for sound, and has so much of what it needs to go on, from 0 through 1.
    case buffering(Double)
    /// A source plays on.
    case playing
    /// A source's connection was lost, with the reason; it is made anew for the so-manieth time.
    case reconnecting(attempt: Int, reason: String)
    /// A source played to its end.
    case ended
    /// A source gives no sound any more, with the reason.
    case silenced(reason: String)
    /// A disk was too slow: so many frames were silence.
    case starved(frames: Int)
    /// A take began, in this file.
    case takeStarted(path: String)
    /// A take is whole: how long it is, and its peak in dB.
    case takeFinished(path: String, seconds: Double, peak: Double)
    /// A take ended before its time, with the reason; what was written can be read.
    case takeStopped(path: String, reason: String)
}

/// Incidents on their way from the thread that finds them to the one that tells of them.
public final class IncidentLog: Sendable {
    private let incidents = Mutex<[Incident]>([])

    /// An empty log.
    public init() {}

    /// Adds an incident.
    public func add(_ incident: Incident) { incidents.withLock { $0.append(incident) } }

    /// The oldest incident, taken out.
    public func next() -> Incident? {
        incidents.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
