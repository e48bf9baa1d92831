extension Resource {
    /// The texts about a request to the resource, for the reference.
    struct Texts {
        /// The body of the request; empty without one.
        var body = ""
        /// The meaning or the answer, without a full stop at its end.
        let meaning: String
    }

    /// Returns the texts about a method of the resource.
    func texts(_ method: String) -> Texts {
        switch self {
        case .values:
            Texts(meaning: "all values that can be set: `{\"revision\": 12, \"values\": {…}}`")
        case .value: method == "PUT" ? Self.newValue : Self.oneValue
        case .reports:
            Texts(meaning: "all values that nodes report: `{\"revision\": 12, \"reports\": {…}}`")
        case .action:
            Texts(
                body: "empty, or the value of the action as JSON",
                meaning: """
                    performs an action. The answer is that of a WebSocket without its `id`. Actions \
                    that edit a file need the role `edit`
                    """)
        case .key:
            Texts(meaning: "presses a computer key to which the song has a binding")
        case .pipeline: Texts(meaning: "the part `pipeline`: the current song")
        case .playedFiles: Texts(meaning: "the part `files`: the files that play, with their tags")
        case .playedFile: method == "PATCH" ? Self.edit : Self.fileText
        case .references:
            Texts(
                meaning: """
                    the patch that changes all references to a name in the file: \
                    `{"tag": "…", "operations": […]}`
                    """)
        case .library:
            Texts(
                meaning: """
                    the files in the folder of the file and below that nodes can use: \
                    `{"folder": "…", "files": […], "truncated": false}`
                    """)
        case .libraryFile:
            Texts(
                body: "a sound file, a model or a pipeline",
                meaning: """
                    writes the file below that folder. The answer is status 201 with its facts, or \
                    200 if it has replaced another one
                    """)
        case .templates:
            Texts(meaning: "the pipelines that come with the program: `[{\"name\": \"…\"}]`")
        case .template: Texts(meaning: "the text of such a pipeline")
        case .presets:
            Texts(meaning: "the presets of a node's plugin: `[{\"label\": \"…\", \"uri\": \"…\"}]`")
        case .preset:
            Texts(
                meaning: """
                    saves the present values of a node as a preset of its plugin; `?replace` \
                    replaces one of this name. The answer is status 201 with `label` and `folder`
                    """)
        case .palette:
            Texts(meaning: "the types of nodes: `{\"types\": […], \"error\": null}`")
        case .paletteType:
            Texts(meaning: "everything about a type, by its name or its percent-encoded URI")
        case .drawing: Texts(meaning: "the drawing of the current song as SVG")
        case .ports: Texts(meaning: "the part `ports`: the ports of the JACK server")
        case .connections: method == "POST" ? Self.newConnection : Self.allConnections
        case .state: Texts(meaning: "the message `snapshot` of a WebSocket")
        case .live: Texts(meaning: "opens the WebSocket")
        case .access: access(method)
        case .pair:
            Texts(
                body: """
                    `{"code": "123456", "name": "phone"}`, with `"script": true` for a script
                    """,
                meaning: """
                    pairs a device. The answer is `{"device", "name", "role", "limit"}`; a script \
                    gets its `key` too, a browser gets a cookie
                    """)
        case .metrics: Texts(meaning: "figures for Prometheus")
        case .file: Texts(meaning: "a file of the page; `/` is `index.html`")
        }
    }

    private static let oneValue = Texts(
        meaning: "a value or a report: `{\"address\": \"verb.mix\", \"value\": 0.5}`")
    private static let newValue = Texts(
        body: """
            `0.5`, `true`, `"chorus"`, or `{"value": -24, "over": 5}` for a fade in seconds
            """,
        meaning: "sets a value. The answer is that of `GET`; for `song`, that of an action")
    private static let fileText = Texts(
        meaning: """
            the text of a file, with its tag as `ETag`. With `?download`, a browser saves it
            """)
    private static let edit = Texts(
        body: "a JSON Patch",
        meaning: """
            edits the file with the tag in `If-Match`; `?name=…` names the edit for the history. \
            The answer is `edited` of a WebSocket without its `id`
            """)
    private static let allConnections = Texts(meaning: "the part `connections`")
    private static let newConnection = Texts(
        body: "`{\"port\": \"mic\", \"other\": \"system:capture_1\", \"connected\": true}`",
        meaning: "connects or disconnects ports")

    private func access(_ method: String) -> Texts {
        switch method {
        case "PUT":
            Texts(
                body: "`{\"name\": \"drums\"}`", meaning: "changes the name of the device that asks"
            )
        case "DELETE": Texts(meaning: "ends the pairing of the device that asks")
        default: Texts(meaning: "the part `access`: the rights of the device that asks")
        }
    }
}
