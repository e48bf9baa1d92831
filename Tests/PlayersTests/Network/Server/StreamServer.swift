import TestSignals

/// A web server on this machine that misbehaves as its addresses ask it to; `server.py` tells how.
final class StreamServer {
    private let program: ChildProgram
    private let base: String

    /// Serves the material; with a certificate of its own making that nobody vouches for, where it is encrypted.
    init(isEncrypted: Bool = false) {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let certificate = isEncrypted ? [StreamMaterial.shared.certificate] : []
        program = ChildProgram(
            ["python3", "/\(folder)/server.py", StreamMaterial.shared.folder.path] + certificate)
        guard let port = program.line() else { fatalError("the server does not start") }
        base = (isEncrypted ? "https" : "http") + "://127.0.0.1:\(port)/"
    }

    /// The address of a file, with how it is to be served.
    func address(_ path: String) -> String { base + path }

    /// The requests so far, one a line.
    var requests: [String] { program.linesSoFar() }
}
