extension EventName {
    /// When the event is sent: a phrase without a full stop.
    package var meaning: String {
        switch self {
        case .started: "the first audio cycle has ended"
        case .song: "a song begins"
        case .songSkipped: "a song was not played, because it cannot play"
        case .scene: "a scene was applied"
        case .cue: "another cue is in effect or next; only for songs with cues"
        case .status: "each second"
        case .problems:
            "after `started` if the session tolerates errors, and again when they change"
        case .reloaded: "an edited file plays now, and its new nodes have addresses"
        case .preparationFailed:
            "a song, an edit or a new format could not be prepared; the current pipeline continues"
        case .switched: "a session manager has switched to another session"
        case .panic: "all sound was silenced, and all nodes were prepared again"
        case .ended: "the session has ended"
        case .dropped: "lines are missing here, because nobody read standard output"
        case .learned: "a MIDI control was moved, and is bound to an address"
        case .saved: "live values were saved in a file"
        case .edited: "a file was edited"
        case .undone: "an edit was undone: the file is as before it"
        case .redone: "an undone edit was made again"
        case .history: "other edits can be undone and redone next"
        case .saveRefused: "a MIDI control could not save, undo, redo or compare"
        case .compared: "other values sound after a comparison"
        case .boxKept: "the last minutes were written as a box, which can be replayed"
        case .boxNotKept: "a box could not be written"
        case .nonFinite: "a node produced NaN or infinity, and was silenced"
        case .overrun:
            "a cycle took longer than its period; at most once per second for each node"
        case .reduced: "a node plays its cheaper variant, because the machine is too slow"
        case .restored: "a node plays completely again"
        case .messagesDropped: "MIDI messages did not fit into the buffers of a node"
        case .latencyChanged: "the latency of a node has changed"
        case .pluginLost: "the child process of a plugin ended or hangs; it restarts"
        case .pluginAway: "the child process of a plugin delivered no sound in time"
        case .pluginBack: "the child process of a plugin delivers sound again"
        case .pluginAbandoned: "the child process of a plugin is not restarted"
        case .pluginStateNotKept:
            "after a restart, the child process of a plugin would begin with the state in the file"
        case .pluginCallRefused:
            "the sandbox of a plugin refused a system call; once for each call"
        case .pluginFileRefused:
            "the sandbox of a plugin refused an access to a file; once for each path"
        case .pluginSandboxIncomplete:
            "this machine does not support every restriction of a plugin's sandbox"
        case .pluginStopped:
            "a plugin took too long repeatedly, and passes its dry signal from now on"
        case .pluginStuck: "the run of a plugin does not return"
        case .pluginWroteBeyond: "a plugin wrote beyond the end of a buffer"
        case .title: "a player reports the title of its sound"
        case .buffering: "a player waits for sound"
        case .sourcePlaying: "a player continues"
        case .sourceEnded: "a player has reached the end"
        case .sourceReconnecting: "a player has lost its stream"
        case .sourceSilenced: "a player delivers no more sound"
        case .sourceStarved: "a disk was too slow"
        case .takeStarted: "a take has begun"
        case .takeFinished: "a take is complete"
        case .takeClipped: "a take that has ended contains samples beyond full scale"
        case .takeStopped: "a take could not be continued"
        case .takeRefused: "no new take begins until the limit allows it"
        case .serverStarted: "no JACK server was running, so the program has started one"
        case .nameChanged: "the requested name of the client is the name of a JACK server"
        case .nameTaken: "another client has the requested name"
        case .serverLost: "the JACK server has ended, or has removed the client"
        case .jackHangs:
            "the library of JACK has not answered for ten seconds while a server was left or joined"
        case .serverBack: "the session is part of the server's graph again"
        case .formatChanged: "the server has another sample rate or block size"
        case .timebase:
            "with `--timebase`, after a server was joined and when another program takes over"
        case .xruns: "at once for the first xrun, then at most every five seconds"
        case .connections: "soon after the start, and after each change"
        case .connectionRefused: "JACK refused to connect two ports"
        case .portRefused: "JACK refused a port that a new signal needs"
        case .invalidPattern: "a connection rule is not a valid regular expression"
        case .memoryNotLocked: "not all memory could be locked"
        case .coresNotUsed:
            "with `--cores`, one core is used, because threads get no real-time priority"
        case .freewheel: "the server began or ended freewheeling"
        case .bridge: "a bridge was started or has ended"
        case .follow: "about the session that this one follows"
        case .oscRefused:
            "OSC senders without access were refused; at once, then at most every minute"
        case .httpStarted: "the server of the page accepts requests"
        case .httpCode: "there is a new code for a pairing"
        case .httpCodeDied: "too many wrong codes have ended the code"
        case .httpPaired: "a device was paired"
        case .httpAccessFailed: "the file of the paired devices cannot be read or written"
        case .httpRefused:
            """
            the server of the page has refused requests since the last such event; at most twice \
            per second for each reason
            """
        }
    }
}
