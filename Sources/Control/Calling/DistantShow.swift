public import Show
internal import Threads

/// A show that plays in another process, reached over OSC.
public final class DistantShow {
    /// What a subscription is renewed after, and how long nothing may come of that, in seconds.
    private static let renewalSeconds = 5.0
    private static let silenceSeconds = 11.0

    private let caller: OSCCaller
    private let patienceSeconds: Double

    /// The show that a server speaks for.
    ///
    /// - Parameters:
    ///   - server: Where it listens.
    ///   - token: The word that it wants to hear from other machines.
    ///   - patienceSeconds: How long it may keep silent.
    /// - Throws: `SocketFault` where the system has no port left.
    public init(at server: Endpoint, token: String? = nil, patienceSeconds: Double = 1)
        throws(SocketFault)
    {
        self.patienceSeconds = patienceSeconds
        caller = try OSCCaller(to: server, token: token)
    }

    /// The values of all addresses.
    ///
    /// - Throws: `CallFault`.
    public func dump() throws(CallFault) -> [Answer.Entry] { try ask([OSCMessage("/dump")]) }

    /// What an address, or several by wildcards, has; something that is only to be done is done.
    ///
    /// - Throws: `CallFault`.
    public func values(of address: String) throws(CallFault) -> [Answer.Entry] {
        try ask([OSCMessage(OSCAddress.path(typed: address))])
    }

    /// Gives an address, or several by wildcards, a value.
    ///
    /// - Returns: What they have then.
    /// - Throws: `CallFault`.
    public func set(_ address: String, to value: Value) throws(CallFault) -> [Answer.Entry] {
        let path = OSCAddress.path(typed: address)
        let message = OSCMessage(path, .init(exactly: value))
        guard !OSCAddress.isDeed(address) else { return try ask([message]) }
        return try ask([message, OSCMessage(path)])
    }

    private func ask(_ messages: [OSCMessage]) throws(CallFault) -> [Answer.Entry] {
        guard let answers = caller.ask(messages, patienceSeconds: patienceSeconds) else {
            throw .silence
        }
        try Self.check(answers)
        let end = answers.first { $0.path == "/dump/end" }
        let entries = answers.filter { $0.path != "/dump/end" }.compactMap(\.entry)
        if let end, end.arguments.first?.number != Double(entries.count) { throw .incomplete }
        return entries
    }

    /// Tells of every change until the show keeps silent.
    ///
    /// - Parameters:
    ///   - addresses: What to tell of, and what is below; empty for all.
    ///   - tell: Called with each change; false ends it.
    /// - Throws: `CallFault`.
    public func watch(_ addresses: [String], tell: (Answer.Entry) throws -> Bool) throws {
        let paths = addresses.isEmpty ? ["/"] : addresses.map(OSCAddress.path(typed:))
        let subscriptions = paths.map { OSCMessage("/subscribe", .text($0)) }
        guard let first = caller.ask(subscriptions, patienceSeconds: patienceSeconds) else {
            throw CallFault.silence
        }
        try Self.check(first)
        var (renewed, heard) = (MonotonicTime.nowSeconds, MonotonicTime.nowSeconds)
        while true {
            let messages = caller.next(withinSeconds: 1) ?? []
            let now = MonotonicTime.nowSeconds
            if !messages.isEmpty { heard = now }
            if now > heard + Self.silenceSeconds { throw CallFault.silence }
            if now > renewed + Self.renewalSeconds {
                caller.send(subscriptions)
                renewed = now
            }
            for entry in messages.compactMap(\.entry) where try !tell(entry) { return }
        }
    }

    private static func check(_ answers: [OSCMessage]) throws(CallFault) {
        guard let error = answers.first(where: { $0.path == "/error" }) else { return }
        throw .refused(error.arguments.last?.text ?? "it was refused")
    }
}

/// Why a distant show did not do what was asked.
public enum CallFault: Error, Sendable, Equatable {
    /// Nobody answered.
    case silence
    /// Parts of the answer got lost.
    case incomplete
    /// What was asked cannot be: a sentence without its full stop.
    case refused(String)
}

extension OSCMessage.Argument {
    /// A value with all its digits.
    fileprivate init(exactly value: Value) {
        if case .number(let number) = value { self = .double(number) } else { self.init(value) }
    }
}
