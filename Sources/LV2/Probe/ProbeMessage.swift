/// A line that a probing process sends to its parent process.
enum ProbeMessage {
    case begins(uri: String, ProbeStep)
    case verdict(uri: String, PluginVerdict)
    case denormals(uri: String, DenormalVerdict)

    /// The line, without its line break.
    var line: String {
        switch self {
        case .begins(let uri, let step): TabbedLine(["begins", uri, step.rawValue]).text
        case .verdict(let uri, let verdict): TabbedLine(["verdict", uri] + verdict.fields).text
        case .denormals(let uri, let verdict):
            TabbedLine(["denormals", uri] + verdict.fields).text
        }
    }

    /// Parses a line; `nil` if it is not a valid message.
    init?(line: Substring) {
        let fields = TabbedLine(line).fields
        guard fields.count >= 3 else { return nil }
        switch fields[0] {
        case "begins":
            guard let step = ProbeStep(rawValue: fields[2]) else { return nil }
            self = .begins(uri: fields[1], step)
        case "verdict":
            guard let verdict = PluginVerdict(fields: fields.dropFirst(2)) else { return nil }
            self = .verdict(uri: fields[1], verdict)
        case "denormals":
            guard let verdict = DenormalVerdict(fields: fields.dropFirst(2)) else { return nil }
            self = .denormals(uri: fields[1], verdict)
        default: return nil
        }
    }
}

/// The fields of a line, separated by tabs.
struct TabbedLine {
    let fields: [String]

    /// Creates a line from fields; tabs and line breaks in a field become spaces.
    init(_ fields: [String]) {
        self.fields = fields.map { field in
            String(field.map { $0 == "\t" || $0.isNewline ? " " : $0 })
        }
    }

    /// Splits a line into its fields.
    init(_ line: Substring) {
        fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }

    var text: String { fields.joined(separator: "\t") }
}

extension PluginVerdict {
    /// The verdict as fields: outcome, step, detail, latency, finiteness, then three per breach.
    var fields: [String] {
        let head: [String] =
            switch outcome {
            case .plays: ["plays", "", ""]
            case .refused(let reason): ["refused", "", reason]
            case .crashes(let step, .signal(let number)): ["signal", step.rawValue, "\(number)"]
            case .crashes(let step, .status(let status)): ["exit", step.rawValue, "\(status)"]
            case .hangs(let step): ["hangs", step.rawValue, ""]
            }
        return head + ["\(latencyFrames)", isFinite ? "finite" : "not finite"]
            + breaches.flatMap { [$0.kind.rawValue, $0.function, "\($0.runs)"] }
    }

    /// Parses such a row; `nil` if it is not valid.
    init?(fields: ArraySlice<String>) {
        let row = Array(fields)
        guard row.count >= 5, let latency = Int(row[3]),
            let outcome = Outcome(name: row[0], step: row[1], detail: row[2])
        else { return nil }
        self.init(outcome)
        latencyFrames = latency
        isFinite = row[4] == "finite"
        for start in stride(from: 5, to: row.count - 2, by: 3) {
            guard let kind = Breach.Kind(rawValue: row[start]), let runs = Int(row[start + 2])
            else { return nil }
            breaches.append(Breach(kind: kind, function: row[start + 1], runs: runs))
        }
    }
}

extension PluginVerdict.Outcome {
    fileprivate init?(name: String, step: String, detail: String) {
        let step = ProbeStep(rawValue: step)
        switch (name, step, Int32(detail)) {
        case ("plays", _, _): self = .plays
        case ("refused", _, _): self = .refused(detail)
        case ("signal", let step?, let number?): self = .crashes(step, .signal(number))
        case ("exit", let step?, let status?): self = .crashes(step, .status(status))
        case ("hangs", let step?, _): self = .hangs(step)
        default: return nil
        }
    }
}
