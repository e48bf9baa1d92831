import BlackBox
import Glibc
import TestNights
import TestSignals
import Testing

@Suite("Memories of boxes, and their rescue")
struct BoxMemoryTests {
    private let folder = ScratchFolder()

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

    @Test("many changes of songs shorten the box instead of using more memory")
    func manySchedules() throws {
        let limit = 100_000
        let night = try RandomNight(
            seed: 39, memoryFolder: folder.file("memory"), mostScheduleBytes: limit,
            fault: RandomNight.Fault.none)
        night.play(seconds: 12)
        let path = folder.file("39.stompbox")
        try night.keep(in: path)
        night.end()
        let box = try BoxReader(of: path).read()
        #expect(box.schedules.count > 2)
        let sizes = box.schedules.values.map(\.count)
        #expect(sizes.reduce(0, +) <= max(limit, 8 * (sizes.max() ?? 0)))
        let first = try #require(box.schedules.keys.min())
        #expect(first == box.facts.firstSchedule)
        #expect(first > 0)
        #expect(!box.facts.isWhole)
        let result = try box.replay(in: path)
        #expect(result.comparedCalls > 100)
        #expect(result.equalFromFrame < result.endFrame)
    }

    @Test("the memory disappears at the end of a session")
    func end() throws {
        _ = try folder.keptNight(seed: 32)
        #expect(ScratchFolder.names(in: folder.file("memory")) == [])
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
                try ScratchFolder.copy(
                    folder.file("memory/\(name)/\(file)"), to: "\(copies)/\(name)/\(file)")
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
        let result = try box.replay(in: target)
        #expect(result.isEqual)
        #expect(result.comparedCalls > 100)
    }
}
