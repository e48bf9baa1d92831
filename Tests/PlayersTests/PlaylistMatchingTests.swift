import Players
import Testing

@Suite("An edited list of files")
struct PlaylistMatchingTests {
    private func matches(_ new: String, _ old: String) -> [Int?] {
        PlaylistMatching.matches(Array(new), in: Array(old))
    }

    @Test("keeps equal beginnings and ends, and each other file at its first occurrence")
    func matching() {
        #expect(matches("abc", "abc") == [0, 1, 2])
        #expect(matches("abxc", "abc") == [0, 1, nil, 2])
        #expect(matches("xabc", "abc") == [nil, 0, 1, 2])
        #expect(matches("ac", "abc") == [0, 2])
        #expect(matches("cab", "abc") == [2, 0, 1])
        #expect(matches("xyz", "abc") == [nil, nil, nil])
        #expect(matches("abc", "") == [nil, nil, nil])
    }

    @Test("matches files that occur more than once, each only once")
    func repeats() {
        #expect(matches("ba", "aba") == [1, 2])
        #expect(matches("aaa", "aa") == [0, 1, nil])
        #expect(matches("a", "aa") == [0])
        #expect(matches("xaay", "paaq") == [nil, 1, 2, nil])
        #expect(matches("axbxa", "abxax") == [0, 2, 1, 4, 3])
    }

    @Test("continues after a removed file with the file that is now in its place")
    func places() {
        // 0, 1, … are the files of the old order; 7, 8 and 9 are new.
        #expect(PlaylistMatching.place(of: 1, in: [0, 1, 2], after: [0, 2]) == 1)
        #expect(PlaylistMatching.place(of: 1, in: [0, 1, 2], after: [0, 7, 2]) == 1)
        #expect(PlaylistMatching.place(of: 1, in: [0, 1, 2], after: [7, 0, 2]) == 2)
        #expect(PlaylistMatching.place(of: 0, in: [0, 1, 2], after: [1, 2]) == 0)
        #expect(PlaylistMatching.place(of: 2, in: [0, 1, 2], after: [0, 1]) == 2)
        #expect(PlaylistMatching.place(of: 2, in: [0, 1, 2, 3], after: [0, 7, 8, 3]) == 2)
        #expect(PlaylistMatching.place(of: 2, in: [0, 1, 2, 3], after: [0, 7, 3]) == 2)
        #expect(PlaylistMatching.place(of: 2, in: [0, 1, 2], after: [7, 8, 9]) == 2)
        #expect(PlaylistMatching.place(of: 2, in: [0, 1, 2], after: [7]) == 1)
        // A file that had been removed before, between 0 and 2.
        #expect(PlaylistMatching.place(of: 1, in: [0, 2], after: [0, 7, 2]) == 1)
        #expect(PlaylistMatching.place(of: 1, in: [0, 2], after: [2]) == 0)
    }

    @Test("keeps the shuffled order of its files, and inserts new ones")
    func shuffled() {
        for seed in UInt64(1)...50 {
            var random = PlaylistRandom(seed: seed)
            let old = random.order(6)
            #expect(old.sorted() == Array(0..<6))
            let order = PlaylistMatching.shuffled([0, 7, 2, 3, 8, 5], after: old, &random)
            #expect(order.sorted() == [0, 2, 3, 5, 7, 8])
            #expect(order.filter { $0 < 6 } == old.filter { [0, 2, 3, 5].contains($0) })
        }
    }
}
