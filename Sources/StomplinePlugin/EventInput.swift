internal import CPluginEvents
internal import CRealtime
internal import Realtime

/// The event port of a plugin: the MIDI messages and the tempo of each run.
struct EventInput: ~Copyable {
    private var terms = PluginTerms()
    private var cursor = PluginCursor()
    /// The event that was read and not used yet.
    private var pending: PluginEvent?
    private var lastFrame = 0
    private let messages: Buffer<RTMessage>
    /// The bytes of the messages' initial values.
    private let noBytes: Buffer<UInt8>
    private let context: Buffer<RTContext>
    // SAFETY: the context points to it, and both are freed together.
    private let transport: Buffer<RTTransport>

    /// The number of messages that fit into a part of a run: enough to release all notes of all
    /// channels.
    private static var limit: Int { @_noLocks get { 4096 } }

    init() {
        noBytes = Buffer(count: 1, repeating: 0)
        let noMessage = RTMessage(frame: 0, byteCount: 0, bytes: noBytes.start)
        messages = Buffer(count: EventInput.limit, repeating: noMessage)
        let transport = Buffer(count: 1, repeating: RTTransport())
        context = Buffer(
            count: 1,
            repeating: RTContext(
                messages: RTMessages(), sink: RTMessageSink(), transport: transport.start))
        self.transport = transport
    }

    /// Sets the host's numbers for the types of events.
    mutating func setTerms(_ newTerms: PluginTerms) { terms = newTerms }

    /// Begins to read the events of a run; returns the tempo at its first frame, if there is one.
    mutating func begin(_ port: UnsafeRawPointer?, frameCount: Int) -> Float? {
        lastFrame = frameCount - 1
        var tempo: Float?
        rewind(port)
        while let event = pending, frame(of: event) == 0 {
            if event.bytes == nil { tempo = event.beatsPerMinute }
            readNext()
        }
        rewind(port)
        return tempo
    }

    private mutating func rewind(_ port: UnsafeRawPointer?) {
        cursor = plugin_first_event(terms, port)
        readNext()
    }

    private mutating func readNext() {
        var event = PluginEvent()
        pending = plugin_next_event(terms, &cursor, &event) ? event : nil
    }

    private func frame(of event: PluginEvent) -> Int {
        Int(min(max(event.frame, 0), Int64(max(lastFrame, 0))))
    }

    /// Collects the messages of the next part of a run, which ends before the next change of the
    /// tempo.
    ///
    /// - Parameters:
    ///   - first: The first frame of the part.
    ///   - end: The frame after the part.
    ///   - changeTempo: Receives a tempo, in beats per minute, that begins with the part.
    /// - Returns: The frame after the part, now that it may have become shorter.
    mutating func collect(from first: Int, until end: Int, changeTempo: (Float) -> Void) -> Int {
        var (count, end) = (0, end)
        while let event = pending, frame(of: event) < end {
            let frame = frame(of: event)
            if let bytes = event.bytes {
                if count < EventInput.limit {
                    messages[count] = RTMessage(
                        frame: Int32(truncatingIfNeeded: frame), byteCount: event.byteCount,
                        bytes: bytes)
                    count += 1
                }
            } else if frame > first {
                end = frame
                break
            } else {
                changeTempo(event.beatsPerMinute)
            }
            readNext()
        }
        context[0].messages = RTMessages(
            first: UnsafePointer(messages.start), count: Int32(truncatingIfNeeded: count),
            startFrame: Int32(truncatingIfNeeded: first))
        return end
    }

    /// The messages of the part.
    var blockContext: UnsafePointer<RTContext> { UnsafePointer(context.start) }
}
