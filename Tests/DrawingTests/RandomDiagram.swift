import Drawing

/// A reproducible source of numbers (splitmix64; Steele, Lea and Flood 2014).
struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Diagram {
    /// Returns a diagram with two inputs, `count` nodes fed by anything before them, and two
    /// outputs.
    static func random(nodes count: Int, seed: UInt64) -> Diagram {
        var dice = Dice(state: seed)
        var cards = ["mic", "line"].map { Card(.input, name: $0, channels: Int(dice.next() % 3)) }
        var wires: [Wire] = []
        for place in 0..<count {
            let feeds = Int.random(in: 1...3, using: &dice)
            for inlet in 0..<feeds {
                wires.append(.random(to: cards.count, inlet: inlet, among: cards.count, &dice))
            }
            cards.append(.random(place: place, inlets: feeds, &dice))
        }
        let nodes = cards.count
        for name in ["main", "monitor"] {
            wires.append(.random(to: cards.count, inlet: 0, among: nodes, &dice))
            cards.append(Card(.output, name: name, channels: 2, inlets: [.init()]))
        }
        return Diagram(title: "Random \(seed)", cards: cards, wires: wires)
    }
}

extension Wire {
    fileprivate static func random(to card: Int, inlet: Int, among cards: Int, _ dice: inout Dice)
        -> Wire
    {
        let reach = Int.random(in: 1...min(cards, Bool.random(using: &dice) ? 4 : 30), using: &dice)
        return Wire(
            from: cards - reach, to: card, inlet: inlet,
            channels: Int.random(in: 0...4, using: &dice),
            latency: Bool.random(using: &dice) ? "2.67 ms" : "",
            alignment: Bool.random(using: &dice) ? "10.7 ms" : "")
    }
}

extension Card {
    fileprivate static func random(place: Int, inlets: Int, _ dice: inout Dice) -> Card {
        let named = inlets > 1 || Bool.random(using: &dice)
        return Card(
            inlets > 1 ? .mixer : Bool.random(using: &dice) ? .effect : .plugin,
            name: "node-\(place)", label: "Some effect",
            inlets: (0..<inlets).map { .init(label: named ? "strip \($0)" : "") },
            rows: (0..<Int.random(in: 0...5, using: &dice)).map {
                Row(label: "parameter \($0)", value: "−12.5 dB", dial: .knob(0.3))
            },
            isBypassed: Int.random(in: 0...9, using: &dice) == 0,
            mix: Bool.random(using: &dice) ? 1 : 0.25)
    }
}
