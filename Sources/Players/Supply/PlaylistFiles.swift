internal import Processing
internal import Realtime
internal import Synchronization

/// The files of a player's list, and removed files that are still needed.
///
/// The control side changes the list, the audio thread plays it, and the thread that reads pages
/// frees the removed files. The audio thread never waits for the lock: it receives each version of
/// the list through `offer`, and releases removed files by messages to the reader.
final class PlaylistFiles: @unchecked Sendable {
    // SAFETY: `state` is only used under its lock. `offer` consists of atomic values. Tables are
    // freed after the audio thread has marked a newer one as used, or with this object, which the
    // player keeps alive longer than its kernel.

    /// Owns a table, at an address that does not change.
    fileprivate final class HeldTable: @unchecked Sendable {
        // SAFETY: only the audio thread uses the table after it was offered.
        let version: Int
        private let memory: Buffer<PlaylistTable>

        init(_ table: consuming PlaylistTable) {
            version = table.version
            memory = Buffer(containing: table)
        }

        var start: UnsafeMutablePointer<PlaylistTable> { memory.start }
    }

    /// A file with an index, which is the same in all versions of the list.
    fileprivate struct Entry {
        let file: PlaylistFile
        /// The last version of the list that contains the file; 0 if no version does yet.
        var listedVersion = 0
        /// Whether the audio thread does not need the file.
        var isReleased = true
        /// For a removed file, the index in the order at which playback continues.
        var place = 0
    }

    fileprivate struct State {
        var entries: [Entry?] = []
        /// The entries in the order of the pipeline file.
        var list: [Int] = []
        /// The entries in playing order.
        var order: [Int] = []
        var version = 0
        /// The entries that each prepared change needs.
        var prepared: [Int: [Int]] = [:]
        var preparedCount = 0
        /// The tables that the audio thread uses or may use, the oldest first.
        var tables: [HeldTable] = []
        /// The source of random positions; `nil` if the list plays in its own order.
        var random: PlaylistRandom?
    }

    private let state: Mutex<State>
    private let offerMemory = Buffer(containing: PlaylistOffer())

    /// Creates the first version of a list.
    ///
    /// - Parameters:
    ///   - files: The files in the order of the pipeline file.
    ///   - shuffleSeed: The seed of the playing order; 0 for the order of the pipeline file.
    init(_ files: [PlaylistFile], shuffleSeed: UInt64) {
        var state = State()
        state.entries = files.map { Entry(file: $0, listedVersion: 1, isReleased: false) }
        state.list = Array(files.indices)
        state.version = 1
        if shuffleSeed > 0 {
            var random = PlaylistRandom(seed: shuffleSeed)
            state.order = random.order(files.count)
            state.random = random
        } else {
            state.order = state.list
        }
        _ = state.makeTable()
        self.state = Mutex(state)
    }

    /// The first table, for the kernel of the player; before any change is committed.
    var firstTable: UnsafeMutablePointer<PlaylistTable> { state.withLock { $0.tables[0] }.start }

    /// The place where newer tables wait for the audio thread.
    var offer: UnsafeMutablePointer<PlaylistOffer> { offerMemory.start }

    // MARK: Changes of the list

    /// Finds the files of a changed list that are already there, and keeps them until the change is
    /// committed or withdrawn.
    ///
    /// - Parameter keys: The files of the changed list.
    /// - Returns: A number for the change, and the entry of each file; `nil` for a new file.
    func beginChange(to keys: [PlaylistKey]) -> (number: Int, entries: [Int?]) {
        state.withLock { state in
            let entries = state.entries(for: keys)
            state.preparedCount += 1
            state.prepared[state.preparedCount] = entries.compactMap { $0 }
            return (state.preparedCount, entries)
        }
    }

    /// Adds the new files of a change.
    ///
    /// - Parameters:
    ///   - number: The number of the change.
    ///   - entries: The entry of each file of the changed list; `nil` for a new file.
    ///   - files: The new files in their order.
    func complete(change number: Int, _ entries: [Int?], adding files: [PlaylistFile]) {
        state.withLock { state in
            var files = files[...]
            state.prepared[number] = entries.compactMap { entry in
                entry ?? files.popFirst().map { state.add($0) }
            }
        }
    }

    /// Offers the changed list to the audio thread.
    func commit(change number: Int) {
        let unneeded = state.withLock { state -> [PlaylistFile] in
            guard let list = state.prepared.removeValue(forKey: number), !list.isEmpty else {
                return []
            }
            state.replaceList(by: list)
            let unused = offer.pointee.put(state.makeTable().start)
            state.freeTables(unused: unused, olderThan: offer.pointee.oldestVersion)
            return state.removeUnneeded()
        }
        // The files are closed here, outside the lock.
        withExtendedLifetime(unneeded) {}
    }

    /// Forgets a change that was not committed; without an effect after a commit.
    func withdraw(change number: Int) {
        let unneeded = state.withLock { state -> [PlaylistFile] in
            guard state.prepared.removeValue(forKey: number) != nil else { return [] }
            return state.removeUnneeded()
        }
        withExtendedLifetime(unneeded) {}
    }

    // MARK: The reader

    /// Frees a removed file that the audio thread no longer needs.
    ///
    /// - Parameters:
    ///   - entry: The entry of the file.
    ///   - version: The version of the list that the audio thread used when it released the file. A
    ///     file that a later version contains is needed again.
    func release(_ entry: Int, version: Int) {
        let unneeded = state.withLock { state -> [PlaylistFile] in
            guard let listedVersion = state.entries[entry]?.listedVersion,
                version > listedVersion
            else { return [] }
            state.entries[entry]?.isReleased = true
            return state.removeUnneeded()
        }
        withExtendedLifetime(unneeded) {}
    }

    /// Returns the source of an entry's pages; `nil` if the file has been freed.
    func source(of entry: Int) -> (any PageSource)? {
        state.withLock { $0.entries[entry]?.file.source }
    }

    /// Returns the path of a file of the list.
    ///
    /// - Parameter number: The number of the file in the list, from 1.
    /// - Returns: The path; `nil` if the list has fewer files.
    func path(ofItem number: Int) -> String? {
        state.withLock { state in
            guard number >= 1, number <= state.list.count else { return nil }
            return state.entries[state.list[number - 1]]?.file.key.region.path
        }
    }

    /// Returns the sources of the listed files far from an entry in the order of the pipeline file.
    func sourcesFar(from entry: Int) -> [any PageSource] {
        state.withLock { state in
            guard let number = state.list.firstIndex(of: entry) else { return [] }
            return state.list.indices.filter { abs($0 - number) > 2 }
                .compactMap { state.entries[state.list[$0]]?.file.source }
        }
    }
}

extension PlaylistFiles.State {
    /// Returns the entry of each file: first the files of the list, then removed ones.
    fileprivate func entries(for keys: [PlaylistKey]) -> [Int?] {
        let listed = list.compactMap { entries[$0]?.file.key }
        var found = PlaylistMatching.matches(keys, in: listed).map { match in
            match.map { list[$0] }
        }
        for index in keys.indices where found[index] == nil {
            found[index] = entries.indices.first { entry in
                entries[entry]?.file.key == keys[index] && !list.contains(entry)
                    && !found.contains(entry)
            }
        }
        return found
    }

    /// Adds a file at a free index, and returns the index.
    fileprivate mutating func add(_ file: PlaylistFile) -> Int {
        let entry = PlaylistFiles.Entry(file: file)
        if let free = entries.firstIndex(where: { $0 == nil }) {
            entries[free] = entry
            return free
        }
        entries.append(entry)
        return entries.count - 1
    }

    /// Makes a list of entries the current version.
    fileprivate mutating func replaceList(by newList: [Int]) {
        let oldOrder = order
        version += 1
        if var random {
            order = PlaylistMatching.shuffled(newList, after: oldOrder, &random)
            self.random = random
        } else {
            order = newList
        }
        for entry in entries.indices {
            guard let place = entries[entry]?.place else { continue }
            if newList.contains(entry) {
                entries[entry]?.listedVersion = version
                entries[entry]?.isReleased = false
            } else {
                entries[entry]?.place = PlaylistMatching.place(
                    of: oldOrder.firstIndex(of: entry) ?? place, in: oldOrder, after: order)
            }
        }
        list = newList
    }

    /// Makes a table of the current version, and returns it.
    fileprivate mutating func makeTable() -> PlaylistFiles.HeldTable {
        var rows = entries.map { entry in
            var row = PlaylistTable.Entry()
            guard let entry else { return row }
            row.sound = entry.file.sound
            row.turn = entry.place
            row.isLeaving = !entry.isReleased
            return row
        }
        for (number, entry) in list.enumerated() { rows[entry].number = number }
        for (turn, entry) in order.enumerated() {
            rows[entry].turn = turn
            rows[entry].isLeaving = false
        }
        let table = PlaylistFiles.HeldTable(
            PlaylistTable(version: version, entries: Buffer(rows), order: Buffer(order)))
        tables.append(table)
        return table
    }

    /// Frees the tables that the audio thread no longer uses.
    ///
    /// - Parameters:
    ///   - unused: The address of a table that the audio thread never used; 0 for none.
    ///   - version: The version that the audio thread uses.
    fileprivate mutating func freeTables(unused: UInt, olderThan version: Int) {
        tables.removeAll { UInt(bitPattern: $0.start) == unused || $0.version < version }
    }

    /// Removes the entries that neither the audio thread, the list, nor a prepared change needs,
    /// and returns their files.
    fileprivate mutating func removeUnneeded() -> [PlaylistFile] {
        var files: [PlaylistFile] = []
        for entry in entries.indices {
            guard let held = entries[entry], held.isReleased, !list.contains(entry),
                !prepared.values.contains(where: { $0.contains(entry) })
            else { continue }
            files.append(held.file)
            entries[entry] = nil
        }
        return files
    }
}
