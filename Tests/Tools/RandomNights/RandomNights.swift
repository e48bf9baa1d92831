import ArgumentParser
import BlackBox
import Glibc
import TestNights

/// Plays random nights with faults, keeps each in a box, and replays the boxes.
@main
struct RandomNights: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "random-nights",
        abstract: "Replay random nights, and compare them to the bit.",
        discussion: """
            Each night has random songs, block sizes, changes, edits, MIDI and one fault. The replay
            must be equal to the bit, and must find the fault. Ends with status 1 if a night fails.
            """)

    @Option(help: "The number of nights.")
    var nights = 100

    @Option(help: "The seed of the first night; the following ones have the next seeds.")
    var seed: UInt64 = 1

    @Option(help: "The length of a night in seconds.")
    var seconds = 4.0

    @Option(help: "The time that a box keeps, in seconds.")
    var window = 120.0

    @Option(help: "The folder for boxes, which must exist; boxes of failed nights remain there.")
    var folder: String

    @Flag(help: "Nights with loopers, and with live players whose data may come late.")
    var sounds = false

    @Option(help: "The number of cores that run the nodes.")
    var cores = 1

    @Flag(help: "Measure what the black box costs in a cycle of 64 frames, instead of nights.")
    var cost = false

    @Flag(
        help: """
            Measure from when each effect is equal in a box without its beginning. An effect that \
            notes its state must be equal at the end.
            """)
    var kinds = false

    @Flag(help: "Replay boxes with strange states of nodes, which must do no harm.")
    var strange = false

    @Flag(help: "Play one night, and die in the middle of a cycle.")
    var die = false

    @Flag(help: "Write the boxes of nights that have died, and replay them.")
    var rescue = false

    func run() throws {
        if die {
            let night = try RandomNight(
                seed: seed, memoryFolder: "\(folder)/memory", fault: .death, hasSounds: sounds,
                coreCount: cores)
            return night.play(seconds: seconds)
        }
        if rescue { return try replayDead() }
        if cost { return try measureCost() }
        if kinds { return try measureKinds() }
        if strange { return try replayStrangeStates() }
        var (failures, faults, foundFaults, calls) = (0, 0, 0, 0)
        var counts: [String: Int] = [:]
        for number in seed..<seed + UInt64(nights) {
            let path = "\(folder)/night-\(number).stompbox"
            let night = try RandomNight(
                seed: number, memoryFolder: "\(folder)/memory", windowSeconds: window,
                hasSounds: sounds, coreCount: cores)
            night.play(seconds: seconds)
            try night.keep(in: path)
            night.end()
            counts.merge(night.counts, uniquingKeysWith: +)
            let box = try BoxReader(of: path).read()
            let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
            let result = try replay.run()
            counts["arrival", default: 0] += box.log.arrivals.count
            calls += result.comparedCalls
            let found = night.isFound(by: result, in: box.log)
            if found != nil { faults += 1 }
            if found == true { foundFaults += 1 }
            if result.isEqual, found != false, result.comparedCalls > 0 {
                system("rm -rf '\(path)'")
                continue
            }
            failures += 1
            print(
                "night \(number): \(result.differentCalls) of \(result.comparedCalls) calls differ, "
                    + "first at frame \(result.firstDifference.map { "\($0)" } ?? "-"), equal from "
                    + "\(result.equalFromFrame) of \(result.endFrame); fault \(night.fault) "
                    + (found != false
                        ? found == nil ? "not in the box" : "found"
                        : "NOT found, injected at \(night.faultFrame ?? 0): "
                            + "\(result.notFinite) \(result.late)"))
            for node in replay.unrepeatable { print("  \(node.node): \(node.cause)") }
        }
        let done = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        print(
            "\(nights) nights, \(failures) failures; \(calls) calls compared, \(foundFaults) of "
                + "\(faults) faults found; " + done.joined(separator: ", "))
        if failures > 0 { throw ExitCode(1) }
    }

    /// Replays the nights that have died: up to the cycle in which they died, they must be equal.
    private func replayDead() throws {
        var count = 0
        let results = BoxRescue.rescue(from: "\(folder)/memory") { _ in
            count += 1
            return "\(folder)/dead-\(seed)-\(count).stompbox"
        }
        guard !results.isEmpty else {
            print("there is no night that has died")
            throw ExitCode(1)
        }
        for result in results {
            let path = try result.get()
            let box = try BoxReader(of: path).read()
            // In the replay, the node must not end this program.
            let last = box.log.calls.last
            var alive = box
            alive.log.calls.removeLast()
            let result = try Replay(alive, folder: path, catalogue: RandomNight.catalogue).run()
            let hasDeath = last?.checksum == nil && last?.commands.isEmpty == false
            print(
                "\(path): \(result.comparedCalls) calls compared, \(result.differentCalls) differ; "
                    + (hasDeath
                        ? "contains the cycle of the death" : "LACKS the cycle of the death"))
            guard result.isEqual, result.comparedCalls > 0, hasDeath else { throw ExitCode(1) }
            system("rm -rf '\(path)'")
        }
    }

    /// Prints, for each kind of effect, the times from which the boxes of a few nights are equal.
    private func measureKinds() throws {
        var failures = 0
        for (kind, name) in RandomNight.kinds.enumerated() {
            var times: [Double] = []
            for number in seed..<seed + UInt64(nights) {
                let path = "\(folder)/kind-\(kind)-\(number).stompbox"
                let night = try RandomNight(
                    seed: number, memoryFolder: "\(folder)/memory", windowSeconds: window,
                    kind: kind)
                night.play(seconds: seconds)
                try night.keep(in: path)
                night.end()
                let box = try BoxReader(of: path).read()
                let result = try Replay(
                    box, folder: path, catalogue: RandomNight.catalogue
                ).run()
                let first = box.log.calls.first?.frame ?? 0
                times.append(
                    result.isEqual
                        ? 0
                        : result.equalFromFrame == result.endFrame
                            ? .infinity : Double(result.equalFromFrame - first) / 48_000)
                system("rm -rf '\(path)'")
            }
            let texts = times.sorted().map { "\(($0 * 100).rounded() / 100)" }
            print("\(name): equal from \(texts.joined(separator: ", ")) s")
            if RandomNight.notesState(kind: kind), times.contains(.infinity) { failures += 1 }
        }
        guard failures > 0 else { return }
        print("\(failures) effects that note their state are never equal")
        throw ExitCode(1)
    }

    /// Replays boxes in which nodes continue from strange states: the program must not end.
    private func replayStrangeStates() throws {
        var states = 0
        for (kind, name) in RandomNight.kinds.enumerated()
        where RandomNight.notesState(kind: kind) {
            for number in seed..<seed + UInt64(nights) {
                print("\(name), night \(number)")
                let path = "\(folder)/strange-\(kind)-\(number).stompbox"
                let night = try RandomNight(
                    seed: number, memoryFolder: "\(folder)/memory", kind: kind)
                night.play(seconds: seconds)
                try night.keep(in: path)
                night.end()
                var box = try BoxReader(of: path).read()
                box.addStrangeStates(seed: number)
                states += box.log.states.count
                _ = try Replay(box, folder: path, catalogue: RandomNight.catalogue).run()
                system("rm -rf '\(path)'")
            }
        }
        print("\(states) states did no harm")
    }

    private func measureCost() throws {
        for isCold in [false, true] {
            let cost = try CaptureCost(
                blockFrames: 64, isCold: isCold, rounds: isCold ? 20 : 200,
                memoryFolder: "\(folder)/memory")
            let share = (cost.with - cost.without) / cost.periodNanoseconds * 100
            print(
                "\(isCold ? "cold" : "warm") caches: without \(Int(cost.without)) ns, "
                    + "with \(Int(cost.with)) ns: \((share * 1000).rounded() / 1000) % of the period"
            )
        }
        for kind in RandomNight.kinds.indices where RandomNight.notesState(kind: kind) {
            try measureNotes(kind: kind)
        }
        for isCold in [false, true] {
            let times = try SoundCost(isCold: isCold, parts: 200).nanoseconds
            guard !times.isEmpty else { return }
            print(
                "\(isCold ? "cold" : "warm") caches: a part of a loop costs "
                    + "\(Int(times[times.count / 2])) ns, 90 % at most "
                    + "\(Int(times[times.count * 9 / 10])) ns")
        }
    }

    /// Prints what the black box costs in the cycles in which an effect notes its state.
    private func measureNotes(kind: Int) throws {
        for isCold in [false, true] {
            let cost = try StateCost(
                kind: kind, isCold: isCold, notes: 60, memoryFolder: "\(folder)/memory")
            guard !cost.nanoseconds.isEmpty else { return }
            let middle = cost.nanoseconds[cost.nanoseconds.count / 2]
            let high = cost.nanoseconds[cost.nanoseconds.count * 9 / 10]
            print(
                "\(RandomNight.kinds[kind]), \(isCold ? "cold" : "warm") caches: a note of up to "
                    + "\(cost.words) words costs \(Int(middle)) ns, 90 % at most \(Int(high)) ns")
        }
    }
}
