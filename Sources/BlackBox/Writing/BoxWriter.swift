internal import FoundationEssentials
internal import Glibc
internal import Platform
internal import SoundFiles

/// Writes a box as a folder.
public struct BoxWriter {
    /// The ending of the names of boxes.
    public static let ending = ".stompbox"
    /// The end of the name of a box, after `ending`, while it is being written.
    public static let unfinishedEnding = ".part"

    /// The number of frames that are encoded at once.
    private static let framesPerPart = 1 << 16

    private let folder: String

    /// Creates a writer for a new folder.
    ///
    /// - Parameter folder: The path, which must not exist.
    public init(to folder: String) { self.folder = folder }

    /// Writes a box.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - isPrivate: Whether the audio of the inputs and all files that nodes read are left out.
    /// - Throws: `BoxError` if a file cannot be written; then no folder remains.
    public func write(_ box: Box, isPrivate: Bool) throws(BoxError) {
        let working = folder + Self.unfinishedEnding
        guard mkdir(working, 0o700) == 0 else { throw BoxError.notWritten(working) }
        do throws(BoxError) {
            try write(box, isPrivate: isPrivate, to: working)
        } catch {
            Self.remove(working)
            throw error
        }
        guard rename(working, folder) == 0 else {
            let error = BoxError.notWritten(folder)
            Self.remove(working)
            throw error
        }
    }

    private func write(
        _ box: Box, isPrivate: Bool, to working: String
    ) throws(BoxError) {
        var facts = box.facts
        facts.isPrivate = isPrivate || facts.isPrivate
        facts.inputs = []
        for (slot, samples) in box.log.channels.enumerated() {
            facts.inputs.append(
                facts.isPrivate
                    ? BoxFacts.Input(file: nil, scale: 0)
                    : try write(samples, slot: slot, facts.sampleRate, to: working))
        }
        facts.files =
            facts.files.map(\.withoutContents)
            + box.files.copied(to: working, isPrivate: facts.isPrivate)
        try write(facts, to: "\(working)/box.json")
        try StoredCycles(box.log).write(to: "\(working)/cycles.json")
        try StoredEvents(box.log, isPrivate: facts.isPrivate).write(to: "\(working)/events.json")
        if !facts.isPrivate, !box.log.soundSamples.isEmpty {
            try BoxSounds.write(box.log.soundSamples, to: "\(working)/\(BoxSounds.fileName)")
        }
        for (number, text) in box.schedules {
            try Self.write(text, to: "\(working)/schedule-\(number).json")
        }
    }

    /// Writes the samples of an input, as FLAC if that changes no bit.
    private func write(
        _ samples: [Float], slot: Int, _ sampleRate: Double, to working: String
    ) throws(BoxError) -> BoxFacts.Input {
        let scale = ExactSamples.scale(of: samples)
        let name = "input-\(slot + 1)." + (scale == nil ? "wav" : "flac")
        let part = UnsafeMutableBufferPointer<Float>.allocate(capacity: Self.framesPerPart)
        defer { part.deallocate() }
        do throws(SoundFileError) {
            let writer = try SoundFileWriter(
                path: "\(working)/\(name)", channels: 1, sampleRate: sampleRate,
                expectedFrames: samples.count)
            for first in stride(from: 0, to: samples.count, by: Self.framesPerPart) {
                let count = min(Self.framesPerPart, samples.count - first)
                for frame in 0..<count {
                    let sample = samples[first + frame]  // checked: the count
                    part[frame] = scale.map { ExactSamples.stored(sample, scale: $0) } ?? sample
                }
                if let start = part.baseAddress { try writer.write(count, from: start) }
            }
            try writer.close()
        } catch {
            throw BoxError("\(error)")
        }
        return BoxFacts.Input(file: name, scale: Double(scale ?? 0))
    }

    private func write(_ value: some Encodable, to path: String) throws(BoxError) {
        guard let bytes = try? BoxCoding.encode(value) else {
            throw BoxError("\(path): the contents cannot be encoded")
        }
        try Self.write(bytes, to: path)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(BoxError) {
        guard FileBytes.replace(path, with: bytes, isPrivate: true) else {
            throw BoxError.notWritten(path)
        }
    }

    /// Removes a folder of files, such as a box.
    public static func remove(_ folder: String) {
        for name in UserFolder.names(in: folder) { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}

extension BoxError {
    /// The error for a file or folder that could not be written, with the last error of the system.
    static func notWritten(_ path: String) -> BoxError {
        BoxError("\(path) cannot be written: \(SystemError.last.message)")
    }
}

/// Values as JSON.
enum BoxCoding {
    private static let infinity = "inf"
    private static let negative = "-inf"
    private static let notANumber = "nan"

    /// Returns the JSON of a value.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: negative, nan: notANumber)
        return Array(try encoder.encode(value))
    }

    /// Returns the value of a JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: The JSON.
    ///   - file: The name of the file, for the error.
    ///   - userInfo: The context for the decoding of pipelines.
    /// - Returns: The value.
    /// - Throws: `BoxError` with the place of the fault if the JSON does not describe such a value.
    static func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: [UInt8], file: String,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(BoxError) -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity, negativeInfinity: negative, nan: notANumber)
        for (key, value) in userInfo { decoder.userInfo[key] = value }
        do { return try decoder.decode(type, from: Data(bytes)) } catch {
            throw BoxError("\(file) is not valid: \(reason(of: error))")
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            text(context) + place(context.codingPath)
        case .keyNotFound(let key, let context):
            "it lacks the key \"\(key.stringValue)\"" + place(context.codingPath)
        default: "\(error)"
        }
    }

    private static func text(_ context: DecodingError.Context) -> String {
        let text = context.debugDescription
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// The place of a value as a JSON pointer, with the words before it; empty at the top.
    private static func place(_ path: [any CodingKey]) -> String {
        let keys = path.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }
        return keys.isEmpty ? "" : " (at \(keys.joined()))"
    }
}
