/// How an edited list of sounds corresponds to the previous one.
package enum PlaylistMatching {
    /// Finds the sounds of a list that an edit has kept.
    ///
    /// Equal beginnings and equal ends of the lists correspond. Between them, the first occurrence
    /// of a sound corresponds to the first free occurrence in the previous list.
    ///
    /// - Parameters:
    ///   - new: The sounds of the edited list.
    ///   - old: The sounds of the previous list.
    /// - Returns: For each sound of `new`, its index in `old`; `nil` if it was added.
    package static func matches<Sound: Hashable>(_ new: [Sound], in old: [Sound]) -> [Int?] {
        var matches = [Int?](repeating: nil, count: new.count)
        let most = min(new.count, old.count)
        var first = 0
        while first < most, new[first] == old[first] {
            matches[first] = first
            first += 1
        }
        var last = 0
        while last < most - first, new[new.count - 1 - last] == old[old.count - 1 - last] {
            matches[new.count - 1 - last] = old.count - 1 - last
            last += 1
        }
        var free = Dictionary(grouping: first..<old.count - last) { old[$0] }
        for index in first..<new.count - last {
            guard let found = free[new[index]]?.first else { continue }
            matches[index] = found
            free[new[index]]?.removeFirst()
        }
        return matches
    }

    /// Returns where playback continues in an edited order after a sound that is not in it.
    ///
    /// The sound's place is after the nearest sound before it that stays; sounds that were added
    /// there replace the removed ones one by one.
    ///
    /// - Parameters:
    ///   - turn: The index of the sound in the previous order. For a sound that had already been
    ///     removed, the index at which playback would have continued.
    ///   - old: The previous order.
    ///   - new: The edited order.
    /// - Returns: The index in `new`; `new.count` if the sound was after all that stay.
    package static func place(of turn: Int, in old: [Int], after new: [Int]) -> Int {
        let before = old.prefix(turn)
        let stays = before.lastIndex { new.contains($0) }
        let removedCount = before.count - 1 - (stays ?? -1)
        var place = stays.flatMap { new.firstIndex(of: old[$0]) }.map { $0 + 1 } ?? 0
        for _ in 0..<removedCount where place < new.count && !old.contains(new[place]) {
            place += 1
        }
        return place
    }

    /// Returns the playing order after an edit: sounds that stay keep their order, and added ones
    /// are inserted at random positions.
    ///
    /// - Parameters:
    ///   - list: The edited list.
    ///   - old: The previous playing order.
    ///   - random: The source of the positions.
    /// - Returns: All sounds of `list` in playing order.
    package static func shuffled(
        _ list: [Int], after old: [Int], _ random: inout PlaylistRandom
    ) -> [Int] {
        var order = old.filter { list.contains($0) }
        for sound in list where !old.contains(sound) {
            order.insert(sound, at: random.next(below: order.count + 1))
        }
        return order
    }
}

/// Random numbers that depend only on a seed.
package struct PlaylistRandom: Sendable {
    private var state: UInt64

    /// Creates a source with a seed.
    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// Returns a number from 0 to below `limit`, which is at least 1.
    package mutating func next(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % limit
    }

    /// Returns the numbers from 0 to below `count` in random order.
    package mutating func order(_ count: Int) -> [Int] {
        var order = Array(0..<count)
        var left = count
        while left > 1 {
            let other = next(below: left)
            left -= 1
            order.swapAt(left, other)
        }
        return order
    }
}
