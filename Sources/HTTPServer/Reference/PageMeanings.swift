extension PageRequestName {
    /// The members in addition to `id` and `request`, and the meaning without a full stop at its
    /// end, for the reference.
    var texts: (members: String, meaning: String) {
        switch self {
        case .set: ("`address`, `value`, `revision`", "sets a value")
        case .fade:
            ("`address`, `value`, `seconds`, `revision`", "fades a value of a node")
        case .perform:
            (
                "`action`, `revision`; `value` for an action that has one",
                """
                performs an action. `panic`, `tap`, `keep`, `fade-all` and `stop-all` need no \
                `revision`
                """
            )
        case .key: ("`key`", "presses a computer key to which the song has a binding")
        case .get: ("`address`", "reads a value or a report")
        case .edit:
            (
                "`file`, `tag`, `operations`; `name` if wanted",
                "edits a file that plays, named by the member `file` of the part `files`"
            )
        case .connect:
            (
                "`port`, `other`, `connected`",
                "connects a port of the session with a port of the server, or disconnects them"
            )
        case .snapshot: ("", "asks for a new snapshot, which arrives before the answer")
        case .watch:
            (
                "`meters`; `nodes` and `spectrum` if wanted",
                """
                chooses the frames of meters per second from 0 through 30, whether those of nodes \
                come too, and the node whose spectrum comes
                """
            )
        case .ping: ("", "is answered at once")
        }
    }
}

extension PageMessageName {
    /// The members in addition to `type` and `revision`, and the meaning without a full stop at its
    /// end, for the reference.
    var texts: (members: String, meaning: String) {
        switch self {
        case .snapshot:
            (
                "`protocol`, `version`, `run`, each part, `values`, `reports`, `events`",
                "the whole state: first, after another song or an edit, and on request"
            )
        case .values:
            (
                "`values`, `reports`",
                "new values of some addresses; a member is absent if it would be empty"
            )
        case .part: ("`name`, `value`", "a part of the snapshot has this new value, as a whole")
        case .event:
            (
                "`time`, `text`, `event`; `dropped` if events were dropped",
                "something happened: `event` is an object of `run --json`"
            )
        case .answer: ("`id`, `answer`, those of the answer", "the answer to a request")
        }
    }
}

extension PageAnswerName {
    /// The members, and the meaning without a full stop at its end, for the reference.
    var texts: (members: String, meaning: String) {
        switch self {
        case .done: ("", "the request is carried out")
        case .playing:
            (
                "`song`",
                """
                this song plays. It is another song than the requested one if a later request has \
                overtaken it
                """
            )
        case .preparing:
            (
                "`song`",
                "the song is being prepared; a second answer follows: `playing` or `refused`"
            )
        case .pending:
            (
                "",
                """
                a file is being edited, or a box is being written; a second answer follows: \
                `edited`, `conflict`, `values` (the path of the box, as `keep`) or `refused`
                """
            )
        case .edited:
            (
                "`kind` (`saved`, `edited`, `undone`, `redone`), `file`, `text`, `tag`",
                "the file was edited; `text` is a sentence, `tag` the new tag of the file or null"
            )
        case .conflict:
            (
                "`message`, `tag`",
                """
                the file has another content than that of the tag, and nothing was changed; `tag` \
                is the current one
                """
            )
        case .compared: ("`values` (`saved`, `live`)", "these values sound now")
        case .values: ("`values`", "an object with the requested addresses")
        case .stale:
            (
                "`message`; `value` for `set` and `fade`",
                "the request was too old, and nothing was changed; `value` is the current value"
            )
        case .refused:
            (
                "`message`, `suggestion`; `operation` or `diagnostics` for `edit`",
                """
                the request changed nothing; the suggestion is null, or the address or name that \
                was probably meant
                """
            )
        }
    }
}

extension StatePart {
    /// The meaning, without a full stop at its end, for the reference.
    var meaning: String {
        switch self {
        case .session: "names, the JACK server, sample rate, block size"
        case .overview: "songs, scenes, inputs and keys"
        case .pipeline: "the current song: signals, nodes, parameters, reports"
        case .problems: "the errors that the session tolerates"
        case .connections: "the connections of the session's ports"
        case .ports: "the ports of the JACK server"
        case .status: "loads, latencies and xruns"
        case .meters: "the channels of the frames of meters"
        case .nodeMeters: "the channels of the frames with levels of nodes"
        case .files: "the files that play, with their tags"
        case .history: "the edits that `undo` and `redo` change next"
        }
    }
}
