import Engine
import Pipelines
import Testing

@Suite("Random presses and a plain model")
struct PressModelTests {
    /// The bindings of one note, in frames at 48 kHz.
    private struct Setup {
        var hasShort: Bool
        var guardFrames: Int
        var holds: [Int]
        var windows: [Int]

        init(_ random: inout Seeded) {
            hasShort = Int.random(in: 0..<5, using: &random) > 0
            guardFrames = Bool.random(using: &random) ? 0 : Int.random(in: 1...600, using: &random)
            holds = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                Int.random(in: 1...300, using: &random)
            }
            windows = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                Int.random(in: 1...300, using: &random)
            }
        }

        private func seconds(_ frames: Int) -> Double { Double(frames) / 48_000 }

        /// The short press first, then the long and the double ones.
        var bindings: [Pipeline.Binding] {
            let short = bind(.note(60), .perform(.nextScene))
                .with(guardSeconds: seconds(guardFrames))
            return [hasShort ? short : bind(.note(1), .perform(.nextScene))]
                + holds.map {
                    bind(.note(60), .perform(.panic)).with(.long(holdSeconds: seconds($0)))
                }
                + windows.map {
                    bind(.note(60), .perform(.mute)).with(.double(windowSeconds: seconds($0)))
                }
        }

        /// Returns the frames and bindings of all actions, sorted.
        func actions(_ presses: [(start: Int, end: Int)]) -> [[Int]] {
            var actions: [[Int]] = []
            var lastShort: Int?
            let window = windows.max() ?? 0
            var index = 0
            while index < presses.count {
                let (start, end) = presses[index]
                index += 1
                let long = holds.indices.filter { end - start >= holds[$0] }
                actions += long.map { [start + holds[$0], 1 + $0] }
                if !long.isEmpty { continue }
                if index < presses.count, presses[index].start - start < window {
                    let gap = presses[index].start - start
                    actions += windows.indices.filter { windows[$0] > gap }
                        .map { [presses[index].start, 1 + holds.count + $0] }
                    index += 1
                    continue
                }
                let decided = holds.isEmpty ? start + window : max(end, start + window)
                guard hasShort, lastShort.map({ decided - $0 >= guardFrames }) ?? true else {
                    continue
                }
                lastShort = decided
                actions.append([decided, 0])
            }
            return actions.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
        }
    }

    /// Returns presses that do not overlap; some begin at the frame at which another one ends.
    private static func presses(_ count: Int, _ random: inout Seeded) -> [(start: Int, end: Int)] {
        var frame = 0
        return (0..<count).map { _ in
            let start = frame + Int.random(in: 0...400, using: &random)
            frame = start + Int.random(in: 0...400, using: &random)
            return (start, frame)
        }
    }

    @Test("act at the frames of the model, for every partition", arguments: 1...60)
    func model(seed: Int) {
        var random = Seeded(seed)
        let setup = Setup(&random)
        let presses = Self.presses(40, &random)
        let expected = setup.actions(presses)
        let messages = presses.flatMap {
            [
                Message(frame: $0.start, port: 0, bytes: [0x90, 60, 100]),
                Message(frame: $0.end, port: 0, bytes: [0x80, 60, 0]),
            ]
        }
        for blocks in [[64], [1024], [31, 1, 257, 8], [40_000]] {
            let bench = BindingBench(setup.bindings)
            bench.play(messages, (presses.last?.end ?? 0) + 1000, blocks: blocks)
            let found = bench.changes.map { [$0.frame, Int($0.binding)] }
                .sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
            #expect(found == expected, "\(setup) in \(blocks)")
        }
    }
}
