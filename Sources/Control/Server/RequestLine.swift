package import Show

/// What somebody asked for and has not got yet.
package struct Asked: Equatable {
    /// Who asked.
    package var sender: Endpoint
    /// As it was asked for, for the answer.
    package var path: String
    package var wish: Wish

    /// All parts.
    package init(sender: Endpoint, path: String, wish: Wish) {
        self.sender = sender
        self.path = path
        self.wish = wish
    }

    /// What is wanted.
    package enum Wish: Equatable {
        case show(Request)
        /// To be told when all before this is answered.
        case sync(Int32)
    }
}

/// Requests in the order in which they came, of which the show has only a few at a time.
///
/// It is bounded: a fader that is moved faster than the show answers has its newest value waiting, not all.
package struct RequestLine {
    /// The most requests that the show has at a time.
    package static let mostUnderWay = 32
    /// The most requests that wait.
    package static let mostWaiting = 512
    /// After so long a request is given up, in seconds.
    package static let patienceSeconds = 10.0

    private var waiting: [Asked] = []
    private var underWay: [Int: (asked: Asked, sinceSeconds: Double)] = [:]
    private var nextNumber = 0

    /// One in which nothing waits.
    package init() {}

    /// Whether nothing waits and nothing is under way.
    package var isEmpty: Bool { waiting.isEmpty && underWay.isEmpty }

    /// Puts a request at the end, or in the place of an older value for the same address.
    ///
    /// - Returns: Whether there was room.
    package mutating func put(_ asked: Asked) -> Bool {
        if let place = placeOfOlderValue(for: asked) {
            waiting[place] = asked
            return true
        }
        guard waiting.count < Self.mostWaiting else { return false }
        waiting.append(asked)
        return true
    }

    /// Values pass each other only where nothing between them could make a difference, as a scene or a question.
    private func placeOfOlderValue(for asked: Asked) -> Int? {
        guard let address = asked.movedAddress else { return nil }
        for place in waiting.indices.reversed() {
            guard let other = waiting[place].movedAddress else { return nil }
            if other == address { return place }
        }
        return nil
    }

    /// Takes out the request that comes next, with a number for its answer; nil where it has to wait.
    package mutating func next(nowSeconds: Double) -> (number: Int, asked: Asked)? {
        guard let asked = waiting.first, underWay.count < Self.mostUnderWay else { return nil }
        if case .sync = asked.wish, !underWay.isEmpty { return nil }
        waiting.removeFirst()
        nextNumber += 1
        if case .show = asked.wish { underWay[nextNumber] = (asked, nowSeconds) }
        return (nextNumber, asked)
    }

    /// The request that an answer is for; nil where it was given up.
    package mutating func finish(_ number: Int) -> Asked? {
        underWay.removeValue(forKey: number)?.asked
    }

    /// Takes out all that have waited too long for an answer.
    package mutating func giveUp(nowSeconds: Double) -> [Asked] {
        let late = underWay.filter { nowSeconds - $0.value.sinceSeconds > Self.patienceSeconds }
        for number in late.keys { underWay.removeValue(forKey: number) }
        return late.values.map(\.asked)
    }
}

extension Asked {
    /// The node's address that the request gives a value; nil for everything else.
    fileprivate var movedAddress: String? {
        guard case .show(.set(let address, .some)) = wish, OSCAddress.isOfNode(address) else {
            return nil
        }
        return address
    }
}
