internal import NIOHTTP1
internal import Platform
internal import Processing
internal import SessionCore

/// The figures of the session in the text format of Prometheus.
enum MetricsText {
    /// Returns the answer to `GET /metrics`.
    static func response(of hub: PageHub) -> Response {
        Response(.ok, text: text(of: hub), type: "text/plain; version=0.0.4; charset=utf-8")
    }

    private static func text(of hub: PageHub) -> String {
        var text = ""
        add(.up, hub.state.isRunning ? 1 : 0, to: &text)
        if let status = hub.state.status { add(status, to: &text) }
        add(.problems, Double(hub.state.problemCount), to: &text)
        add(.connections, Double(hub.connectionCount), to: &text)
        add(.pages, Double(hub.pageCount), to: &text)
        add(.requests, Double(hub.requestCount), to: &text)
        add(.refused, Double(hub.refusedCount), to: &text)
        return text
    }

    private static func add(_ status: SessionStatus, to text: inout String) {
        add(.xruns, Double(status.xruns), to: &text)
        add(.overruns, Double(status.overrunCycles), to: &text)
        add(.meanLoad, status.meanLoad, to: &text)
        add(.worstLoad, status.worstLoad, to: &text)
        add(.latency, Double(status.latencyFrames) / status.sampleRate, to: &text)
        add(.roundTrip, Double(status.roundTripFrames) / status.sampleRate, to: &text)
        add(.nodeLoad, status.nodes.map { ($0.node, $0.mean.plain) }, to: &text)
        add(.peak, status.outputs.map { ($0.port, $0.peak.plain) }, to: &text)
    }

    private static func add(_ metric: Metric, _ value: Double, to text: inout String) {
        addHead(metric, to: &text)
        text += "\(metric.name) \(value.isFinite ? value.plain : "NaN")\n"
    }

    /// Adds a metric with a value for each label.
    private static func add(
        _ metric: Metric, _ values: [(label: String, value: String)], to text: inout String
    ) {
        addHead(metric, to: &text)
        guard let label = metric.label else { return }
        for (name, value) in values {
            text += "\(metric.name){\(label)=\"\(escaped(name))\"} \(value)\n"
        }
    }

    private static func addHead(_ metric: Metric, to text: inout String) {
        text += "# HELP \(metric.name) \(metric.meaning).\n"
        text += "# TYPE \(metric.name) \(metric.type)\n"
    }

    /// Returns the value of a label with the escapes of the format.
    private static func escaped(_ label: String) -> String {
        var text = ""
        for scalar in label.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
