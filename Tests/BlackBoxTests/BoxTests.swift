import BlackBox
import Glibc
import Synchronization
import TestNights
import TestSignals
import Testing

@Suite("Boxes as folders and files")
struct BoxTests {
    private let folder = ScratchFolder()

    /// Plays a night, and returns the path of its box.
    private func keptNight(
        seed: UInt64, fault: RandomNight.Fault = .none, seconds: Double = 1
    ) throws -> String {
        let night = try RandomNight(
            seed: seed, memoryFolder: folder.file("memory"), fault: fault)
        night.play(seconds: seconds)
        let path = folder.file("\(seed).stompbox")
        try night.keep(in: path)
        night.end()
        return path
    }

    private func replay(_ box: Box, _ path: String) throws -> Replay.Result {
        try Replay(box, folder: path, catalogue: RandomNight.catalogue).run()
    }

    @Test("a replay notices a missing command and a changed sample")
    func changes() throws {
        let path = try keptNight(seed: 31)
        let box = try BoxReader(of: path).read()
        #expect(try replay(box, path).isEqual)
        var quieter = box
        for index in quieter.log.channels[0].indices { quieter.log.channels[0][index] *= 0.5 }
        let result = try replay(quieter, path)
        #expect(!result.isEqual)
        #expect(result.firstDifference != nil)
    }

    @Test("a box that is read and written again is the same")
    func again() throws {
        let path = try keptNight(seed: 35, fault: .slow, seconds: 3)
        let box = try BoxReader(of: path).read(), copy = folder.file("again.stompbox")
        try BoxWriter(to: copy).write(box, isPrivate: false)
        let again = try BoxReader(of: copy).read().log
        #expect(again.calls == box.log.calls)
        #expect(again.commands == box.log.commands)
        #expect(again.messages == box.log.messages)
        #expect(again.arrivals == box.log.arrivals)
        #expect(again.states == box.log.states)
        #expect(again.transports == box.log.transports)
        #expect(again.late == box.log.late)
        #expect(again.channels == box.log.channels)
        #expect(!again.commands.isEmpty && !again.messages.isEmpty && !again.late.isEmpty)
    }

    @Test("states of nodes are in a box, but not in a private one")
    func states() throws {
        let path = try stateBox()
        let box = try BoxReader(of: path).read()
        let states = box.log.states
        // One node writes a note once a second.
        #expect((2...5).contains(states.count))
        #expect(states.allSatisfy { $0.node == 0 && $0.processor == 0 && !$0.words.isEmpty })
        #expect(box.log.calls.reduce(0) { $0 + $1.states.count } == states.count)
        let copy = folder.file("copy.stompbox"), secret = folder.file("secret.stompbox")
        try BoxWriter(to: copy).write(box, isPrivate: false)
        #expect(try BoxReader(of: copy).read().log.states == states)
        try BoxWriter(to: secret).write(box, isPrivate: true)
        #expect(try BoxReader(of: secret).read().log.states.isEmpty)
    }

    @Test("a box of a version without states is read, and one with broken states is refused")
    func otherStates() throws {
        let path = try stateBox()
        let whole = try BoxReader(of: path).read()
        folder.write(
            #"{ "arrivals": [], "commands": [], "messages": [] }"#,
            to: "states.stompbox/events.json")
        let old = try BoxReader(of: path).read()
        #expect(old.log.states.isEmpty && old.log.calls.count == whole.log.calls.count)
        for words in ["0", "000000000000000g", "00000000000000000"] {
            let state = """
                { "call": 0, "frame": 0, "node": 0, "processor": 0, "schedule": 0,
                  "words": "\(words)" }
                """
            folder.write(
                #"{ "arrivals": [], "commands": [], "messages": [], "states": [\#(state)] }"#,
                to: "states.stompbox/events.json")
            #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
        }
    }

    @Test("states for nodes that do not exist, and of other lengths, do no harm")
    func strangeStates() throws {
        let path = try stateBox()
        var box = try BoxReader(of: path).read()
        box.facts.isWhole = false
        let known = box.log.states[0]
        let most = known.words.count
        for (index, call) in box.log.calls.indices.enumerated() where index % 5 == 0 {
            let first = box.log.states.count
            for (node, processor, count, frame) in [
                (0, 0, index % most, 3), (0, 7, 1, 0), (9, 0, 1, 0), (0, 0, 100_000, -5),
                (0, 0, most, Int.max),
            ] {
                var state = known
                (state.node, state.processor, state.frame) = (node, processor, frame)
                state.words = [UInt64](repeating: .max >> UInt64(index % 64), count: count)
                box.log.states.append(state)
            }
            box.log.calls[call].states = first..<box.log.states.count
        }
        #expect(try replay(box, path).comparedCalls > 0)
    }

    /// Plays three seconds of an effect that notes its state, and returns the path of the box.
    private func stateBox() throws -> String {
        let kind = try #require(
            RandomNight.kinds.indices.first { RandomNight.notesState(kind: $0) })
        let night = try RandomNight(
            seed: 1, memoryFolder: folder.file("memory"), kind: kind)
        night.play(seconds: 3)
        let path = folder.file("states.stompbox")
        try night.keep(in: path)
        night.end()
        return path
    }

    @Test("of many late cycles, the first and the last ones have the times of their nodes")
    func manyLateCalls() throws {
        let path = try keptNight(seed: 35, fault: .slow, seconds: 3)
        var box = try BoxReader(of: path).read()
        let full = folder.file("full.stompbox")
        let late = try #require(box.log.late.first)
        #expect(!late.nodeSeconds.isEmpty)
        box.log.late = []
        for frame in 0..<UInt64(3000) {
            var call = late
            call.endFrame = frame
            box.log.add(call)
        }
        try BoxWriter(to: full).write(box, isPrivate: false)
        let read = try BoxReader(of: full).read().log.late
        #expect(read.map(\.endFrame) == Array(0..<3000))
        let kept = BoxLog.detailedLateCalls
        #expect(read.prefix(kept).allSatisfy { $0.nodeSeconds == late.nodeSeconds })
        #expect(read.suffix(kept).allSatisfy { $0.nodeSeconds == late.nodeSeconds })
        #expect(read.dropFirst(kept).dropLast(kept).allSatisfy { $0.nodeSeconds.isEmpty })
    }

    @Test(
        "a box that asks for too many cycles or for inputs that are too long is refused",
        arguments: [(count: 134_217_727, frames: 0), (count: 20_000, frames: 65_536)])
    func malicious(count: Int, frames: Int) throws {
        let path = try keptNight(seed: 36)
        let run = """
            { "count": \(count), "flags": 0, "followsGap": false, "frame": 0, "frames": \(frames),
              "messageInputs": 0 }
            """
        folder.write(
            #"{ "checksums": [], "late": [], "runs": [\#(run)], "transports": [] }"#,
            to: "36.stompbox/cycles.json")
        folder.write(
            #"{ "arrivals": [], "commands": [], "messages": [] }"#, to: "36.stompbox/events.json")
        #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
    }

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

    @Test("less time fits into the memory with many inputs")
    func fittingTime() {
        func seconds(_ inputs: Int, _ wanted: Double) -> Int {
            var options = BlackBox.Options(
                program: "", name: "", sampleRate: 48_000, blockFrames: 64, inputChannels: inputs,
                memoryFolder: "")
            options.seconds = wanted
            return Int(options.fittingSeconds)
        }
        #expect(seconds(2, 120) == 120)
        #expect(seconds(2, 3600) == 541)
        #expect(seconds(16, 120) == 84)
    }

    @Test("the memory disappears at the end of a session")
    func end() throws {
        _ = try keptNight(seed: 32)
        #expect(ScratchFolder.names(in: folder.file("memory")) == [])
    }

    @Test("the memory of a program that has died becomes a box that replays")
    func rescue() throws {
        let night = try RandomNight(
            seed: 33, memoryFolder: folder.file("memory"), fault: RandomNight.Fault.none)
        night.play(seconds: 1)
        // Afterwards the thread has moved everything into the store.
        try night.keep(in: folder.file("kept.stompbox"))
        // A copy has no lock, like the memory of a dead program.
        let copies = folder.file("dead")
        mkdir(copies, 0o700)
        for name in ScratchFolder.names(in: folder.file("memory")) {
            mkdir("\(copies)/\(name)", 0o700)
            for file in ScratchFolder.names(in: folder.file("memory/\(name)")) {
                try copy(folder.file("memory/\(name)/\(file)"), to: "\(copies)/\(name)/\(file)")
            }
        }
        // It remains until a box can be written.
        let failed =
            BoxRescue.rescue(from: copies) { _ in folder.file("absent/rescued.stompbox") }
            + BoxRescue.rescue(from: copies) { _ in nil }
        #expect(failed.count == 2)
        for result in failed { #expect(throws: BoxError.self) { try result.get() } }
        let target = folder.file("rescued.stompbox")
        let results = BoxRescue.rescue(from: copies) { name in
            #expect(name == "night")
            return target
        }
        #expect(results == [.success(target)])
        #expect(ScratchFolder.names(in: copies) == [])
        // The memory of the running program stays.
        #expect(BoxRescue.rescue(from: folder.file("memory")) { _ in target }.isEmpty)
        night.end()
        let box = try BoxReader(of: target).read()
        #expect(box.facts.reason.kind == .crash)
        let result = try replay(box, target)
        #expect(result.isEqual)
        #expect(result.comparedCalls > 100)
    }

    @Test("a memory is below the runtime folder only if that is in RAM")
    func memoryFolder() {
        let inShared = "/dev/shm/stompline-\(getuid())/boxes"
        #expect(BoxRescue.memoryFolder(runtimeFolder: "") == inShared)
        #expect(BoxRescue.memoryFolder(runtimeFolder: folder.file("absent")) == inShared)
        let onDisk = BoxRescue.memoryFolder(runtimeFolder: folder.path) { path in
            #expect(path == folder.path)
            return false
        }
        #expect(onDisk == inShared)
        #expect(BoxRescue.memoryFolder(runtimeFolder: "/proc") == inShared)
        #expect(BoxRescue.memoryFolder(runtimeFolder: "/dev/shm") == "/dev/shm/stompline/boxes")
    }

    private func copy(_ path: String, to other: String) throws {
        let from = try #require(fopen(path, "rb")), into = try #require(fopen(other, "wb"))
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&bytes, 1, bytes.count, from)
            if count == 0 { break }
            fwrite(bytes, 1, count, into)
        }
        fclose(from)
        fclose(into)
    }

    @Test("a box contains the files as nodes have opened them, though they are replaced")
    func replacedFile() throws {
        let night = try RandomNight(
            seed: 37, memoryFolder: folder.file("memory"), fault: RandomNight.Fault.none,
            hasSounds: true)
        night.play(seconds: 0.5)
        let loop = night.sound("loop.wav")
        try copy(night.sound("cue.wav"), to: loop + ".new")
        #expect(rename(loop + ".new", loop) == 0)
        let path = folder.file("37.stompbox")
        try night.keep(in: path)
        night.end()
        let box = try BoxReader(of: path).read()
        let file = try #require(box.facts.files.first { $0.path == loop && $0.state == .kept })
        #expect(file.byteCount > 0)
        #expect(!box.facts.files.contains { $0.state == .changed })
        let result = try replay(box, path)
        #expect(result.isEqual)
    }

    @Test("a node whose file is not there is named, and the rest plays")
    func missingFile() throws {
        let night = try RandomNight(
            seed: 37, memoryFolder: folder.file("memory"), fault: RandomNight.Fault.none,
            hasSounds: true)
        night.play(seconds: 0.5)
        let path = folder.file("37.stompbox")
        try night.keep(in: path)
        night.end()
        var box = try BoxReader(of: path).read()
        for index in box.facts.files.indices { box.facts.files[index].state = .outside }
        #expect(box.facts.files.allSatisfy { $0.checksum.count == 16 })
        // The files are still the same.
        #expect(try replay(box, path).isEqual)
        for index in box.facts.files.indices { box.facts.files[index].checksum = "0" }
        let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
        let loop = night.sound("loop.wav")
        #expect(
            replay.unrepeatable.contains(
                Replay.Unrepeatable(node: "looper", cause: .file(loop, .notThere))))
        #expect(try replay.run().comparedCalls > 100)
        // A file in the box that was changed does not play either.
        for index in box.facts.files.indices { box.facts.files[index].state = .kept }
        #expect(
            try Replay(box, folder: path, catalogue: RandomNight.catalogue).unrepeatable.contains(
                Replay.Unrepeatable(node: "looper", cause: .file(loop, .notThere))))
        // A name must not lead out of the box.
        for index in box.facts.files.indices {
            (box.facts.files[index].state, box.facts.files[index].name) = (.kept, "../secret")
        }
        #expect(
            try Replay(box, folder: path, catalogue: RandomNight.catalogue).unrepeatable.contains {
                $0.node == "looper"
            })
    }

    @Test("the folder of all sessions is private, and disappears with the last session")
    func sharedFolder() throws {
        let parent = folder.file("stompline"), boxes = parent + "/boxes"
        let night = try RandomNight(seed: 40, memoryFolder: boxes)
        #expect(ScratchFolder.names(in: boxes).count == 1)
        night.end()
        #expect(access(parent, F_OK) != 0)
        // A folder that others can change.
        #expect(mkdir(parent, 0o700) == 0)
        #expect(chmod(parent, 0o777) == 0)
        #expect(throws: NightError.self) { try RandomNight(seed: 40, memoryFolder: boxes) }
    }

    @Test("an archive contains every file of a box, in the format of tar")
    func archive() throws {
        let path = try keptNight(seed: 34)
        let file = folder.file("report.tar")
        try BoxArchive(of: path).write(to: file)
        let stream = try #require(popen("tar -tf '\(file)'", "r"))
        var text = ""
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), stream) != nil {
            text += String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        #expect(pclose(stream) == 0)
        let names = text.split(separator: "\n").map {
            $0.split(separator: "/").last.map(String.init)
        }
        #expect(names == ScratchFolder.names(in: path))
        #expect(text.contains("34.stompbox/box.json"))
        #expect(throws: BoxError.self) { try BoxArchive(of: path).write(to: file) }
        let empty = folder.file("empty.tar")
        #expect(throws: BoxError.self) { try BoxArchive(of: folder.path).write(to: empty) }
        #expect(access(empty, F_OK) != 0)
    }

    @Test("a schedule whose parts do not fit together is refused")
    func inconsistent() throws {
        let path = try keptNight(seed: 36)
        let box = try BoxReader(of: path).read()
        let text = String(decoding: try #require(box.schedules[0]), as: UTF8.self)
        for (part, other) in [
            (#""channel":0"#, #""channel":99"#), (#""channel":0"#, #""channel":-1"#),
            (#""slots":[0"#, #""slots":[-5"#), (#""slots":[0"#, #""slots":[5000"#),
        ] {
            #expect(text.contains(part))
            var broken = box
            broken.schedules[0] = Array(text.replacing(part, with: other).utf8)
            #expect(throws: BoxError.self, "\(other)") { try replay(broken, path) }
        }
    }

    @Test("the nodes of a plugin that is not installed are named")
    func missingPlugin() throws {
        let path = try keptNight(seed: 36)
        var box = try BoxReader(of: path).read()
        let text = String(decoding: try #require(box.schedules[0]), as: UTF8.self)
        let part = #""type":{"effect":{"_0":"fault"}}"#
        #expect(text.contains(part))
        let other = text.replacing(part, with: #""type":{"plugin":{"_0":"urn:absent"}}"#)
        box.schedules[0] = Array(other.utf8)
        let replay = try Replay(box, folder: path, catalogue: RandomNight.catalogue)
        #expect(
            replay.unrepeatable.contains(
                Replay.Unrepeatable(node: "fault", cause: .missingPlugin("urn:absent"))))
    }

    @Test(
        "files that are no box are errors, not crashes",
        arguments: [
            "", "{}", "[]", "{ \"version\": 2 }", "{ \"runs\": [{ \"count\": -1 }] }",
        ])
    func broken(text: String) throws {
        let path = try keptNight(seed: 35)
        for name in ["box.json", "cycles.json", "events.json"] {
            let box = folder.file("broken-\(name).stompbox")
            mkdir(box, 0o700)
            for file in ScratchFolder.names(in: path) {
                try copy("\(path)/\(file)", to: "\(box)/\(file)")
            }
            let stream = try #require(fopen("\(box)/\(name)", "w"))
            fputs(text, stream)
            fclose(stream)
            #expect(throws: BoxError.self) { try BoxReader(of: box).read() }
        }
    }

    @Test(
        "an error of a file names the place",
        arguments: [
            (#"{ "version": 1 }"#, "lacks the key"), (#"{ "version": "x" }"#, "at /version"),
            ("{ x", "not valid JSON"),
        ])
    func faultPlace(text: String, place: String) throws {
        let path = try keptNight(seed: 35)
        folder.write(text, to: "box.json")
        try copy(folder.file("box.json"), to: "\(path)/box.json")
        let error = #expect(throws: BoxError.self) { try BoxReader(of: path).read() }
        let message = try #require(error?.description)
        #expect(message.hasPrefix("\(path)/box.json is not valid: "))
        #expect(message.contains(place), "\(message)")
        #expect(!message.contains("CodingKeys"))
    }
}
