internal import Pipelines
internal import SessionCore

/// The parts `overview` and `meters`.
enum OverviewJSON {
    /// Returns the songs, scenes, inputs and keys to choose from.
    static func object(_ description: SessionDescription) -> JSONValue {
        let collection = SongCollection(
            name: description.name, songs: description.songs, isSetlist: description.isSetlist)
        let overview = SessionOverview(of: collection, song: description.song)
        return [
            "name": .string(description.name), "setlist": .bool(description.isSetlist),
            "song": .integer(description.song + 1),
            "songs": .array(description.songs.enumerated().map(song)),
            "scenes": .array(description.pipeline.scenes.map(scene)),
            "inputs": .array(
                overview.inputs.map {
                    ["port": .string($0.port), "tuner": .string($0.reference)]
                }),
            "keys": .array(overview.keys.map { .string($0) }),
        ]
    }

    private static func song(_ index: Int, _ song: Song) -> JSONValue {
        [
            "number": .integer(index + 1), "name": .string(song.name),
            "notes": .string(song.notes), "color": .string(song.color),
            "gain": .number(song.pipeline.gainDecibels), "refusal": .optional(song.refusal),
        ]
    }

    private static func scene(_ scene: Pipeline.Scene) -> JSONValue {
        let cue: JSONValue =
            scene.cue.isEmpty
            ? .null
            : [
                "number": .optional(scene.cue.number), "text": .optional(scene.cue.text),
                "then": .bool(scene.cue.follow != nil),
            ]
        return [
            "name": .string(scene.name), "gain": .number(scene.gainDecibels ?? 0), "cue": cue,
        ]
    }

    /// Returns the channels of the binary meters of nodes, in their order.
    static func nodeMeters(_ description: SessionDescription) -> JSONValue {
        .array(
            description.pipeline.nodes.flatMap { node in
                (0..<node.outputChannels).map {
                    ["node": .string(node.id), "channel": .integer($0)]
                }
            })
    }

    /// Returns the channels of the binary meters, in their order.
    static func meters(_ description: SessionDescription) -> JSONValue {
        .array(
            description.inputPorts.map { ["port": .string($0), "direction": "input"] }
                + description.outputPorts.map { ["port": .string($0), "direction": "output"] })
    }
}
