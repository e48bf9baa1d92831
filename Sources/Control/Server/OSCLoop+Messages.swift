internal import Show
internal import Threads

/// What messages mean.
extension OSCLoop {
    /// What a server says; where two servers talk to each other by mistake, it must not go on for ever.
    private static let ownWords: Set = [
        "/error", "/synced", "/subscribed", "/dump/end", "/structure", "/level", "/load", "/pitch",
    ]

    /// Does what a message says, or puts it in the line.
    func take(_ message: OSCMessage, from sender: Endpoint) {
        switch message.path {
        case "/subscribe": subscribe(message.arguments, sender)
        case Subscription.meters:
            subscribe([.text(Subscription.meters)] + message.arguments, sender)
        case "/unsubscribe": subscribers.remove(message.arguments.first?.text, of: sender)
        case "/dump": put(.show(.dump), message.path, sender)
        case "/sync":
            guard case .integer(let sign)? = message.arguments.first else {
                return reply(.error(message.path, "it takes a whole number"), to: sender)
            }
            put(.sync(sign), message.path, sender)
        case _ where Self.ownWords.contains(message.path): break
        case let path where OSCPattern.hasWildcards(path): takeAll(message, from: sender)
        default: request(message, from: sender)
        }
    }

    private func subscribe(_ arguments: [OSCMessage.Argument], _ sender: Endpoint) {
        let now = MonotonicTime.nowSeconds
        do {
            let subscription = try Subscription(arguments, nowSeconds: now)
            try subscribers.add(subscription, of: sender)
            // From now on, not from the next turn on: a change may be on its way.
            inbox.listen(true)
            reply(
                OSCMessage(
                    "/subscribed", .text(subscription.text),
                    .float(Float(subscription.endSeconds - now)),
                    .float(Float(subscription.rateHertz))), to: sender)
        } catch {
            reply(.error("/subscribe", error.message), to: sender)
        }
    }

    /// Does for every path that matches what a message with wildcards says.
    private func takeAll(_ message: OSCMessage, from sender: Endpoint) {
        guard let pattern = OSCPattern(message.path),
            case let paths = table.paths(matching: pattern), !paths.isEmpty
        else { return reply(.error(message.path, "no node has such an address"), to: sender) }
        for path in paths { request(OSCMessage(path, message.arguments), from: sender) }
    }

    /// Puts what a message for one address asks in the line.
    private func request(_ message: OSCMessage, from sender: Endpoint) {
        let address = table.address(of: message.path)
        let isDeed = OSCAddress.isDeed(address)
        guard let argument = message.arguments.first else {
            return put(.show(isDeed ? .set(address, nil) : .get(address)), message.path, sender)
        }
        guard message.arguments.count == 1, let value = argument.value else {
            let expected = "it takes one value: a number, true or false, or a text"
            return reply(.error(message.path, expected), to: sender)
        }
        guard isDeed else {
            let fitted = table.fitted(value, to: message.path)
            let told = OSCMessage(Answer.Entry(address, fitted))
            subscribers.note(told, of: sender, nowSeconds: MonotonicTime.nowSeconds)
            return put(.show(.set(address, fitted)), message.path, sender)
        }
        // A button sends 1 when it is pressed, and 0 when it is let go.
        guard value != .number(0), value != .toggle(false) else { return }
        put(.show(.set(address, nil)), message.path, sender)
    }

    private func put(_ wish: Asked.Wish, _ path: String, _ sender: Endpoint) {
        guard !line.put(Asked(sender: sender, path: path, wish: wish)) else { return }
        complaints.add(.dropped, sender)
    }

    /// Tells who asked what came of it.
    func answerSender(of asked: Asked, _ answer: Answer) {
        switch answer {
        case .done: break
        case .refused(let message, let suggestion):
            let hint = suggestion.map { " (did you mean \($0)?)" } ?? ""
            reply(.error(asked.path, message + hint), to: asked.sender)
        case .values(let entries):
            var messages = entries.map { OSCMessage($0) }
            if asked.wish == .show(.dump) {
                messages.append(OSCMessage("/dump/end", .integer(Int32(clamping: entries.count))))
            }
            if !outbox.put(messages, to: asked.sender) {
                complaints.add(.dropped, asked.sender)
            }
        }
    }
}
