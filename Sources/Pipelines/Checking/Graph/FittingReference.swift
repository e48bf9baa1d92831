/// Suggests a `from` whose channels fit.
enum FittingReference {
    /// Returns a text such as `"from": "name:1"` with `wanted` channels; `nil` if nothing fits.
    ///
    /// `feeds` are the current signals, and `taps` the channels of each.
    static func text(_ wanted: Int, from feeds: [Feed], _ taps: [[Pipeline.Tap]]) -> String? {
        let names = names(of: feeds, taps)
        guard wanted > 0, let first = names.first else { return nil }
        if feeds.count == 1, wanted % names.count == 0 {
            let whole = feeds[0].reference.text
            return text(of: .array(Array(repeating: .string(whole), count: wanted / names.count)))
        }
        if wanted == 1 { return text(of: .string(first)) }
        return text(of: .array((0..<wanted).map { .string(names[$0 % names.count]) }))
    }

    /// Returns a reference to each channel of the current signals.
    private static func names(of feeds: [Feed], _ taps: [[Pipeline.Tap]]) -> [String] {
        zip(feeds, taps).flatMap { feed, taps in
            taps.count == 1
                ? [feed.reference.text] : taps.map { "\(feed.reference.name):\($0.channel + 1)" }
        }
    }

    private static func text(of value: JSONValue) -> String { "\"from\": " + value.text }
}
