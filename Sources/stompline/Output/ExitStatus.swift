internal import ArgumentParser
internal import Engine
internal import OfflineHost
internal import Pipelines
internal import Processing
internal import SoundFiles

/// The exit status of the program; the numbers above 1 come from sysexits.h.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    /// The session could not carry out the request, `doctor` or `prove` found something bad, or a
    /// replay differs.
    case failed = 1
    case wrongUsage = 64
    case invalidPipeline = 65
    case unreadableFile = 66
    case unavailable = 69
    case internalError = 70
    case failedWrite = 74

    /// The meaning for the user: a phrase without a full stop.
    var meaning: String {
        switch self {
        case .success: "success"
        case .failed:
            """
            `ctl`: the song cannot be prepared, a file cannot be edited, or a box cannot be \
            written; `doctor`, `prove`: a finding is bad; `replay`: the sound differs from the \
            box, a node produces NaN, or a plugin fails
            """
        case .wrongUsage: "wrong usage"
        case .invalidPipeline: "the pipeline is not valid"
        case .unreadableFile: "a file cannot be read"
        case .unavailable:
            """
            no JACK server, a plugin is missing or lost, no session answers, or a player stopped \
            delivering sound during a render
            """
        case .internalError: "an internal error of the program"
        case .failedWrite: "reading or writing failed"
        }
    }

    /// The status as an error that ends a command without a message.
    var code: ExitCode { ExitCode(rawValue) }
}

/// The reason why a command ends early: one line on standard error, and the status.
struct Failure: Error {
    let message: String
    let status: ExitStatus

    init(_ message: String, _ status: ExitStatus) {
        self.message = message
        self.status = status
    }
}

extension Failure {
    /// Creates a usage failure.
    static func usage(_ message: String) -> Failure { Failure(message, .wrongUsage) }

    init(_ error: SoundFileError) {
        self.init("\(error)", error.operation == .reading ? .unreadableFile : .failedWrite)
    }

    init(_ error: PreparationError) {
        let message =
            error.lacksMemory
            ? error.message : "\(error.node): \(error.plugin): \(error.cause.message)"
        self.init(message, .unavailable)
    }

    init(_ error: RenderError) {
        switch error {
        case .request(let message): self.init(message, .wrongUsage)
        case .file(let error): self.init(error)
        case .midiFile(let error):
            self.init("\(error)", error.isWriting ? .failedWrite : .unreadableFile)
        case .preparation(let error), .playing(let error): self.init(error)
        }
    }
}

extension InvalidPipeline {
    /// The exit status of a command that cannot continue without the pipeline.
    var exitStatus: ExitStatus {
        isUnreadable ? .unreadableFile : lacksOnlyPlugins ? .unavailable : .invalidPipeline
    }
}
