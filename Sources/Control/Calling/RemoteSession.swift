public import SessionCore
internal import Platform

/// A session in another process, reached over OSC.
public final class RemoteSession {
    /// The time after which a subscription is renewed, and the longest wait for an answer after
    /// that, in seconds.
    private static let renewalSeconds = 5.0
    private static let silenceSeconds = 11.0
    /// The longest silence of a server whose answer takes long, in seconds; it reports each second.
    private static let delaySilenceSeconds = 5.0
    /// The longest wait for an answer to a request that edits a file or writes a box, in seconds.
    private static let fileEditSeconds = 11.0

    private let caller: OSCCaller
    private let timeoutSeconds: Double

    /// Creates a connection to the session of a server.
    ///
    /// - Parameters:
    ///   - server: The address of the server.
    ///   - token: The token that the server expects from other machines.
    ///   - timeoutSeconds: The longest wait for an answer, in seconds.
    /// - Throws: `SocketError` if the system has no port left.
    public init(at server: Endpoint, token: String? = nil, timeoutSeconds: Double = 1)
        throws(SocketError)
    {
        self.timeoutSeconds = timeoutSeconds
        caller = try OSCCaller(to: server, token: token)
    }

    /// Returns the values of all addresses.
    ///
    /// - Throws: `CallError`.
    public func dump() throws(CallError) -> [AddressValue] { try ask([OSCMessage("/dump")]) }

    /// Returns everything that nodes report, with units.
    ///
    /// - Throws: `CallError`.
    public func reports() throws(CallError) -> [NodeReport] {
        let messages = [OSCMessage("/dump", .text("reports"))]
        guard let answers = caller.ask(messages, timeoutSeconds: timeoutSeconds) else {
            throw .silence
        }
        try Self.check(answers)
        let end = answers.first { $0.path == "/dump/end" }
        let others = answers.filter { $0.path != "/dump/end" }
        if let end, end.arguments.first?.number != Double(others.count) { throw .incomplete }
        return others.compactMap(\.nodeReport)
    }

    /// Returns the value of an address, or of several addresses that match wildcards.
    ///
    /// If the address is a command, the session carries it out. If it is a command for another
    /// song, the call waits until a song plays and returns that song. If it writes a box, the call
    /// waits until the box is there. If it edits a file, compares values or writes a box, the call
    /// returns a text with the result.
    ///
    /// - Parameters:
    ///   - address: The address or the command.
    ///   - onDelay: Called about every second with the seconds so far, while the call waits for a
    ///     song or a box.
    /// - Returns: The values.
    /// - Throws: `CallError`.
    public func values(
        of address: String, onDelay: (Double) -> Void = { _ in }
    ) throws(CallError) -> [AddressValue] {
        let message = OSCMessage(OSCAddress.path(typed: address))
        guard let command = SessionCommand(rawValue: address) else { return try ask([message]) }
        return try perform(command, message, onDelay: onDelay)
    }

    private func perform(
        _ command: SessionCommand, _ message: OSCMessage, onDelay: (Double) -> Void = { _ in }
    ) throws(CallError) -> [AddressValue] {
        guard command.editsFile || command == .keep else {
            return try ask([message], onDelay: onDelay)
        }
        do {
            return try ask(
                [message], timeoutSeconds: max(timeoutSeconds, Self.fileEditSeconds),
                onDelay: onDelay)
        } catch {
            // The request was valid, but the file cannot be edited, or the box not be written.
            if case .refused(let reason) = error { throw .failed(reason) }
            throw error
        }
    }

    /// Sets the value of an address, or of several addresses that match wildcards.
    ///
    /// If the address is `song`, the call waits until a song plays and returns that song.
    ///
    /// - Returns: The new values.
    /// - Throws: `CallError`.
    public func set(_ address: String, to value: Value) throws(CallError) -> [AddressValue] {
        let path = OSCAddress.path(typed: address)
        let message = OSCMessage(path, .init(exactly: value))
        if let command = SessionCommand(rawValue: address) {
            return try perform(command, message)
        }
        return try ask([message, OSCMessage(path)])
    }

    /// Moves the value of an address, or of several that match wildcards, to another over a time.
    ///
    /// - Parameters:
    ///   - address: The address of a node's value.
    ///   - value: The value at the end.
    ///   - seconds: The time in seconds.
    /// - Returns: The current values, at the start of the fade.
    /// - Throws: `CallError`.
    public func fade(
        _ address: String, to value: Value, overSeconds seconds: Double
    ) throws(CallError) -> [AddressValue] {
        let path = OSCAddress.path(typed: address)
        return try ask([
            OSCMessage(path, .init(exactly: value), .double(seconds)), OSCMessage(path),
        ])
    }

    /// Sends messages, and returns the values in the answers.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - longerSeconds: The longest wait for an answer if it is not the usual one.
    ///   - onDelay: Called with the seconds so far while the answer takes long.
    /// - Returns: The values, or a text with the result of a command.
    /// - Throws: `CallError`.
    private func ask(
        _ messages: [OSCMessage], timeoutSeconds longerSeconds: Double? = nil,
        onDelay: (Double) -> Void = { _ in }
    ) throws(CallError) -> [AddressValue] {
        let seconds = longerSeconds ?? timeoutSeconds
        guard let answers = caller.ask(messages, timeoutSeconds: seconds) else {
            throw .silence
        }
        let path = messages[0].path
        if answers.contains(where: { $0.isDelay(of: path) }) {
            return [try finalAnswer(to: path, after: answers, onDelay: onDelay)]
        }
        try Self.check(answers)
        if let song = answers.lazy.compactMap({ $0.song(of: path) }).first {
            return [AddressValue("song", .text(song))]
        }
        if let report = answers.lazy.compactMap({ $0.report(of: path) }).first { return [report] }
        let end = answers.first { $0.path == "/dump/end" }
        let entries = answers.filter { $0.path != "/dump/end" }.compactMap(\.entry)
        if let end, end.arguments.first?.number != Double(entries.count) { throw .incomplete }
        return entries
    }

    /// Waits for the final answer to a request whose song is being prepared, or whose box is being
    /// written.
    private func finalAnswer(
        to path: String, after answers: [OSCMessage], onDelay: (Double) -> Void
    ) throws(CallError) -> AddressValue {
        let silenceSeconds = max(timeoutSeconds, Self.delaySilenceSeconds)
        let start = MonotonicTime.nowSeconds
        var messages = answers
        while true {
            for message in messages {
                if let song = message.song(of: path) {
                    return AddressValue("song", .text(song))
                }
                if let report = message.report(of: path) { return report }
                if message.path == "/error", message.arguments.first?.text == path {
                    throw .failed(message.arguments.last?.text ?? "the request failed")
                }
            }
            onDelay(MonotonicTime.nowSeconds - start)
            guard let next = caller.next(withinSeconds: silenceSeconds), !next.isEmpty else {
                throw .silence
            }
            messages = next
        }
    }

    /// Reports every change until `report` returns `false`; fails if the session no longer answers.
    ///
    /// - Parameters:
    ///   - addresses: The addresses to watch, including those below them; empty for all.
    ///   - report: Called with each change; returns `false` to stop.
    /// - Throws: `CallError`.
    public func watch(_ addresses: [String], report: (AddressValue) throws -> Bool) throws {
        let paths = addresses.isEmpty ? ["/"] : addresses.map(OSCAddress.path(typed:))
        let subscriptions = paths.map { OSCMessage("/subscribe", .text($0)) }
        guard let first = caller.ask(subscriptions, timeoutSeconds: timeoutSeconds) else {
            throw CallError.silence
        }
        try Self.check(first)
        var (renewed, heard) = (MonotonicTime.nowSeconds, MonotonicTime.nowSeconds)
        while true {
            let messages = caller.next(withinSeconds: 1) ?? []
            let now = MonotonicTime.nowSeconds
            if !messages.isEmpty { heard = now }
            if now > heard + Self.silenceSeconds { throw CallError.silence }
            if now > renewed + Self.renewalSeconds {
                caller.send(subscriptions)
                renewed = now
            }
            for entry in messages.compactMap(\.entry) where try !report(entry) { return }
        }
    }

    private static func check(_ answers: [OSCMessage]) throws(CallError) {
        guard let error = answers.first(where: { $0.path == "/error" }) else { return }
        if error == .tokenWanted { throw .tokenWanted }
        if error == .tokenRefused { throw .tokenRefused }
        throw .refused(error.arguments.last?.text ?? "the request was refused")
    }
}

/// The reason why a request to another process failed.
public enum CallError: Error, Sendable, Equatable {
    /// The server did not answer.
    case silence
    /// Parts of the answer were lost.
    case incomplete
    /// The server requires a token.
    case tokenWanted
    /// The server has another token.
    case tokenRefused
    /// The session refused the request: a sentence without its full stop.
    case refused(String)
    /// The session could not carry out the request, for example because a song cannot be prepared:
    /// a sentence without its full stop.
    case failed(String)
}

extension OSCMessage {
    /// Returns the name of the song that plays in answer to a request.
    ///
    /// - Parameter request: The path of the request.
    /// - Returns: The name of the song; `nil` if it is another message.
    fileprivate func song(of request: String) -> String? {
        guard path == "/playing", arguments.count == 2, arguments[0].text == request
        else { return nil }
        return arguments[1].text
    }
}

extension OSCMessage {
    /// Returns whether the message reports that the answer to a request takes long.
    ///
    /// - Parameter request: The path of the request.
    /// - Returns: Whether another answer follows.
    fileprivate func isDelay(of request: String) -> Bool {
        ["/preparing", "/keeping"].contains(path) && arguments.first?.text == request
    }

    /// Returns the result that the message reports in answer to a request: of an edit of a file, of
    /// a comparison, or the path of a box.
    ///
    /// - Parameter request: The path of the request.
    /// - Returns: The kind of the result, and a text; `nil` if it is another message.
    fileprivate func report(of request: String) -> AddressValue? {
        guard ["/saved", "/undone", "/redone", "/compared", "/kept"].contains(path),
            arguments.first?.text == request, let text = arguments.last?.text
        else { return nil }
        return AddressValue(String(path.dropFirst()), .text(text))
    }
}

extension OSCMessage.Argument {
    /// Creates an argument of a value with all its digits.
    fileprivate init(exactly value: Value) {
        if case .number(let number) = value { self = .double(number) } else { self.init(value) }
    }
}
