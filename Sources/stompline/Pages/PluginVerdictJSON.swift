internal import LV2
internal import Pipelines

extension PluginVerdict {
    /// `{"plays", "text", "latency_frames", "finite", "breaches": [{"kind", "function", "runs"}]}`.
    var json: JSONValue {
        [
            "plays": .bool(outcome == .plays), "text": .string(description),
            "latency_frames": .integer(latencyFrames), "finite": .bool(isFinite),
            "breaches": .array(
                breaches.map {
                    [
                        "kind": .string($0.kind.rawValue), "function": .string($0.function),
                        "runs": .integer($0.runs),
                    ]
                }),
        ]
    }
}
