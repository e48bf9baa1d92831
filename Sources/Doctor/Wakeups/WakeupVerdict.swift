/// The verdict about measured wake-ups.
enum WakeupVerdict {
    /// The period if no sound card is playing: 128 frames at 48 kHz, in seconds.
    private static let usualPeriod = 128.0 / 48_000

    /// Returns the finding about measured wake-ups.
    ///
    /// - Parameters:
    ///   - measured: The wake-ups.
    ///   - period: The shortest period of the sound cards, in seconds; `nil` if none is playing.
    /// - Returns: The finding; it is bad if the longest delay exceeds half a period.
    static func finding(for measured: WakeupMeasurement, period: Double?) -> Finding {
        let histogram = measured.histogram
        guard histogram.count > 0 else {
            return finding(.unknown, "The time was too short for a wake-up.", nil)
        }
        let limit = period ?? usualPeriod
        let longest = histogram.longestSeconds
        let state: Finding.State =
            longest > limit / 2 ? .bad : longest > limit / 4 ? .notice : .good
        let thread =
            measured.priority.map { "a thread with real-time priority \($0)" }
            ?? "an ordinary thread, because this user may not use real-time priority,"
        let times = [
            ("shortest", histogram.shortestSeconds), ("median", histogram.seconds(share: 0.5)),
            ("99.9 %", histogram.seconds(share: 0.999)), ("longest", longest),
        ]
        let list = times.map { "\($0.0) \(Amount.text(seconds: $0.1))" }.joined(separator: ", ")
        let text =
            "\(histogram.count) wake-ups of \(thread) were late by: \(list). A period lasts "
            + "\(Amount.text(seconds: limit))"
            + (period == nil ? " with 128 frames at 48 kHz." : ".")
        return finding(state, text, state == .good ? nil : remedy(measured))
    }

    private static func remedy(_ measured: WakeupMeasurement) -> Finding.Fix {
        Finding.Fix(
            note: measured.priority == nil
                ? "Get real-time priority first, then measure again."
                : "Change the other settings first; if it stays, use longer periods.")
    }

    private static func finding(
        _ state: Finding.State, _ text: String, _ fix: Finding.Fix?
    ) -> Finding {
        Finding(
            id: "wake-ups", title: "wake-up latency", state: state, finding: text,
            why: "The audio thread starts this much late, and has less time for the sound.",
            fix: fix)
    }
}
