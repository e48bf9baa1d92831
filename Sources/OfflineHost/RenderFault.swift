public import Engine
public import SoundFiles

/// Why a pipeline could not be rendered.
public enum RenderFault: Error, Sendable, Equatable {
    /// The request does not fit the pipeline: a sentence without its full stop.
    case request(String)
    /// A sound file could not be read or written.
    case file(SoundFileFault)
    /// A MIDI file could not be read or written.
    case midiFile(MIDIFileFault)
    /// A plugin did not load.
    case preparation(PreparationFault)
    /// A plugin that has a process of its own gave up while it played.
    case playing(PreparationFault)
}
