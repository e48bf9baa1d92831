public import Engine
public import SoundFiles

/// The reason why a pipeline could not be rendered.
public enum RenderError: Error, Sendable, Equatable {
    /// The request does not match the pipeline; the value is a sentence without its full stop.
    case request(String)
    /// A sound file could not be read or written.
    case file(SoundFileError)
    /// A MIDI file could not be read or written.
    case midiFile(MIDIFileError)
    /// A plugin did not load.
    case preparation(PreparationError)
    /// A plugin in a separate process stopped during the render.
    case playing(PreparationError)
}
