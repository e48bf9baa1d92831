import SessionCore
import Testing

/// The time of the watch is that of its reports: one every twelfth of a second.
@Suite("When nodes give way")
struct LatenessWatchTests {
    private static let seconds = 1.0 / 12

    /// Adds reports of the load for a time, and returns the first change that becomes due.
    private func wait(
        _ watch: inout LatenessWatch, seconds: Double, load: Double = 0.3,
        canReduce: Bool = true, factor: Double? = nil
    ) -> LatenessWatch.Change? {
        for _ in 0..<Int((seconds / Self.seconds).rounded()) {
            watch.addLoad(load, seconds: Self.seconds)
            if let change = watch.dueChange(canReduce: canReduce, loadFactor: factor) {
                return change
            }
        }
        return nil
    }

    @Test("a node gives way after the second late cycle within a second, before the third")
    func second() {
        var watch = LatenessWatch()
        #expect(wait(&watch, seconds: 1) == nil)
        watch.addOverrun()
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == nil)
        #expect(wait(&watch, seconds: 0.8) == nil)
        watch.addOverrun()
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == .reduce(.late))
        #expect(watch.dueChange(canReduce: false, loadFactor: nil) == nil)
    }

    @Test("late cycles that are more than a second apart change nothing")
    func apart() {
        var watch = LatenessWatch()
        for _ in 0..<20 {
            watch.addOverrun()
            #expect(wait(&watch, seconds: 1.1) == nil)
        }
    }

    @Test("an overrun and the xrun that it causes are one late cycle")
    func sameCycle() {
        var watch = LatenessWatch()
        #expect(wait(&watch, seconds: 2, load: 0.7) == nil)
        watch.addOverrun()
        watch.addXruns(1)
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == nil)
        #expect(wait(&watch, seconds: 0.2, load: 0.7) == nil)
        watch.addXruns(1)
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == .reduce(.late))
    }

    @Test("overruns, and the xruns that they cause, are left to the audio thread")
    func left() {
        var watch = LatenessWatch(leavesOverruns: true)
        #expect(wait(&watch, seconds: 2, load: 0.7) == nil)
        for _ in 0..<5 {
            watch.addOverrun()
            watch.addXruns(1)
        }
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == nil)
        watch.addXruns(2)
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == .reduce(.late))
    }

    @Test("xruns do not count while the nodes use little time: they are another program's")
    func foreign() {
        var watch = LatenessWatch()
        #expect(wait(&watch, seconds: 2, load: 0.3) == nil)
        watch.addXruns(9)
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == nil)
    }

    @Test("a node gives way if the load stays high for half a second, and not before")
    func load() {
        var watch = LatenessWatch()
        #expect(wait(&watch, seconds: 0.42, load: 0.9) == nil)
        #expect(wait(&watch, seconds: 0.1, load: 0.8) == nil)
        #expect(wait(&watch, seconds: 0.42, load: 0.9) == nil)
        #expect(wait(&watch, seconds: 0.1, load: 0.9) == .reduce(.load))
    }

    @Test("after a change, late cycles count only when its effect is measured")
    func oneAtATime() {
        var watch = LatenessWatch()
        watch.addOverrun()
        watch.addOverrun()
        watch.noteReduction()
        // The exchange itself costs time.
        for _ in 0..<9 { watch.addOverrun() }
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == nil)
        watch.addLoad(1.5, seconds: Self.seconds)
        for _ in 0..<9 { watch.addOverrun() }
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == nil)
        watch.addLoad(1.5, seconds: Self.seconds)
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == nil)
        watch.addOverrun()
        watch.addOverrun()
        #expect(watch.dueChange(canReduce: true, loadFactor: nil) == .reduce(.late))
    }

    @Test("a node returns after ten calm seconds, and a late cycle begins them again")
    func calm() {
        var watch = LatenessWatch()
        watch.noteReduction()
        #expect(wait(&watch, seconds: 9, factor: 1) == nil)
        watch.addOverrun()
        #expect(wait(&watch, seconds: 9.8, factor: 1) == nil)
        #expect(wait(&watch, seconds: 0.5, factor: 1) == .restore)
    }

    @Test("a node does not return if the load would then be high")
    func noRoom() {
        var watch = LatenessWatch()
        watch.noteReduction()
        #expect(wait(&watch, seconds: 60, load: 0.4, factor: 2) == nil)
        #expect(wait(&watch, seconds: 10, load: 0.3, factor: 2) == .restore)
    }

    @Test("each return that fails doubles the calm, so that nodes do not go to and fro")
    func relapse() {
        var watch = LatenessWatch()
        var calms: [Double] = []
        for _ in 0..<8 {
            watch.noteReduction()
            calms.append(watch.neededCalmSeconds)
            #expect(wait(&watch, seconds: watch.neededCalmSeconds + 1, factor: 1) == .restore)
            watch.noteReturn()
            _ = wait(&watch, seconds: 1)
        }
        #expect(calms == [10, 20, 40, 80, 160, 320, 320, 320])
        // A return that has lasted for ten minutes was right.
        _ = wait(&watch, seconds: LatenessWatch.relapseSeconds + 1)
        watch.noteReduction()
        #expect(watch.neededCalmSeconds == 10)
    }

    @Test("the expected load does not depend on the speed of the machine")
    func factor() {
        // The node takes three quarters of the time, and a quarter of that when it is reduced.
        var factors: [Double] = []
        for speed in [1, 2.5] {
            var shares = LoadShares()
            for _ in 0..<40 {
                shares.add(["x": 0.6, "y": 0.2], total: 0.8, seconds: Self.seconds)
            }
            shares.noteReduction(of: "x")
            #expect(shares.factor(ofReturning: "x") == 1)
            for _ in 0..<40 {
                shares.add(
                    ["x": 0.15 / speed, "y": 0.2 / speed], total: 0.35 / speed,
                    seconds: Self.seconds)
            }
            factors.append(shares.factor(ofReturning: "x"))
        }
        #expect(factors.allSatisfy { abs($0 - 0.8 / 0.35) < 0.01 })
    }
}
