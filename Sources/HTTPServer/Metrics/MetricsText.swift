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
        add(
            "up", "1 while a JACK server runs the session", "gauge", hub.state.isRunning ? 1 : 0,
            to: &text)
        if let status = hub.state.status { add(status, to: &text) }
        add(
            "problems", "Errors that the session tolerates", "gauge",
            Double(hub.state.problemCount), to: &text)
        add("http_connections", "Open connections", "gauge", Double(hub.connectionCount), to: &text)
        add("http_pages", "Connected pages", "gauge", Double(hub.pageCount), to: &text)
        add(
            "http_requests_total", "Requests over HTTP", "counter", Double(hub.requestCount),
            to: &text)
        add(
            "http_refused_total", "Refused requests", "counter", Double(hub.refusedCount),
            to: &text)
        return text
    }

    private static func add(_ status: SessionStatus, to text: inout String) {
        add(
            "xruns_total", "Missed deadlines that JACK reports", "counter", Double(status.xruns),
            to: &text)
        add(
            "overruns_total", "Cycles that took longer than their period", "counter",
            Double(status.overrunCycles), to: &text)
        add("load_mean", "Mean share of the period", "gauge", status.meanLoad, to: &text)
        add("load_worst", "Highest share of the period", "gauge", status.worstLoad, to: &text)
        add(
            "latency_seconds", "Latency of the pipeline", "gauge",
            Double(status.latencyFrames) / status.sampleRate, to: &text)
        add(
            "round_trip_seconds", "Latency from the input to the output of the sound card",
            "gauge", Double(status.roundTripFrames) / status.sampleRate, to: &text)
        addHead("node_load", "Mean share of the period that a node takes", "gauge", to: &text)
        for node in status.nodes {
            text += "stompline_node_load{node=\"\(escaped(node.node))\"} \(node.mean.plain)\n"
        }
        addHead("level_peak", "Highest magnitude of an output; 1 is full scale", "gauge", to: &text)
        for output in status.outputs {
            text += "stompline_level_peak{port=\"\(escaped(output.port))\"} \(output.peak.plain)\n"
        }
    }

    private static func add(
        _ name: String, _ help: String, _ type: String, _ value: Double, to text: inout String
    ) {
        addHead(name, help, type, to: &text)
        text += "stompline_\(name) \(value.isFinite ? value.plain : "NaN")\n"
    }

    private static func addHead(
        _ name: String, _ help: String, _ type: String, to text: inout String
    ) {
        text += "# HELP stompline_\(name) \(help).\n# TYPE stompline_\(name) \(type)\n"
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
