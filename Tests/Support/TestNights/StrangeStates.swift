package import BlackBox

extension Box {
    /// Lets nodes continue from strange states and sounds in many calls: those of the box with other
    /// words.
    ///
    /// - Parameter seed: The seed of everything that is random.
    package mutating func addStrangeStates(seed: UInt64) {
        guard !log.states.isEmpty else { return }
        facts.isWhole = false
        var random = RandomSource(seed: seed)
        let known = log.states
        for call in log.calls.indices where random.once(in: 3) {
            var state = random.pick(known)
            state.disturb(&random)
            log.states.append(state)
            log.calls[call].states = log.states.count - 1..<log.states.count
        }
        let sounds = log.sounds
        guard !sounds.isEmpty else { return }
        for call in log.calls.indices where random.once(in: 3) {
            var sound = random.pick(sounds)
            sound.disturb(&random)
            log.sounds.append(sound)
            log.calls[call].sounds = log.sounds.count - 1..<log.sounds.count
        }
    }
}

extension BoxLog.Sound {
    /// Changes the address, and perhaps the length.
    fileprivate mutating func disturb(_ random: inout RandomSource) {
        let bit: UInt64 = 1 << UInt64.random(in: 0..<64, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: address = UInt64.random(in: .min ... .max, using: &random)
        case 1: address ^= bit
        case 2: secondAddress = UInt64.random(in: .min ... .max, using: &random)
        case 3: secondAddress ^= bit
        case 4: secondAddress &+= UInt64.random(in: 0...600, using: &random)
        default: break
        }
        guard random.once(in: 8), !samples.isEmpty else { return }
        samples = samples.lowerBound..<Int.random(in: samples, using: &random)
    }
}

extension BoxLog.State {
    private static let extremes: [UInt64] = [
        0, .max, 1 << 63, 1 << 50, Double.nan.bitPattern, Double.infinity.bitPattern,
        Double.greatestFiniteMagnitude.bitPattern,
        // Two floats: NaN and infinity, and the largest finite ones.
        0x7FC0_0000_7F80_0000, 0x7F7F_FFFF_7F7F_FFFF,
    ]

    /// Changes the frame, some words and perhaps the length.
    fileprivate mutating func disturb(_ random: inout RandomSource) {
        frame = Int.random(in: 0...300, using: &random)
        guard !words.isEmpty else { return }
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let index = Int.random(in: 0..<words.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: words[index] = UInt64.random(in: .min ... .max, using: &random)
            case 1: words[index] = random.pick(Self.extremes)
            case 2: words[index] ^= 1 << UInt64.random(in: 0..<64, using: &random)
            default: words[index] = UInt64.random(in: 0...200, using: &random)
            }
        }
        if random.once(in: 8) {
            words.removeLast(Int.random(in: 1...words.count, using: &random))
        }
    }
}
