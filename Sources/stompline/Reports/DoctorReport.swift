internal import Doctor
internal import Pipelines

/// The result of `stompline doctor` as JSON.
struct DoctorReport {
    private let examination: Examination
    private let wakeups: WakeupMeasurement?

    init(_ examination: Examination, _ wakeups: WakeupMeasurement?) {
        self.examination = examination
        self.wakeups = wakeups
    }

    var json: JSONValue {
        [
            "bad": .integer(examination.count(.bad)),
            "notice": .integer(examination.count(.notice)),
            "unknown": .integer(examination.count(.unknown)),
            "good": .integer(examination.count(.good)),
            "findings": .array(examination.findings.map(Self.json)),
            "wakeups": wakeups.map(Self.json) ?? .null,
        ]
    }

    private static func json(_ finding: Finding) -> JSONValue {
        [
            "id": .string(finding.id), "title": .string(finding.title),
            "state": .string(finding.state.rawValue),
            "finding": .string(finding.finding), "why": .string(finding.why),
            "fix": finding.fix.map { fix in
                [
                    "commands": .array(fix.commands.map { .string($0) }),
                    "note": .optional(fix.note),
                ]
            } ?? .null,
        ]
    }

    private static func json(_ wakeups: WakeupMeasurement) -> JSONValue {
        let histogram = wakeups.histogram
        return [
            "count": .integer(histogram.count),
            "priority": wakeups.priority.map { .integer($0) } ?? .null,
            "min_us": microseconds(histogram.shortestSeconds),
            "median_us": microseconds(histogram.seconds(share: 0.5)),
            "p999_us": microseconds(histogram.seconds(share: 0.999)),
            "max_us": microseconds(histogram.longestSeconds),
            "histogram": .array(
                histogram.octaves.map {
                    ["up_to_us": .integer($0.microseconds), "count": .integer($0.count)]
                }),
        ]
    }

    private static func microseconds(_ seconds: Double) -> JSONValue {
        .number((seconds * 1e7).rounded() / 10)
    }
}
