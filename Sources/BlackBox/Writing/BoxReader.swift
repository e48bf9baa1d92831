internal import Engine
internal import Platform
internal import SoundFiles

/// Reads a box from its folder.
public struct BoxReader {
    /// The limits that protect the reader from a malicious box: bytes of a JSON file, calls, and
    /// samples of all inputs.
    ///
    /// A black box of the largest size has at most 2²² calls, because a call takes 64 bytes or more.
    private static let mostBytes = 1 << 28
    private static let mostCalls = 1 << 22
    private static let mostSamples = 1 << 29

    private let folder: String

    /// Creates a reader of a folder.
    public init(of folder: String) { self.folder = folder }

    /// Reads the box.
    ///
    /// - Throws: `BoxError` if a file is missing or not valid.
    public func read() throws(BoxError) -> Box {
        let facts = try decode(BoxFacts.self, "box.json")
        guard facts.version == BoxFacts.formatVersion else {
            throw BoxError(
                "\(folder) has the version \(facts.version) of the format; this program reads "
                    + "version \(BoxFacts.formatVersion)")
        }
        guard facts.sampleRate >= 1000, facts.sampleRate <= 1_000_000 else {
            throw BoxError("\(folder)/box.json: the sample rate is not valid")
        }
        guard facts.inputs.count <= EnginePorts.maximumChannels else {
            throw BoxError("\(folder)/box.json: there are too many inputs")
        }
        var log = BoxLog()
        try decode(StoredCycles.self, "cycles.json").add(to: &log, limit: Self.mostCalls)
        let events = try decode(StoredEvents.self, "events.json")
        if events.hasSamples {
            log.soundSamples = BoxSounds.samples(in: try bytes(BoxSounds.fileName))
        }
        try events.add(to: &log)
        guard log.frameCount <= Self.mostSamples / max(1, facts.inputs.count) else {
            throw BoxError("\(folder)/cycles.json: the sound of the inputs is too long")
        }
        for input in facts.inputs {
            log.channels.append(try samples(of: input, count: log.frameCount))
        }
        var schedules: [UInt64: [UInt8]] = [:]
        for name in UserFolder.names(in: folder) {
            guard name.hasPrefix("schedule-"), name.hasSuffix(".json"),
                let number = UInt64(name.dropFirst(9).dropLast(5))
            else { continue }
            schedules[number] = try bytes(name)
        }
        return Box(facts: facts, schedules: schedules, log: log)
    }

    private func bytes(_ name: String) throws(BoxError) -> [UInt8] {
        guard let bytes = FileBytes.read("\(folder)/\(name)", limit: Self.mostBytes) else {
            throw BoxError("\(folder)/\(name) cannot be read: \(SystemError.last.message)")
        }
        return bytes
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ name: String
    ) throws(BoxError) -> Value {
        try BoxCoding.decode(type, try bytes(name), file: "\(folder)/\(name)")
    }

    /// Returns the samples of an input; silence if the audio was left out.
    private func samples(
        of input: BoxFacts.Input, count: Int
    ) throws(BoxError) -> [Float] {
        guard let name = input.file else { return [Float](repeating: 0, count: count) }
        // A name with a slash could leave the folder.
        guard !name.contains("/") else { throw BoxError("\(folder)/box.json: \(name) is no name") }
        do throws(SoundFileError) {
            let source = try SoundFileReader(path: "\(folder)/\(name)")
            guard source.channels == 1, source.frameCount == count else {
                throw SoundFileError(name, .reading, "it does not have the length of the box")
            }
            let samples = try source.readChannels()[0]
            guard input.scale != 0 else { return samples }
            return samples.map { ExactSamples.sample($0, scale: Float(input.scale)) }
        } catch {
            throw BoxError("\(error)")
        }
    }
}
