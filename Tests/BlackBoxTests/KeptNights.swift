import BlackBox
import Glibc
import TestNights
import TestSignals
import Testing

extension ScratchFolder {
    /// Plays a night, and returns the path of its box.
    func keptNight(
        seed: UInt64, fault: RandomNight.Fault = .none, seconds: Double = 1
    ) throws -> String {
        let night = try RandomNight(seed: seed, memoryFolder: file("memory"), fault: fault)
        night.play(seconds: seconds)
        let path = file("\(seed).stompbox")
        try night.keep(in: path)
        night.end()
        return path
    }

    /// Plays three seconds of an effect that notes its state, and returns the path of the box.
    func keptStates() throws -> String {
        let kind = try #require(
            RandomNight.kinds.indices.first { RandomNight.notesState(kind: $0) })
        let night = try RandomNight(seed: 1, memoryFolder: file("memory"), kind: kind)
        night.play(seconds: 3)
        let path = file("states.stompbox")
        try night.keep(in: path)
        night.end()
        return path
    }

    /// Copies a file.
    static func copy(_ path: String, to other: String) throws {
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
}

extension Box {
    /// Replays the box, whose files are in a folder.
    func replay(in folder: String) throws -> Replay.Result {
        try Replay(self, folder: folder, catalogue: RandomNight.catalogue).run()
    }
}
