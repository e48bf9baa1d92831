internal import Glibc
internal import Processing

/// Waits until a guardian has noticed the output of its process.
func waitForIncidents() { usleep(120_000) }

extension Processor {
    /// Returns the calls and file accesses that the sandbox of an isolated plugin has refused.
    func refusedCalls() -> [String] {
        guard let incidents else { return [] }
        waitForIncidents()
        var calls: [String] = []
        while let incident = incidents.next() {
            incident.refusal.map { calls.append($0) }
        }
        return calls
    }
}

extension Incident {
    /// The call or the file access that a sandbox refused; `nil` for other incidents.
    var refusal: String? {
        switch self {
        case .callRefused(let name): name
        case .fileRefused(let access, let path): "\(access.verb) \(path)"
        default: nil
        }
    }
}
