internal import ArgumentParser
internal import Engine
internal import OfflineHost
internal import Pipelines
internal import Processing
internal import SoundFiles

/// What the program ends with; the numbers are those of sysexits.h.
enum ExitStatus: Int32 {
    case wrongUsage = 64
    case invalidPipeline = 65
    case unreadableFile = 66
    case unavailable = 69
    case ownFault = 70
    case failedWrite = 74

    /// The status as an error that ends a command without another word.
    var code: ExitCode { ExitCode(rawValue) }
}

/// Why a command ends early: one line on standard error, and the status.
struct Failure: Error {
    let message: String
    let status: ExitStatus

    init(_ message: String, _ status: ExitStatus) {
        self.message = message
        self.status = status
    }
}

extension Failure {
    /// What was asked for cannot be done.
    static func usage(_ message: String) -> Failure { Failure(message, .wrongUsage) }

    init(_ fault: SoundFileFault) {
        self.init("\(fault)", fault.operation == .reading ? .unreadableFile : .failedWrite)
    }

    init(_ fault: PreparationFault) {
        self.init("\(fault.node): \(fault.plugin): \(fault.fault.message)", .unavailable)
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
    /// What a command that cannot go on without the pipeline ends with.
    var exitStatus: ExitStatus {
        isUnreadable ? .unreadableFile : lacksOnlyPlugins ? .unavailable : .invalidPipeline
    }
}
