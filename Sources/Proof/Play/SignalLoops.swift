internal import Engine
internal import Pipelines
internal import Realtime

/// The sounds of all audio inputs, as loops that are read without copying.
final class SignalLoops {
    /// Each sound, followed by one block of its beginning, so that a block never crosses its end.
    private let rooms: Buffer<Buffer<Float>>
    /// For each slot: the index in `rooms`, the length in frames, and the first frame.
    private let slots: [(room: Int, frames: Int, offset: Int)]
    /// The number of frames at the start for which all slots play the second room.
    private let beginningFrames: Int
    private let table: Buffer<UnsafePointer<Float>>

    /// Prepares the loops.
    ///
    /// - Parameters:
    ///   - ports: The engine ports.
    ///   - request: The sounds, and the length of the test signal.
    ///   - isTone: Whether all inputs receive a steady tone instead.
    init(_ ports: EnginePorts, _ request: ProofRequest, isTone: Bool) {
        let frames = request.longBlocks * request.blockFrames
        let signal = isTone ? TestSignal.tone : TestSignal.samples
        var sounds = [signal(frames, request.sampleRate)]
        // Channels of the test signal differ, so that they do not add up.
        var slots = (0..<max(1, ports.inputSlots)).map {
            (room: 0, frames: frames, offset: isTone ? 0 : $0 * 7919 % frames)
        }
        // An echo would repeat the edge of an abrupt beginning.
        if isTone { sounds.append(TestSignal.fadingIn(sounds[0])) }
        beginningFrames = isTone ? frames : 0
        for signal in ports.inputs where signal.kind == .audio && !isTone {
            guard let sound = request.sounds[signal.name], let first = sound.first, !first.isEmpty
            else { continue }
            let start = Self.loudestStart(of: sound, frames: frames)
            for (channel, slot) in signal.slots.enumerated() {
                slots[slot] = (sounds.count + channel % sound.count, first.count, start)
            }
            sounds += sound
        }
        self.slots = slots
        let block = request.blockFrames
        let all = sounds
        rooms = Buffer(count: all.count) { index in
            let sound = all[index]
            return Buffer((0..<sound.count + block).map { sound[$0 % sound.count] })
        }
        table = Buffer(count: slots.count, repeating: UnsafePointer(rooms[0].start))
    }

    /// Returns the first frame of the part of a recording with the most energy: a recording can begin
    /// with silence or a count-in.
    ///
    /// - Parameters:
    ///   - sound: All channels, of equal length.
    ///   - frames: The length of the part.
    /// - Returns: A multiple of a quarter of the part; 0 if the recording is shorter than the part.
    private static func loudestStart(of sound: [[Float]], frames: Int) -> Int {
        let hop = max(1, frames / 4)
        let energies = (0..<(sound[0].count / hop)).map { quarter in
            sound.reduce(0) { sum, channel in
                channel[quarter * hop..<(quarter + 1) * hop].reduce(sum) {
                    $0 + Double($1) * Double($1)
                }
            }
        }
        guard energies.count > 4 else { return 0 }
        let parts = (0...energies.count - 4).map { energies[$0..<$0 + 4].reduce(0, +) }
        let loudest = parts.indices.max { parts[$0] < parts[$1] } ?? 0
        return loudest * hop
    }

    /// Returns a pointer per slot to the samples from a frame on, valid until the next call.
    ///
    /// - Parameter frame: The frame; a negative one is before the beginning, at the end of the loop.
    /// - Returns: The pointers.
    func block(from frame: Int) -> UnsafePointer<UnsafePointer<Float>> {
        for (index, slot) in slots.enumerated() {
            let room = (0..<beginningFrames).contains(frame) ? 1 : slot.room
            let place = (slot.offset + frame) % slot.frames
            table[index] = UnsafePointer(
                rooms[room].start + (place < 0 ? place + slot.frames : place))
        }
        return UnsafePointer(table.start)
    }
}
