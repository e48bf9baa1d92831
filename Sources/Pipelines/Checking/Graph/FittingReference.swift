/// The `from` that would fit where channels do not.
enum FittingReference {
    /// `"from": "name:1"` or the like, that gives `wanted` channels out of those that come in; nil where there is none.
    static func text(_ wanted: Int, from feeds: [Feed], channels: Int) -> String? {
        guard wanted > 0, let first = feeds.first?.reference else { return nil }
        let name = first.name
        if feeds.count > 1, feeds.count == channels {
            return text(of: repeated(feeds.map(\.reference.text), wanted))
        }
        guard feeds.count == 1 else {
            return text(of: numbered(name, min(wanted, 64)))
        }
        if channels == 0 { return nil }
        if wanted % channels == 0 {
            return text(of: Array(repeating: first.text, count: wanted / channels))
        }
        return text(of: (0..<wanted).map { "\(name):\($0 % channels + 1)" })
    }

    private static func repeated(_ names: [String], _ wanted: Int) -> [String] {
        (0..<wanted).map { names[$0 % names.count] }
    }

    private static func numbered(_ name: String, _ count: Int) -> [String] {
        (1...count).map { "\(name):\($0)" }
    }

    private static func text(of names: [String]) -> String {
        let value: JSONValue =
            names.count == 1
            ? .string(names[0]) : .array(names.prefix(8).map { .string($0) })
        return "\"from\": " + value.text
    }
}
