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

    @Flag(help: "Measure what the black box costs in a cycle of 64 frames, instead of nights.")
    var cost = false

    @Flag(help: "Play one night, and die in the middle of a cycle.")
    var die = false

    @Flag(help: "Write the boxes of nights that have died, and replay them.")
    var rescue = false

    func run() throws {
        if die {
            let night = try RandomNight(
                seed: seed, memoryFolder: "\(folder)/memory", fault: .death)
            return night.play(seconds: seconds)
        }
        if rescue { return try replayDead() }
        if cost { return try measureCost() }
        var (failures, faults, calls) = (0, 0, 0)
        var counts: [String: Int] = [:]
        for number in seed..<seed + UInt64(nights) {
            let path = "\(folder)/night-\(number).stompbox"
            let night = try RandomNight(
                seed: number, memoryFolder: "\(folder)/memory", windowSeconds: window)
            night.play(seconds: seconds)
            try night.keep(in: path)
            night.end()
            counts.merge(night.counts, uniquingKeysWith: +)
            let box = try BoxReader(of: path).read()
            let result = try Replay(box, folder: path, catalogue: RandomNight.catalogue).run()
            calls += result.comparedCalls
            let found = night.isFound(by: result)
            if night.fault != .none, found { faults += 1 }
            if result.isEqual, found, result.comparedCalls > 0 {
                system("rm -rf '\(path)'")
                continue
            }
            failures += 1
            print(
                "night \(number): \(result.differentCalls) of \(result.comparedCalls) calls differ, "
                    + "first at frame \(result.firstDifference.map { "\($0)" } ?? "-"), equal from "
                    + "\(result.equalFromFrame) of \(result.endFrame); fault \(night.fault) "
                    + (found
                        ? "found"
                        : "NOT found, injected at \(night.faultFrame ?? 0): "
                            + "\(result.notFinite) \(result.late)"))
        }
        let done = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        print(
            "\(nights) nights, \(failures) failures; \(calls) calls compared, \(faults) faults found; "
                + done.joined(separator: ", "))
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
    }
}
