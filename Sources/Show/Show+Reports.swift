internal import CRealtime
internal import Engine
internal import Pipelines
internal import Processing

// What the engine tells.

extension Show {
    func take(_ report: Report) {
        switch report {
        case .exchanged: takeExchange()
        case .spliced: isSpliced = true
        case .settled: wishes.settles = playing.isTransition
        case .silenced where wishes.panic == .silencing:
            wishes.panic = .silent
            wishes.freshens = true
        case .latency: wishes.realigns = true
        case .moved(let node, let target, let value): noteMove(node, target, value)
        case .sceneOn(let place): noteScene(Int(place))
        case .songWanted(let place): if songs.indices.contains(Int(place)) { go(to: Int(place)) }
        case .performed(let place): perform(place)
        case .learned(let control): bind(control)
        case .heard(_, let hertz):
            tell(.pitch(hertz: Double(hertz) * playing.plan.format.sampleRate / earRate))
        default: break
        }
        events.append(.report(report))
    }

    private func takeExchange() {
        guard !handedOver.isEmpty else { return }
        let now = handedOver.removeFirst()
        reporting = now.pipeline
        events.append(.exchanged(now.pipeline, now.plan, nodeIDs: now.nodeIDs))
    }

    // MARK: MIDI

    /// Takes in that MIDI has moved a value.
    private func noteMove(_ node: Int32, _ target: Int32, _ value: Float) {
        guard
            let address = Pipeline.Address(node: Int(node), eventTarget: target, in: reporting),
            let here = reporting.counterpart(of: address, in: playing.pipeline), values.has(here)
        else { return }
        values[here] = value
        tellValue(at: here)
    }

    private func noteScene(_ place: Int) {
        guard reporting.scenes.indices.contains(place) else { return }
        take(scene: reporting.scenes[place], of: reporting)
    }

    private func perform(_ place: Int32) {
        let all = Pipeline.Binding.Command.allCases
        guard all.indices.contains(Int(place)) else { return }
        switch all[Int(place)] {
        case .nextScene: stepScene(by: 1)
        case .previousScene: stepScene(by: -1)
        case .nextSong: stepSong(by: 1)
        case .previousSong: stepSong(by: -1)
        case .tapTempo: tap(atNanoseconds: rt_nanoseconds())
        case .panic: panic()
        case .mute: mute(!isMuted)
        }
    }

    // MARK: Learning

    /// Binds the control that was moved to the address that is to be learned, in the song's file.
    private func bind(_ control: LearnedControl) {
        guard let address = learning else { return }
        learning = nil
        tell("learn", .text(""))
        events.append(.learned(address, control.trigger(outside), path: songs[song].path))
    }
}

extension Pipeline.Address {
    /// The address that an event is for; nil where there is none.
    fileprivate init?(node: Int, eventTarget: Int32, in pipeline: Pipeline) {
        guard pipeline.nodes.indices.contains(node) else { return nil }
        let target: Target
        switch eventTarget {
        case Self(node: node, target: .bypass).target.eventTarget: target = .bypass
        case Self(node: node, target: .mix).target.eventTarget: target = .mix
        default:
            guard pipeline.nodes[node].parameters.indices.contains(Int(eventTarget)) else {
                return nil
            }
            target = .parameter(Int(eventTarget))
        }
        self.init(node: node, target: target)
    }
}
