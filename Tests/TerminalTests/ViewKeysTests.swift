import JackHost
import Pipelines
import Show
import Testing

import Terminal

@Suite("Keys of the view")
struct ViewKeysTests {
    private let state: ViewState = {
        var state = ViewState(
            Programme(
                name: "Friday",
                inputs: [
                    .init(port: "mic", reference: "mic"), .init(port: "in_2", reference: "in:2"),
                ]))
        state.take(
            Answer.values([
                .init("verb.bypass", .toggle(true)), .init("cut.bypass", .toggle(false)),
                .init("mute", .toggle(false)),
            ]))
        return state
    }()

    @Test(
        "ask the desk for what stands in the contract",
        arguments: [
            (Key.character("n"), "next-scene"), (.character("p"), "previous-scene"),
            (.character("N"), "next-song"), (.pageDown, "next-song"),
            (.character("P"), "previous-song"), (.pageUp, "previous-song"),
            (.character("t"), "tap"), (.character("!"), "panic"),
        ])
    func deeds(_ key: Key, _ address: String) {
        var state = state
        #expect(state.press(key) == .request(.set(address, nil)))
    }

    @Test("do nothing where they mean nothing, least of all panic")
    func idle() {
        var state = state
        for key in [Key.character(" "), .character("1"), .character("\r"), .character("é")] {
            #expect(state.press(key) == nil)
        }
    }

    @Test("mute and unmute by what is on now")
    func mute() {
        var state = state
        #expect(state.press(.character("m")) == .request(.set("mute", .toggle(true))))
        state.take(.changed(.init("mute", .toggle(true))))
        #expect(state.press(.character("m")) == .request(.set("mute", .toggle(false))))
    }

    @Test("choose a node in a circle, and bypass that one")
    func bypass() {
        var state = state
        #expect(state.press(.character("b")) == nil)
        #expect(state.refusal != nil)
        _ = state.press(.down)
        #expect(state.press(.character("b")) == .request(.set("cut.bypass", .toggle(true))))
        _ = state.press(.down)
        #expect(state.press(.character("b")) == .request(.set("verb.bypass", .toggle(false))))
        _ = state.press(.down)
        #expect(state.chosenNode == "cut")
        _ = state.press(.up)
        #expect(state.chosenNode == "verb")
    }

    @Test("have the tuner listen to one input after the other, then to none")
    func tuner() {
        var state = state
        var course: [String] = []
        for _ in 0..<4 {
            guard case .request(.set("tuner", .text(let input))) = state.press(.character("u"))
            else {
                continue
            }
            course.append(input)
            state.take(.changed(.init("tuner", .text(input))))
        }
        #expect(course == ["mic", "in:2", "", "mic"])
    }

    @Test("quit, and forgive clipping")
    func rest() {
        var state = state
        #expect(state.press(.character("q")) == .quit)
        state.take(.level(port: "mic", peak: 0, rms: -3))
        state.take(.level(port: "mic", peak: -20, rms: -30))
        #expect(state.meters["mic"]?.hasClipped == true)
        #expect(state.press(.character("c")) == nil)
        #expect(state.meters["mic"]?.hasClipped == false)
    }

    @Test("are told why a wish was refused, until the next key")
    func refusal() {
        var state = state
        state.take(Answer.refused("There is no scene 'vers'", suggestion: "verse"))
        #expect(state.refusal == "There is no scene 'vers' (did you mean verse?)")
        _ = state.press(.up)
        #expect(state.refusal == nil)
    }
}
