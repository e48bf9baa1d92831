import SessionCore
import Testing

import Terminal

@Suite("Keys of the view")
struct ViewKeysTests {
    private let state: ViewState = {
        var state = ViewState(
            SessionOverview(
                name: "Friday",
                inputs: [
                    .init(port: "mic", reference: "mic"), .init(port: "in_2", reference: "in:2"),
                ]))
        state.receive(
            Answer.values([
                .init("verb.bypass", .toggle(true)), .init("cut.bypass", .toggle(false)),
                // A parameter of the plugin, not another node.
                .init("verb.parameters.bypass", .toggle(false)),
                .init("mute", .toggle(false)),
            ]))
        return state
    }()

    @Test(
        "send the documented requests to the control",
        arguments: [
            (Key.character("n"), SessionCommand.nextScene), (.character("p"), .previousScene),
            (.character("N"), .nextSong), (.pageDown, .nextSong),
            (.character("P"), .previousSong), (.pageUp, .previousSong),
            (.character("t"), .tap), (.character("!"), .panic),
            (.character("s"), .save),
        ])
    func commands(_ key: Key, _ command: SessionCommand) {
        var state = state
        #expect(state.press(key) == .request(.perform(command)))
    }

    @Test("do nothing if they have no meaning; above all, they cause no panic")
    func idle() {
        var state = state
        for key in [Key.character(" "), .character("1"), .character("\r"), .character("é")] {
            #expect(state.press(key) == nil)
        }
    }

    @Test("mute and unmute, depending on the current state")
    func mute() {
        var state = state
        #expect(state.press(.character("m")) == .request(.set("mute", .toggle(true))))
        state.receive(.valueChanged(.init("mute", .toggle(true))))
        #expect(state.press(.character("m")) == .request(.set("mute", .toggle(false))))
    }

    @Test("select a node in a cycle, and bypass that node")
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

    @Test("connect the tuner to one input after the other, then to none")
    func tuner() {
        var state = state
        var course: [String] = []
        for _ in 0..<4 {
            guard case .request(.set("tuner", .text(let input))) = state.press(.character("u"))
            else {
                continue
            }
            course.append(input)
            state.receive(.valueChanged(.init("tuner", .text(input))))
        }
        #expect(course == ["mic", "in:2", "", "mic"])
    }

    @Test("quit, and clear the clipping display")
    func rest() {
        var state = state
        #expect(state.press(.character("q")) == .quit)
        state.receive(.level(port: "mic", peak: 0, rms: -3))
        state.receive(.level(port: "mic", peak: -20, rms: -30))
        #expect(state.meters["mic"]?.hasClipped == true)
        #expect(state.press(.character("c")) == nil)
        #expect(state.meters["mic"]?.hasClipped == false)
    }

    @Test("show the reason for a refusal until the next key")
    func refusal() {
        var state = state
        state.receive(Answer.refused("There is no scene 'vers'", suggestion: "verse"))
        #expect(state.refusal == "There is no scene 'vers' (did you mean verse?)")
        _ = state.press(.up)
        #expect(state.refusal == nil)
    }
}
