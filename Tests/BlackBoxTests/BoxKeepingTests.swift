import BlackBox
import Glibc
import Synchronization
import TestSignals
import Testing

@Suite("Boxes that sessions keep")
struct BoxKeepingTests {
    private let folder = ScratchFolder()

    @Test("the end of a session waits for all boxes that are being written")
    func manyBoxes() throws {
        let options = BlackBox.Options(
            program: "test", name: "night", sampleRate: 48_000, blockFrames: 64, inputChannels: 2,
            memoryFolder: folder.file("memory"))
        var message = ""
        let box = try #require(BlackBox(options, message: &message))
        let count = Mutex(0)
        for number in 0..<8 {
            box.keep(BoxReason(.keep), in: folder.file("\(number).stompbox")) { _ in
                // The first box comes from a slow disk.
                if number == 0 { usleep(1_000_000) }
                count.withLock { $0 += 1 }
            }
        }
        box.end()
        #expect(count.withLock(\.self) == 8)
    }

    @Test("a session without a box hides the box of the former session")
    func missingBox() {
        var boxes = EngineBoxes<Int>()
        #expect(boxes.current == nil)
        boxes.add(.success(10), ofSession: 0)
        boxes.add(.failure(BoxError("no memory")), ofSession: 1)
        #expect(boxes.current == .success(10))
        let former = boxes.play(session: 1)
        #expect(former == 10)
        #expect(boxes.current == .failure(BoxError("no memory")))
        boxes.add(.success(12), ofSession: 2)
        let none = boxes.play(session: 2)
        #expect(none == nil)
        #expect(boxes.current == .success(12))
        let all = boxes.removeAll()
        #expect(all == [12])
        #expect(boxes.current == nil)
    }

    @Test("sessions that are prepared at the same time keep their boxes until they play or fail")
    func pendingBoxes() {
        var boxes = EngineBoxes<Int>()
        for number in 0...3 { boxes.add(.success(10 + number), ofSession: number) }
        // A later one fails, and an earlier one plays.
        var ended = boxes.drop(session: 3)
        #expect(ended == 13)
        ended = boxes.play(session: 1)
        #expect(ended == 10)
        #expect(boxes.current == .success(11))
        ended = boxes.play(session: 2)
        #expect(ended == 11)
        #expect(boxes.current == .success(12))
        // The session that plays is never dropped, and those without an entry change nothing.
        for number in [2, 4] {
            ended = boxes.drop(session: number)
            #expect(ended == nil)
            ended = boxes.play(session: number)
            #expect(ended == nil)
        }
        #expect(boxes.current == .success(12))
        let all = boxes.removeAll()
        #expect(all == [12])
    }

    @Test("each kind of reason has its own pause, which is short after a failure")
    func pauses() {
        var pauses = BoxPauses()
        func begins(_ kind: BoxReason.Kind, _ seconds: UInt64) -> Bool {
            pauses.begin(kind, at: seconds * 1_000_000_000)
        }
        func end(_ kind: BoxReason.Kind, _ seconds: UInt64, isWritten: Bool) {
            pauses.end(kind, at: seconds * 1_000_000_000, isWritten: isWritten)
        }
        #expect(begins(.late, 1))
        // Another one is being written.
        #expect(!begins(.late, 2))
        end(.late, 2, isWritten: true)
        #expect(!begins(.late, 121))
        #expect(begins(.panic, 30))
        #expect(begins(.late, 122))
        end(.late, 123, isWritten: false)
        #expect(!begins(.late, 132))
        #expect(begins(.late, 133))
        // The pause doubles, up to the usual one.
        for (start, pause) in [(133, 20), (153, 40), (193, 80), (273, 120), (393, 120)] {
            end(.late, UInt64(start), isWritten: false)
            #expect(!begins(.late, UInt64(start + pause - 1)))
            #expect(begins(.late, UInt64(start + pause)))
        }
    }
}
