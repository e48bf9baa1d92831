internal import Pipelines
internal import Show

/// All that the view shows.
package struct ViewState {
    /// What there is to choose from.
    var programme: Programme
    /// The values of all addresses.
    var values: [String: Value] = [:]
    /// The level of each port.
    package var meters: [String: Meter] = [:]
    /// The ports in the order in which they were first heard of.
    var ports: [String] = []
    /// What the tuner hears; 0 for no pitch.
    var hertz = 0.0
    /// Shares of the period.
    var load = (mean: 0.0, worst: 0.0)
    /// How often JACK was late.
    var xruns = 0
    /// The node that was late at last.
    var lateNode: String?
    /// The costliest first.
    var nodeLoads: [NodeLoad] = []
    /// From the sound card's input to its output; nil until it is known.
    var latencySeconds: Double?
    /// The lowest gain of the limiters, 1 where they had nothing to do.
    var limiterGain = 1.0
    /// The node that `b` bypasses.
    package var chosenNode: String?
    /// Whether there is somebody to press keys.
    var hasKeys = true
    /// Whether the keys are listed in full.
    var showsHelp = false
    /// Why the last wish was refused.
    package var refusal: String?

    /// The level of a port.
    package struct Meter: Equatable {
        /// In dB.
        var peak: Double
        /// In dB; nil where it is not known.
        var rms: Double?
        /// Whether it ever was at full scale, until that is forgiven.
        package var hasClipped = false
    }

    /// A view of what has not begun yet.
    package init(_ programme: Programme) { self.programme = programme }

    /// The nodes that can be bypassed, in the order of the alphabet.
    var nodes: [String] {
        values.keys.compactMap { key in
            key.hasSuffix(".bypass") ? String(key.dropLast(".bypass".count)) : nil
        }.sorted()
    }

    /// Whether a toggle is on.
    func isOn(_ address: String) -> Bool { values[address] == .toggle(true) }

    /// The text of an address; empty where there is none.
    func text(_ address: String) -> String {
        if case .text(let text) = values[address] { text } else { "" }
    }

    /// The number of an address.
    func number(_ address: String) -> Double? {
        if case .number(let number) = values[address] { number } else { nil }
    }

    /// Where in a list the address `scene` or `song` is, which may be a name or a number from 1.
    func place(of address: String, in names: [String]) -> Int? {
        if let number = number(address) {
            return names.indices.contains(Int(number) - 1) ? Int(number) - 1 : nil
        }
        return names.firstIndex(of: text(address))
    }

}
