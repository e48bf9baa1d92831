internal import Pipelines
internal import Testing

@Suite("Adding a binding to a file's text")
struct PipelineTextTests {
    private static let pedal = LearnedTrigger(trigger: .controller(20), channel: 3, port: nil)

    private func adding(
        _ control: LearnedTrigger = pedal, to address: String = "a.gain", in text: String
    ) throws -> String {
        let changed = try PipelineText(Array(text.utf8)).adding(control, to: address)
        return String(decoding: changed.bytes, as: UTF8.self)
    }

    @Test("a file without bindings gets an array on separate lines")
    func missing() throws {
        let text =
            "{\n  \"version\": 1,\n  \"nodes\": [ { \"id\": \"a\", \"type\": \"gain\" } ]\n}\n"
        let expected = """
            {
              "version": 1,
              "nodes": [ { "id": "a", "type": "gain" } ],
              "midi": [
                { "cc": 20, "channel": 3, "to": "a.gain" }
              ]
            }

            """
        #expect(try adding(in: text) == expected)
    }

    @Test("tabs and carriage returns are kept, and so is a missing final newline")
    func tabs() throws {
        let text = "{\r\n\t\"version\": 1\r\n}"
        let expected =
            "{\r\n\t\"version\": 1,\r\n\t\"midi\": [\r\n\t\t{ \"cc\": 20, \"channel\": 3, \"to\": \"a.gain\" }\r\n\t]\r\n}"
        #expect(try adding(in: text) == expected)
    }

    @Test(
        "a list on one line stays on one line",
        arguments: [
            (#"{"version":1}"#, #"{"version":1,"midi":[{"cc":20,"channel":3,"to":"a.gain"}]}"#),
            (
                #"{ "version": 1, "midi": [] }"#,
                #"{ "version": 1, "midi": [ { "cc": 20, "channel": 3, "to": "a.gain" } ] }"#
            ),
            (
                #"{"version": 1, "midi": [{"cc": 1, "to": "b.mix"}]}"#,
                #"{"version": 1, "midi": [{"cc": 1, "to": "b.mix"}, {"cc": 20, "channel": 3, "to": "a.gain"}]}"#
            ),
            (
                "{\n  \"midi\": [ { \"cc\": 1, \"action\": \"panic\" } ],\n  \"version\": 1\n}",
                "{\n  \"midi\": [ { \"cc\": 1, \"action\": \"panic\" }, { \"cc\": 20, \"channel\": 3, \"to\": \"a.gain\" } ],\n  \"version\": 1\n}"
            ),
        ])
    func oneLine(text: String, expected: String) throws {
        #expect(try adding(in: text) == expected)
    }

    @Test("a list on several lines gets one more line")
    func lines() throws {
        let before = "{\n    \"midi\": [\n        {\"note\": 1, \"action\": \"panic\"}"
        let after = "\n    ],\n    \"version\": 1\n}\n"
        let added = ",\n        {\"cc\": 20, \"channel\": 3, \"to\": \"a.gain\"}"
        #expect(try adding(in: before + after) == before + added + after)
        let empty = "{\n    \"midi\": [\n    ],\n    \"version\": 1\n}\n"
        let filled =
            "{\n    \"midi\": [\n        { \"cc\": 20, \"channel\": 3, \"to\": \"a.gain\" }\n    ],\n    \"version\": 1\n}\n"
        #expect(try adding(in: empty) == filled)
    }

    @Test("an existing binding changes to the new control and keeps its other members")
    func replacing() throws {
        let text =
            #"{"version": 1, "midi": [ { "cc": 11, "port": "feet",  "to": "a.gain", "range": [-6.0, 1e0] }, {"cc": 2, "to": "a.pan"} ]}"#
        let expected =
            #"{"version": 1, "midi": [ { "cc": 20, "channel": 3, "to": "a.gain", "range": [-6.0, 1e0] }, {"cc": 2, "to": "a.pan"} ]}"#
        #expect(try adding(in: text) == expected)
        let lines =
            "{\n \"midi\": [\n  {\n   \"to\": \"a.gain\",\n   \"cc\": 1\n  }\n ],\n \"version\": 1\n}"
        let moved =
            "{\n \"midi\": [\n  {\n   \"cc\": 20,\n   \"channel\": 3,\n   \"to\": \"a.gain\"\n  }\n ],\n \"version\": 1\n}"
        #expect(try adding(in: lines) == moved)
    }

    @Test("notes and programs toggle, and only controllers that send steps keep relative modes")
    func modes() throws {
        let note = LearnedTrigger(trigger: .note(60), channel: nil, port: "feet")
        #expect(
            try adding(note, in: #"{"midi":[]}"#)
                == #"{"midi":[{"note":60,"port":"feet","to":"a.gain","mode":"toggle"}]}"#)
        let relative =
            #"{"midi":[{"cc":1,"to":"a.gain","mode":"relative","encoding":"offset","range":[0,1]}]}"#
        #expect(
            try adding(note, in: relative)
                == #"{"midi":[{"note":60,"port":"feet","to":"a.gain","range":[0,1],"mode":"toggle"}]}"#
        )
        #expect(
            try adding(in: relative)
                == #"{"midi":[{"cc":20,"channel":3,"to":"a.gain","mode":"relative","encoding":"offset","range":[0,1]}]}"#
        )
        let fine = LearnedTrigger(trigger: .controller(2), channel: nil, port: nil, isFine: true)
        #expect(
            try adding(fine, in: relative)
                == #"{"midi":[{"cc":2,"bits":14,"to":"a.gain","range":[0,1]}]}"#)
        let program = LearnedTrigger(trigger: .program(5), channel: nil, port: nil, bank: 130)
        #expect(
            try adding(program, in: #"{"midi":[{"cc":2,"to":"a.gain","mode":"momentary"}]}"#)
                == #"{"midi":[{"program":5,"bank":130,"to":"a.gain","mode":"momentary"}]}"#)
    }

    @Test("an action is bound by its name, and keeps the keys that fit the new control")
    func actions() throws {
        #expect(
            try adding(to: "next-song", in: #"{"midi":[]}"#)
                == #"{"midi":[{"cc":20,"channel":3,"action":"next-song"}]}"#)
        let long = #"{"midi":[{"note":1,"action":"panic","press":"long","hold":1,"guard":2}]}"#
        #expect(
            try adding(to: "panic", in: long)
                == #"{"midi":[{"cc":20,"channel":3,"action":"panic","press":"long","hold":1,"guard":2}]}"#
        )
        let program = LearnedTrigger(trigger: .program(5), channel: nil, port: nil)
        #expect(
            try adding(program, to: "panic", in: long)
                == #"{"midi":[{"program":5,"action":"panic","guard":2}]}"#)
    }

    @Test("the checker accepts a learned action, even from a 14-bit controller")
    func checkedAction() throws {
        let fine = LearnedTrigger(trigger: .controller(2), channel: 16, port: nil, isFine: true)
        let text = pipeline(nodes: #"{"id": "a", "type": "gain"}"#)
        let found = try decode(try adding(fine, to: "panic", in: text)).bindings
        #expect(found.map(\.action) == [.perform(.panic)])
    }

    @Test("pitch bend and pressure move a value without a mode")
    func positions() throws {
        let bend = LearnedTrigger(trigger: .bend, channel: 1, port: nil)
        #expect(
            try adding(
                bend, in: #"{"midi":[{"note":1,"to":"a.gain","mode":"toggle","range":[0,1]}]}"#)
                == #"{"midi":[{"bend":true,"channel":1,"to":"a.gain","range":[0,1]}]}"#)
        let pressure = LearnedTrigger(trigger: .channelPressure, channel: 1, port: nil)
        #expect(
            try adding(pressure, in: #"{"midi":[]}"#)
                == #"{"midi":[{"pressure":true,"channel":1,"to":"a.gain"}]}"#)
    }

    @Test("the checker accepts a learned binding")
    func checked() throws {
        let text = pipeline(nodes: #"{"id": "a", "type": "gain"}"#)
        let fine = LearnedTrigger(
            trigger: .controller(2), channel: 16, port: nil, isFine: true)
        let found = try decode(try adding(fine, in: text)).bindings
        #expect(found.map(\.trigger) == [.controller(2)])
        #expect(found.map(\.channel) == [16] && found.map(\.isFine) == [true])
    }

    @Test(
        "a text that is not a valid object is unchanged, with the reason",
        arguments: [
            "", "[]", "{\"a\": 1,}", "\u{FEFF}{}", "{\"midi\": {}}", "{\"a\": 1, \"a\": 2}",
            "{} x",
        ])
    func unsound(text: String) {
        #expect(throws: EditError.self) { _ = try adding(in: text) }
    }
}
