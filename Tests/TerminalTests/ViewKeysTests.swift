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
            (.character(" "), .go), (.character("B"), .back),
        ])
    func commands(_ key: Key, _ command: SessionCommand) {
        var state = state
        #expect(state.press(key) == .request(.perform(command)))
    }

    @Test("do nothing if they have no meaning; above all, they cause no panic")
    func idle() {
        var state = state
        for key in [Key.character("0"), .character("1"), .character("\r"), .character("é")] {
            #expect(state.press(key) == nil)
        }
    }

    @Test("ask for a code with r, but only if other machines can reach the page")
    func pair() {
        var alone = state
        #expect(alone.press(.character("r")) == nil && alone.refusal != nil)
        var open = ViewState(SessionOverview(name: "Friday"), canPair: true)
        #expect(open.press(.character("r")) == .pair && open.refusal == nil)
        // The file may bind the key.
        var bound = ViewState(SessionOverview(name: "Friday", keys: ["r"]), canPair: true)
        #expect(bound.press(.character("r")) == .request(.pressKey("r")))
    }

    @Test("do what the file binds to them, instead of their own action")
    func bound() {
        var state = ViewState(
            SessionOverview(name: "Friday", keys: ["space", "n", "up", "f5", "escape"]))
        for (key, name) in [
            (Key.character(" "), "space"), (.character("n"), "n"), (.up, "up"),
            (.named("f5"), "f5"), (.escape, "escape"),
        ] {
            #expect(state.press(key) == .request(.pressKey(name)))
        }
        #expect(state.press(.character("p")) == .request(.perform(.previousScene)))
        #expect(state.press(.named("f6")) == nil && state.refusal != nil)
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

    /// A state with songs and scenes, and the current ones.
    private func state(song: Int, scene: String) -> ViewState {
        var state = ViewState(
            SessionOverview(name: "Friday", scenes: ["verse", "chorus"], songs: ["A", "B"]))
        state.receive(
            Answer.values([.init("song", .number(Double(song))), .init("scene", .text(scene))]))
        return state
    }

    @Test(
        "say that the list has ended if nothing changes",
        arguments: [
            (Key.character("n"), String?("\"chorus\" is the last scene"), Answer.done),
            (.character("p"), nil, .done),
            (.character("N"), "\"B\" is the last song", .playing(song: "B")),
            (.pageDown, "\"B\" is the last song", .playing(song: "B")),
            (.character("P"), nil, .preparing(song: "A")),
        ])
    func end(_ key: Key, _ reason: String?, _ answer: Answer) {
        var state = state(song: 2, scene: "chorus")
        guard case .request(let request)? = state.press(key) else {
            Issue.record("no request")
            return
        }
        state.receive(answer, to: request)
        #expect(state.refusal == reason)
        state.receive(answer)
        _ = state.press(.up)
        #expect(state.refusal != reason || reason == nil)
    }

    @Test("say why values cannot be saved, and nothing while they are being saved")
    func saving() {
        var state = state(song: 1, scene: "verse")
        guard case .request(let request)? = state.press(.character("s")) else {
            Issue.record("no request")
            return
        }
        #expect(request == .perform(.save))
        state.receive(Answer.pending, to: request)
        #expect(state.refusal == nil)
        state.receive(Answer.refused("the file is read-only", suggestion: nil), to: request)
        #expect(state.refusal == "the file is read-only")
        // The answer can arrive long after its request, when the view shows another reason.
        let edit = FileEdit(.saved(scene: nil), path: "a.json", values: [])
        state.receive(Answer.edited(edit), to: request)
        #expect(state.refusal == "the file is read-only")
    }

    @Test("say at the start of a list that there is nothing before it")
    func start() {
        var state = state(song: 1, scene: "verse")
        state.receive(Answer.done, to: .perform(.previousScene))
        #expect(state.refusal == "\"verse\" is the first scene")
        state.receive(Answer.playing(song: "A"), to: .perform(.previousSong))
        #expect(state.refusal == "\"A\" is the first song")
    }

    @Test("say nothing if they lead to the end of the list")
    func arrival() {
        var state = state(song: 1, scene: "verse")
        state.receive(.valueChanged(.init("scene", .text("chorus"))))
        state.receive(.scene(name: "chorus"))
        state.receive(Answer.done, to: .perform(.nextScene))
        #expect(state.refusal == nil)
        state.receive(.valueChanged(.init("song", .number(2))))
        state.receive(.song(number: 2, name: "B"))
        state.receive(Answer.playing(song: "B"), to: .perform(.nextSong))
        #expect(state.refusal == nil)
        state.receive(Answer.done, to: .perform(.nextScene))
        #expect(state.refusal == "\"chorus\" is the last scene")
    }

    @Test("say why they have no effect in a session without songs, scenes, inputs and nodes")
    func nothing() {
        let empty = ViewState(SessionOverview(name: "Voice"))
        var reasons: [String?] = []
        for key in ["n", "N", "u", "c", "b", "x"] {
            var state = empty
            if case .request(let request)? = state.press(.character(Character(key))) {
                state.receive(Answer.done, to: request)
            }
            reasons.append(state.refusal)
        }
        #expect(
            reasons == [
                "This song has no scenes",
                "There are no other songs, because this file is not a setlist",
                "There is no audio input to tune", "Nothing has clipped",
                "There is no node to bypass", "This key has no action; ? shows all keys",
            ])
        var state = empty
        _ = state.press(.down)
        #expect(state.refusal == "There is no node to choose")
    }

    @Test("choose nodes in the order of the pipeline, once it is known")
    func order() {
        var state = state
        state.receive(
            .status(
                SessionStatus(
                    outputs: [], meanLoad: 0, worstLoad: 0, xruns: 0, latencyFrames: 0,
                    roundTripFrames: 0, sampleRate: 48_000, limiterGain: 1,
                    nodes: [
                        .init(node: "verb", mean: 0, worst: 0),
                        .init(node: "cut", mean: 0, worst: 0.5),
                    ])))
        _ = state.press(.down)
        #expect(state.chosenNode == "verb")
        _ = state.press(.down)
        #expect(state.chosenNode == "cut")
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
