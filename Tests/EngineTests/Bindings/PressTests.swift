import Engine
import Pipelines
import Testing

@Suite("Short, long and double presses")
struct PressTests {
    private static let short = bind(.note(60), .perform(.nextScene))
    private static let long = bind(.note(60), .perform(.panic))
    private static let double = bind(.note(60), .perform(.mute))

    /// 480 frames at 48 kHz.
    private static let tenMilliseconds = 0.01

    /// Returns the notes of presses that begin and end at these frames.
    private static func presses(_ frames: (start: Int, end: Int)...) -> [Message] {
        frames.flatMap {
            [
                Message(frame: $0.start, port: 0, bytes: [0x90, 60, 100]),
                Message(frame: $0.end, port: 0, bytes: [0x80, 60, 0]),
            ]
        }
    }

    /// The changes as pairs of frame and binding.
    private static func found(_ bench: BindingBench) -> [[Int]] {
        bench.changes.map { [$0.frame, Int($0.binding)] }
    }

    @Test("a short press acts at its beginning if its control has no other presses")
    func alone() {
        let bench = BindingBench([
            Self.short, bind(.note(61), .perform(.panic)).with(.long(holdSeconds: 0.01)),
            bind(.note(60), .perform(.mute), channel: 2).with(.double(windowSeconds: 0.01)),
        ])
        bench.play(Self.presses((100, 2000)), 4800)
        #expect(Self.found(bench) == [[100, 0]])
    }

    @Test("with a long press, a short one acts at its release")
    func longPress() {
        let bench = BindingBench([
            Self.short, Self.long.with(.long(holdSeconds: Self.tenMilliseconds)),
        ])
        bench.play(
            Self.presses((100, 300), (1000, 2000), (3000, 3479), (4000, 4480), (5000, 5000)), 9600)
        #expect(Self.found(bench) == [[300, 0], [1480, 1], [3479, 0], [4480, 1], [5000, 0]])
    }

    @Test("with a double press, a short one acts when the time for the second one is over")
    func doublePress() {
        let bench = BindingBench([
            Self.short, Self.double.with(.double(windowSeconds: Self.tenMilliseconds)),
        ])
        bench.play(
            Self.presses(
                (100, 200), (2000, 2100), (2479, 2600), (4000, 4100), (4480, 4500), (6000, 9000)),
            12_000)
        #expect(
            Self.found(bench) == [[580, 0], [2479, 1], [4480, 0], [4960, 0], [6480, 0]])
    }

    @Test("three quick presses are a double and a short one")
    func threePresses() {
        let bench = BindingBench([
            Self.short, Self.double.with(.double(windowSeconds: Self.tenMilliseconds)),
        ])
        bench.play(Self.presses((0, 10), (100, 110), (200, 210)), 4800)
        #expect(Self.found(bench) == [[100, 1], [680, 0]])
    }

    @Test("with long and double presses, a short one waits until it can be neither")
    func all() {
        let bench = BindingBench([
            Self.short, Self.long.with(.long(holdSeconds: 0.02)),
            Self.double.with(.double(windowSeconds: 0.01)),
        ])
        bench.play(
            Self.presses(
                (0, 100), (2000, 2700), (4000, 5000), (6000, 6100), (6200, 9000)), 12_000)
        #expect(Self.found(bench) == [[480, 0], [2700, 0], [4960, 1], [6200, 2]])
    }

    @Test("a control can have long presses of several lengths")
    func severalLengths() {
        let bench = BindingBench([
            Self.short, Self.long.with(.long(holdSeconds: 0.01)),
            Self.double.with(.long(holdSeconds: 0.02)),
        ])
        bench.play(Self.presses((0, 500), (2000, 4000)), 4800)
        #expect(Self.found(bench) == [[480, 1], [2480, 1], [2960, 2]])
    }

    @Test("a controller is pressed in the upper half of its range")
    func controller() {
        let bench = BindingBench([
            bind(.controller(80), .perform(.nextScene)),
            bind(.controller(80), .perform(.panic)).with(.long(holdSeconds: 0.01)),
        ])
        let positions: [(Int, UInt8)] = [
            (0, 20), (100, 64), (200, 100), (300, 63), (1000, 127), (1600, 127), (2000, 0),
        ]
        bench.play(
            positions.map { Message(frame: $0.0, port: 0, bytes: [0xB0, 80, $0.1]) }, 4800)
        // A repeated position is no other press of a control that can be held.
        #expect(Self.found(bench) == [[300, 0], [1480, 1]])
    }

    @Test("a switch without releases sends double presses")
    func withoutRelease() {
        let bench = BindingBench([
            bind(.controller(80), .perform(.nextScene)),
            bind(.controller(80), .perform(.mute)).with(.double(windowSeconds: 0.01)),
        ])
        bench.play(
            [0, 2000, 2300, 6000].map {
                Message(frame: $0, port: 0, bytes: [0xB0, 80, 127])
            }, 9600)
        #expect(Self.found(bench) == [[480, 0], [2300, 1], [6480, 0]])
    }

    @Test("presses of other channels and inputs are presses of other controls")
    func otherControls() {
        let bench = BindingBench([
            Self.short, Self.double.with(.double(windowSeconds: Self.tenMilliseconds)),
        ])
        bench.play(
            [
                Message(frame: 0, port: 0, bytes: [0x90, 60, 1]),
                Message(frame: 100, port: 0, bytes: [0x91, 60, 1]),
                Message(frame: 200, port: 1, bytes: [0x90, 60, 1]),
            ], 4800)
        #expect(Self.found(bench) == [[480, 0], [580, 0], [680, 0]])
    }

    @Test("a press that reaches two inputs is one press of each kind")
    func copies() {
        let bench = BindingBench([
            Self.short, Self.long.with(.long(holdSeconds: Self.tenMilliseconds)),
        ])
        let messages = Self.presses((0, 100), (1000, 2000)).flatMap { message in
            (0..<2).map { Message(frame: message.frame, port: $0, bytes: message.bytes) }
        }
        bench.play(messages, 4800)
        #expect(Self.found(bench) == [[100, 0], [1480, 1]])
    }

    @Test("a press that another song interrupts acts in that song")
    func nextSong() {
        let bench = BindingBench([
            Self.short, Self.long.with(.long(holdSeconds: Self.tenMilliseconds)),
        ])
        bench.play(Self.presses((0, 300)), 128)
        bench.beginSong()
        bench.play([Message(frame: 300, port: 0, bytes: [0x80, 60, 0])], 4800)
        #expect(Self.found(bench) == [[300, 0]])
    }

    @Test("toggles and positions of the same control: the toggle waits, the position does not")
    func otherModes() {
        let bench = BindingBench([
            move(.note(60), BindingBench.mute, mode: .toggle),
            move(.note(60), BindingBench.gain, mode: .momentary),
            Self.long.with(.long(holdSeconds: Self.tenMilliseconds)),
        ])
        bench.feedback.room = 0
        bench.play(Self.presses((100, 300)), 4800)
        #expect(Self.found(bench) == [[100, 1], [300, 1], [300, 0]])
    }

    @Test("a full list of undecided presses decides further ones at once")
    func manyPresses() {
        let bindings = (0..<128).flatMap { number in
            [
                bind(.note(number), .perform(.nextScene)),
                bind(.note(number), .perform(.panic)).with(.long(holdSeconds: 0.01)),
            ]
        }
        let bench = BindingBench(bindings)
        bench.play(
            (0..<256).map { index in
                Message(
                    frame: 0, port: index / 128,
                    bytes: [0x90 + UInt8(index / 128), UInt8(index % 128), 1])
            }, 480)
        #expect(bench.changes.count == 128)
        #expect(bench.changes.allSatisfy { $0.frame == 0 && $0.binding % 2 == 0 })
        bench.play([], 64)
        #expect(bench.changes.dropFirst(128).allSatisfy { $0.frame == 480 && $0.binding % 2 == 1 })
        #expect(bench.changes.count == 256)
    }
}

@Suite("Guards against repeated presses")
struct GuardTests {
    private static let tap = bind(.note(60), .perform(.nextSong)).with(guardSeconds: 0.01)

    private static func notes(_ frames: [Int]) -> [Message] {
        frames.map { Message(frame: $0, port: 0, bytes: [0x90, 60, 100]) }
    }

    @Test("a press within the guard does nothing, and does not extend the guard")
    func presses() {
        let bench = BindingBench([Self.tap, bind(.note(60), .perform(.panic))])
        bench.play(Self.notes([10, 200, 489, 490, 1000]), 1600)
        #expect(bench.changes.filter { $0.binding == 0 }.map(\.frame) == [10, 490, 1000])
        #expect(bench.changes.count { $0.binding == 1 } == 5)
    }

    @Test("a guard survives the song that the press starts")
    func songs() {
        let bench = BindingBench([Self.tap])
        bench.play(Self.notes([10]), 64)
        bench.beginSong()
        bench.play(Self.notes([100, 490]), 640)
        #expect(bench.changes.map(\.frame) == [10, 490])
    }

    @Test("two equal bindings have a guard each")
    func twins() {
        let bench = BindingBench([Self.tap, Self.tap])
        bench.play(Self.notes([10, 20]), 64)
        #expect(bench.changes.map(\.binding) == [0, 1])
    }

    @Test("the guard of a double press counts double presses")
    func doublePresses() {
        let bench = BindingBench([
            bind(.note(60), .perform(.mute)).with(
                .double(windowSeconds: 0.002), guardSeconds: 0.01)
        ])
        bench.play(Self.notes([0, 50, 200, 250, 530, 580]), 1600)
        #expect(bench.changes.map(\.frame) == [50, 580])
    }
}
