internal import CRealtime
internal import Engine
internal import Pipelines
internal import Realtime
internal import SessionCore

/// The messages of all MIDI inputs: a chord that begins and ends with each step, so that instruments
/// sound.
///
/// It avoids the notes of bindings.
final class NoteMessages {
    private static let notes: [UInt8] = [48, 55, 60, 64]
    private static let velocity: UInt8 = 96

    private let on: Buffer<UInt8>
    private let off: Buffer<UInt8>
    private let messages: Buffer<RTMessage>
    private let inputs: Buffer<RTMessages>
    private let call: Buffer<RTEngineCall>
    private let count: Int

    /// Creates the messages for the engine ports of some songs.
    init(_ ports: EnginePorts, _ songs: SongCollection, isFreewheeling: Bool, isSilent: Bool) {
        let bound = Set(songs.songs.flatMap(\.pipeline.bindings).compactMap(Self.note))
        let notes = isSilent ? [] : Self.notes.filter { !bound.contains(Int($0)) }
        on = Buffer(notes.flatMap { [0x90, $0, Self.velocity] } + [0])
        off = Buffer(notes.flatMap { [0x80, $0, 0] } + [0])
        count = notes.count
        let first = UnsafePointer(on.start)
        messages = Buffer(count: max(1, notes.count)) {
            RTMessage(frame: 0, byteCount: 3, bytes: first + 3 * min($0, max(0, notes.count - 1)))
        }
        let inputCount = ports.inputs.count { $0.kind == .midi }
        inputs = Buffer(count: max(1, inputCount), repeating: RTMessages())
        call = Buffer(
            count: 1,
            repeating: RTEngineCall(
                messages: inputs.start, inputCount: Int32(inputCount), sinks: nil, sinkCount: 0,
                isFreewheeling: isFreewheeling, transport: nil))
    }

    private static func note(_ binding: Pipeline.Binding) -> Int? {
        switch binding.trigger {
        case .note(let number), .keyPressure(let number): number
        default: nil
        }
    }

    /// Returns the messages of a block of a step, valid until the next call.
    func block(_ block: Int, of blocks: Int) -> UnsafePointer<RTEngineCall> {
        let isOn = block == 0
        let isOff = block == blocks - 1 && blocks > 1
        let bytes = UnsafePointer(isOff ? off.start : on.start)
        for index in 0..<count { messages[index].bytes = bytes + 3 * index }
        let sent = isOn || isOff ? count : 0
        let inputCount = Int(call[0].inputCount)
        for index in 0..<inputCount {
            inputs[index] = RTMessages(
                first: messages.start, count: Int32(sent), startFrame: 0)
        }
        return UnsafePointer(call.start)
    }
}
