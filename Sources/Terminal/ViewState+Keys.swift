internal import Pipelines
package import Show

/// What a key asks for beyond the view itself.
package enum Wish: Equatable {
    case request(Request)
    case quit
}

extension ViewState {
    /// Changes what is shown as the key says, or gives what it asks of the show.
    package mutating func press(_ key: Key) -> Wish? {
        refusal = nil
        switch key {
        case .character("n"): return .request(.set("next-scene", nil))
        case .character("p"): return .request(.set("previous-scene", nil))
        case .character("N"), .pageDown: return .request(.set("next-song", nil))
        case .character("P"), .pageUp: return .request(.set("previous-song", nil))
        case .character("m"): return .request(.set("mute", .toggle(!isOn("mute"))))
        case .character("t"): return .request(.set("tap", nil))
        case .character("!"): return .request(.set("panic", nil))
        case .character("u"): return .request(.set("tuner", .text(nextTunerInput)))
        case .character("b"): return bypassWish()
        case .character("q"): return .quit
        case .character("c"): forgiveClipping()
        case .character("?"): showsHelp.toggle()
        case .escape: showsHelp = false
        case .up: choose(by: -1)
        case .down: choose(by: 1)
        case .character: break
        }
        return nil
    }

    private mutating func bypassWish() -> Wish? {
        guard let node = chosenNode, nodes.contains(node) else {
            refusal = nodes.isEmpty ? "There is no node to bypass" : "Choose a node with up or down"
            return nil
        }
        return .request(.set("\(node).bypass", .toggle(!isOn("\(node).bypass"))))
    }

    /// From none through all inputs, and back to none.
    private var nextTunerInput: String {
        let inputs = programme.inputs.map(\.reference)
        let now = text("tuner")
        guard !now.isEmpty else { return inputs.first ?? "" }
        guard let place = inputs.firstIndex(of: now), place + 1 < inputs.count else { return "" }
        return inputs[place + 1]
    }

    private mutating func choose(by step: Int) {
        let nodes = nodes
        guard !nodes.isEmpty else { return }
        guard let chosenNode, let place = nodes.firstIndex(of: chosenNode) else {
            self.chosenNode = step > 0 ? nodes.first : nodes.last
            return
        }
        self.chosenNode = nodes[(place + step + nodes.count) % nodes.count]
    }

    private mutating func forgiveClipping() {
        for port in ports { meters[port]?.hasClipped = false }
    }
}
