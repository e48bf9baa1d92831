import Engine
import Pipelines
import SessionCore
import Testing

@Suite("The address space")
struct AddressSpaceTests {
    private let space: AddressSpace
    private let pipeline: Pipeline

    init() throws {
        let songs = try ["one", "two"].map {
            try Stage.song(
                """
                "inputs": { "in": { "channels": 2 }, "keys": { "kind": "midi" } },
                "nodes": [ { "id": "a", "type": "gain" } ],
                "scenes": { "soft": { "a.gain": -12 }, "loud": { "a.gain": 0 } },
                "midi": [ { "key": "g", "action": "panic" } ]
                """, name: $0)
        }
        var ports = EnginePorts()
        for song in songs { _ = ports.add(song.pipeline) }
        pipeline = songs[0].pipeline
        space = AddressSpace(
            values: LiveValues(atStartOf: songs[0].pipeline),
            songs: SongList(.init(name: "songs", songs: songs, isSetlist: true)), ports: ports,
            master: [.init("tempo", .number(120))])
    }

    private func operation(_ request: SessionRequest) throws -> AddressSpace.Operation {
        try space.operation(for: request, from: .here)
    }

    @Test("gives each valid request its typed operation")
    func operations() throws {
        let gain = try pipeline.address("a.gain").get()
        #expect(
            try operation(.set("a.gain", .number(-3))) == .move(.init(address: gain, value: -3)))
        #expect(
            try operation(.set("a.gain", .text("-3"))) == operation(.set("a.gain", .number(-3))))
        #expect(try operation(.set("scene", .text("loud"))) == .scene(1))
        #expect(try operation(.set("song", .number(2))) == .song(1))
        #expect(try operation(.set("tempo", .number(90))) == .tempo(90))
        #expect(try operation(.set("mute", .number(1))) == .mute(true))
        #expect(try operation(.set("gain", .number(-6))) == .gain(decibels: -6))
        #expect(
            try operation(.set("tuner", .text("in:2"))) == .tune(TunerInput(name: "in:2", slot: 1)))
        #expect(try operation(.set("tuner", .text(""))) == .tune(.none))
        #expect(try operation(.set("learn", .text("a.gain"))) == .learn("a.gain"))
        #expect(try operation(.set("learn", .text(""))) == .learn(nil))
        #expect(try operation(.perform(.panic)) == .perform(.panic))
        #expect(try operation(.get("tempo")) == .answer([.init("tempo", .number(120))]))
        #expect(try operation(.get("song")) == .answer([.init("song", .text("one"))]))
    }

    @Test("learns actions as well as addresses")
    func learnedActions() throws {
        #expect(try operation(.set("learn", .text("next-song"))) == .learn("next-song"))
        #expect(try operation(.set("learn", .text("tap"))) == .learn("tap-tempo"))
        let refusal = #expect(throws: AddressSpace.Refusal.self) {
            try operation(.set("learn", .text("next-sogn")))
        }
        #expect(refusal?.suggestion == "next-song")
    }

    @Test("presses only computer keys that have a binding")
    func keys() throws {
        #expect(try operation(.pressKey("g")) == .pressKey(103))
        for name in ["h", "", "gg", "é"] {
            #expect(throws: AddressSpace.Refusal.self) { try operation(.pressKey(name)) }
        }
    }

    @Test("accepts 0 and 1 for a toggle, and only for a toggle")
    func toggles() throws {
        let bypass = try pipeline.address("a.bypass").get()
        for (value, isOn) in [
            (Value.number(1), true), (.number(0), false), (.number(-0.0), false),
            (.toggle(true), true), (.text("true"), true), (.text("0"), false),
        ] {
            #expect(
                try operation(.set("a.bypass", value))
                    == .move(.init(address: bypass, value: isOn ? 1 : 0)))
        }
        for (address, value) in [
            ("a.bypass", Value.number(2)), ("a.gain", .toggle(true)), ("mute", .number(0.5)),
        ] {
            #expect(throws: AddressSpace.Refusal.self) { try operation(.set(address, value)) }
        }
    }

    @Test(
        "refuses unknown addresses and unsuitable values, with a suggestion",
        arguments: [
            (SessionRequest.set("scene", .text("lowd")), "there is no scene lowd", "loud"),
            (.set("song", .number(3)), "there is no song 3", nil),
            (.set("song", .number(0.5)), "there is no song 0.5", nil),
            (.get("pannic"), "there is no address \"pannic\"", "panic"),
            (.set("tempo", .number(1000)), "\"tempo\" must be 20…400 beats per minute", nil),
            (.set("tuner", .number(1)), "\"tuner\" must be a name", nil),
            (.set("tuner", .text("im")), "there is no input channel \"im\"", "in"),
        ] as [(SessionRequest, String, String?)])
    func refusals(request: SessionRequest, message: String, suggestion: String?) {
        #expect(throws: AddressSpace.Refusal(message: message, suggestion: suggestion)) {
            try operation(request)
        }
    }
}
