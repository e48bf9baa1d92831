internal import ArgumentParser
internal import Engine
internal import OfflineHost
internal import Pipelines
internal import Processing
internal import SoundFiles

/// The exit status of the program; the numbers come from sysexits.h.
enum ExitStatus: Int32 {
    case wrongUsage = 64
    case invalidPipeline = 65
    case unreadableFile = 66
    case unavailable = 69
    case ownFault = 70
    case failedWrite = 74

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

    init(_ fault: SoundFileFault) {
        self.init("\(fault)", fault.operation == .reading ? .unreadableFile : .failedWrite)
    }

    init(_ fault: PreparationFault) {
        let message =
            fault.lacksMemory
            ? fault.message : "\(fault.node): \(fault.plugin): \(fault.fault.message)"
        self.init(message, .unavailable)
    }

    init(_ fault: RenderFault) {
        switch fault {
        case .request(let message): self.init(message, .wrongUsage)
        case .file(let fault): self.init(fault)
        case .midiFile(let fault):
            self.init("\(fault)", fault.isWriting ? .failedWrite : .unreadableFile)
        case .preparation(let fault), .playing(let fault): self.init(fault)
        }
    }
}

extension InvalidPipeline {
    /// The exit status of a command that cannot continue without the pipeline.
    var exitStatus: ExitStatus {
        isUnreadable ? .unreadableFile : lacksOnlyPlugins ? .unavailable : .invalidPipeline
    }
}
