/// Who may talk to a server: this machine, and from the network who knows a word.
package struct Door {
    /// The most who are let in from the network, and how long one may keep silent, in seconds.
    private static let most = 64
    private static let longestSilenceSeconds = 3600.0

    /// The word; nil where nobody from the network is let in.
    private let token: String?
    private var lastSeconds: [Endpoint: Double] = [:]

    package init(token: String?) { self.token = token }

    /// Whether a message is let in; one that says the word is used up by that.
    package mutating func admits(_ message: OSCMessage, from sender: Endpoint, nowSeconds: Double)
        -> Bool
    {
        if message.path == "/token" { return false }
        if sender.isLoopback { return true }
        guard let last = lastSeconds[sender], nowSeconds < last + Self.longestSilenceSeconds else {
            return false
        }
        lastSeconds[sender] = nowSeconds
        return true
    }

    /// Lets in who says the word.
    ///
    /// - Returns: Whether it was the right one, from one for whom it matters.
    package mutating func hear(_ message: OSCMessage, from sender: Endpoint, nowSeconds: Double)
        -> Bool
    {
        guard message.path == "/token" else { return false }
        guard let token, message.arguments.first?.text == token else { return sender.isLoopback }
        lastSeconds = lastSeconds.filter { nowSeconds < $0.value + Self.longestSilenceSeconds }
        // Who has been silent for the longest makes room.
        if lastSeconds.count >= Self.most, let oldest = lastSeconds.min(by: { $0.value < $1.value })
        {
            lastSeconds[oldest.key] = nil
        }
        lastSeconds[sender] = nowSeconds
        return true
    }
}
