/// One track of a MIDI file.
struct MIDITrack {
    /// A tempo change.
    struct Tempo {
        var tick: Int
        var microsecondsPerQuarter: Int
    }

    /// A message that is sent over a cable.
    struct Message {
        var tick: Int
        var bytes: [UInt8]
    }

    var messages: [Message] = []
    var tempos: [Tempo] = []
    var endTick = 0
}
