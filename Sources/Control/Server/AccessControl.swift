/// The access control of a server: it admits programs on this machine, and programs on other
/// machines that know a token.
///
/// A program on another machine receives only small answers until it has proven its address; see
/// `Challenge`.
package struct AccessControl {
    /// The maximum numbers of admitted senders on other machines, and of senders that have only
    /// proven their address.
    private static let maximumAdmitted = 64
    private static let maximumProven = 256
    /// The longest silence of an admitted sender, in seconds.
    private static let longestSilenceSeconds = 3600.0

    /// Whether a sender is on this machine; only its administrator can forge such an address.
    private let isLocal: @Sendable (Endpoint) -> Bool
    /// The token; `nil` if other machines are not admitted.
    private let token: OSCToken?
    private let challenge = Challenge()
    private var admitted: [Endpoint: Admission] = [:]
    /// The senders that have proven their address but not sent the token, with the time of the
    /// proof in seconds.
    private var proven: [Endpoint: Double] = [:]
    /// The limits for guesses from unproven and from proven addresses: forged addresses cannot
    /// exhaust the latter.
    private var unprovenGuesses = GuessLimit()
    private var provenGuesses = GuessLimit()
    private var unprovenCredit = ReplyCredit()
    private var admittedCredit = ReplyCredit()

    private struct Admission {
        var lastSeconds: Double
        var isProven: Bool
    }

    /// The result of a message to the access control.
    package enum Outcome: Equatable {
        /// The sender is admitted. If it has not proven its address, the number must be sent to it.
        case admitted(challenge: Int64?)
        /// The sender has proven its address.
        case proven
        /// The token is wrong.
        case wrongToken
        /// Too many tokens were tried, so this one was not compared. The sender may prove its
        /// address and try again.
        case notCompared(challenge: Int64?)
        /// The message needs no reaction.
        case nothing
    }

    /// - Parameters:
    ///   - token: The token that other machines must send; `nil` to refuse them.
    ///   - isLocal: Whether a sender is on this machine.
    package init(
        token: OSCToken?, isLocal: @escaping @Sendable (Endpoint) -> Bool = { $0.isLoopback }
    ) {
        self.token = token
        self.isLocal = isLocal
    }

    /// Returns whether a sender is admitted.
    package mutating func admits(_ sender: Endpoint, nowSeconds: Double) -> Bool {
        if isLocal(sender) { return true }
        guard let admission = admitted[sender] else { return false }
        guard nowSeconds < admission.lastSeconds + Self.longestSilenceSeconds else {
            admitted[sender] = nil
            return false
        }
        admitted[sender]?.lastSeconds = nowSeconds
        return true
    }

    /// Returns whether a sender has proven its address.
    package func isProven(_ sender: Endpoint) -> Bool {
        isLocal(sender) || admitted[sender]?.isProven == true
    }

    /// Returns whether a message is addressed to the access control.
    package static func isFor(_ message: OSCMessage) -> Bool {
        switch ClientMessage(rawValue: message.path) {
        case .token, .challenge: true
        default: false
        }
    }

    /// Checks a token or the answer to a challenge, and returns the outcome.
    package mutating func handle(_ message: OSCMessage, from sender: Endpoint, nowSeconds: Double)
        -> Outcome
    {
        if isLocal(sender) { return .nothing }
        if message.path == ClientMessage.challenge.rawValue {
            return checkAnswer(message.arguments.first, from: sender, nowSeconds: nowSeconds)
        }
        guard message.path == ClientMessage.token.rawValue, let token else { return .nothing }
        let number = challenge.number(for: sender, nowSeconds: nowSeconds)
        if let admission = admitted[sender] {
            // The sender is already admitted, so its token does not matter.
            return .admitted(challenge: admission.isProven ? nil : number)
        }
        let isProven = proven[sender] != nil
        let isCompared =
            isProven
            ? provenGuesses.allows(sender, nowSeconds: nowSeconds)
            : unprovenGuesses.allows(sender, nowSeconds: nowSeconds)
        guard isCompared else { return .notCompared(challenge: isProven ? nil : number) }
        guard let word = message.arguments.first?.text, token.matches(word) else {
            return .wrongToken
        }
        admit(sender, isProven: isProven, nowSeconds: nowSeconds)
        return .admitted(challenge: isProven ? nil : number)
    }

    private mutating func checkAnswer(
        _ argument: OSCMessage.Argument?, from sender: Endpoint, nowSeconds: Double
    ) -> Outcome {
        guard case .long(let number)? = argument,
            challenge.isAnswer(number, from: sender, nowSeconds: nowSeconds)
        else { return .nothing }
        if admitted[sender] != nil {
            admitted[sender]?.isProven = true
        } else {
            if proven.count >= Self.maximumProven, proven[sender] == nil,
                let oldest = proven.min(by: { $0.value < $1.value })
            {
                proven[oldest.key] = nil
            }
            proven[sender] = nowSeconds
        }
        return .proven
    }

    private mutating func admit(_ sender: Endpoint, isProven: Bool, nowSeconds: Double) {
        proven[sender] = nil
        unprovenCredit.move(sender, to: &admittedCredit)
        admitted = admitted.filter {
            nowSeconds < $0.value.lastSeconds + Self.longestSilenceSeconds
        }
        if admitted.count >= Self.maximumAdmitted, let leaving = leastNeeded {
            admitted[leaving] = nil
        }
        admitted[sender] = Admission(lastSeconds: nowSeconds, isProven: isProven)
    }

    /// The sender to remove if there is no room: one with an unproven address, or else the one that
    /// has been silent for the longest time.
    private var leastNeeded: Endpoint? {
        admitted.min {
            $0.value.isProven == $1.value.isProven
                ? $0.value.lastSeconds < $1.value.lastSeconds : !$0.value.isProven
        }?.key
    }

    // MARK: Answers

    /// Counts bytes received from a sender.
    package mutating func receive(_ bytes: Int, from sender: Endpoint) {
        guard !isProven(sender) else { return }
        if admitted[sender] != nil {
            admittedCredit.receive(bytes, from: sender)
        } else {
            unprovenCredit.receive(bytes, from: sender)
        }
    }

    /// Returns whether bytes may be sent to an address, and counts them if so.
    package mutating func allows(_ bytes: Int, to receiver: Endpoint) -> Bool {
        if isProven(receiver) { return true }
        return admitted[receiver] != nil
            ? admittedCredit.spend(bytes, to: receiver) : unprovenCredit.spend(bytes, to: receiver)
    }
}
