/// A figure for Prometheus; the raw value is its name without `stompline_`.
enum Metric: String, CaseIterable {
    case up
    case xruns = "xruns_total"
    case overruns = "overruns_total"
    case meanLoad = "load_mean"
    case worstLoad = "load_worst"
    case latency = "latency_seconds"
    case roundTrip = "round_trip_seconds"
    case nodeLoad = "node_load"
    case peak = "level_peak"
    case problems
    case connections = "http_connections"
    case pages = "http_pages"
    case requests = "http_requests_total"
    case refused = "http_refused_total"

    /// The name of the metric.
    var name: String { "stompline_\(rawValue)" }

    /// The type in the text format of Prometheus.
    var type: String {
        switch self {
        case .xruns, .overruns, .requests, .refused: "counter"
        case .up, .meanLoad, .worstLoad, .latency, .roundTrip, .nodeLoad, .peak, .problems,
            .connections, .pages:
            "gauge"
        }
    }

    /// The label of each value; `nil` for a metric with one value.
    var label: String? {
        switch self {
        case .nodeLoad: "node"
        case .peak: "port"
        default: nil
        }
    }

    /// The meaning, without a full stop at its end.
    var meaning: String {
        switch self {
        case .up: "1 while a JACK server runs the session, otherwise 0"
        case .xruns: "Missed deadlines that JACK reports"
        case .overruns: "Cycles that took longer than their period"
        case .meanLoad: "Mean share of the period"
        case .worstLoad: "Highest share of the period"
        case .latency: "Latency of the pipeline"
        case .roundTrip: "Latency from the input to the output of the sound card"
        case .nodeLoad: "Mean share of the period that a node takes"
        case .peak: "Highest magnitude of an output since the last status; 1 is full scale"
        case .problems: "Errors that the session tolerates"
        case .connections: "Open connections"
        case .pages: "Connected pages"
        case .requests: "Requests over HTTP"
        case .refused: "Refused requests"
        }
    }
}
