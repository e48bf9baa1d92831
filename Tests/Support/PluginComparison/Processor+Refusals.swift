internal import Glibc
internal import Processing

/// Waits until a guardian has noticed the output of its process.
func waitForIncidents() { usleep(120_000) }

extension Processor {
    /// Returns the calls that the sandbox of an isolated plugin has refused.
    func refusedCalls() -> [String] {
        guard let incidents else { return [] }
        waitForIncidents()
        var calls: [String] = []
        while let incident = incidents.next() {
            if case .callRefused(let name) = incident { calls.append(name) }
        }
        return calls
    }
}
