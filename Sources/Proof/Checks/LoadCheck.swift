internal import Platform

/// The load of each block against the period of the machine.
enum LoadCheck: NightCheck {
    static let id = "load"
    static let title = "load"
    static let why =
        "A block that takes longer than its period is late, and the sound is interrupted."

    /// Above this share of the period, the rest of the machine can make a block late.
    private static let noticeLoad = 0.7
    private static let mostLateSteps = 8

    static func findings(in night: PlayedNight) -> [Finding] {
        let worst = night.steps.indices.compactMap { step in
            night.times[step].worst.map { (step: step, block: $0) }
        }
        guard let most = worst.max(by: { $0.block.nanoseconds < $1.block.nanoseconds }) else {
            return [finding(.unknown, "No block was measured.")]
        }
        let late = worst.filter { night.load($0.block.nanoseconds) > 1 }.map(\.step)
        return listed(late, most.step).compactMap { step in
            lateness(in: step, isFirst: step == late.first, night)
        } + rest(of: late.count) + [summary(most.block, in: most.step, night)]
            + interruptions(night)
    }

    /// Returns the steps that are listed: the first ones of the night, and always the worst.
    private static func listed(_ late: [Int], _ worst: Int) -> [Int] {
        let first = Array(late.prefix(mostLateSteps))
        if late.isEmpty || first.contains(worst) { return first }
        return first.dropLast() + [worst]
    }

    /// States how late the first late block of a step is, and the worst one.
    private static func lateness(
        in step: Int, isFirst: Bool, _ night: PlayedNight
    ) -> Finding? {
        let late = night.times[step].blocks.filter { night.load($0.nanoseconds) > 1 }
        guard let first = late.first,
            let worst = late.max(by: { $0.nanoseconds < $1.nanoseconds })
        else { return nil }
        let begin =
            isFirst ? "The first block that would be late is here" : "A block would be late here"
        let count =
            late.count == 1
            ? ""
            : "; \(late.count) blocks of this step are late, the worst by "
                + milliseconds(excess(of: worst, night))
        return finding(
            .bad,
            "\(begin) (\(night.steps[step].title)): by \(milliseconds(excess(of: first, night)))"
                + "\(count). The costliest part of the worst block is "
                + "\(night.name(ofPart: worst.part)) with "
                + "\(milliseconds(Double(worst.partNanoseconds))).",
            at: night.steps[step].place,
            figure: .init(rounded(excess(of: first, night) / 1e6), "ms"), fix: fix)
    }

    /// Returns the time of a block beyond its period, in ns.
    private static func excess(of block: BlockTime, _ night: PlayedNight) -> Double {
        Double(block.nanoseconds) - night.request.periodNanoseconds
    }

    private static func rest(of count: Int) -> [Finding] {
        guard count > mostLateSteps else { return [] }
        return [finding(.bad, "\(count - mostLateSteps) more steps have late blocks.", fix: fix)]
    }

    private static func summary(
        _ block: BlockTime, in step: Int, _ night: PlayedNight
    ) -> Finding {
        let (loads, load) = (night.loads, night.load(block.nanoseconds))
        let text =
            "The costliest block (\(night.steps[step].title)) takes \(percent(load)) of its period"
            + (night.times[step].isInRealTime ? " in real time, " : ", ")
            + "\(milliseconds(Double(block.nanoseconds))) of "
            + "\(milliseconds(night.request.periodNanoseconds)); its costliest part is "
            + "\(night.name(ofPart: block.part)) with "
            + "\(milliseconds(Double(block.partNanoseconds))). On average a block takes "
            + "\(percent(loads.mean)); 99.9 % of \(loads.count) blocks take at most "
            + "\(percent(loads.quantile(0.999)))."
        let state: Finding.State = load > 1 ? .bad : load > noticeLoad ? .notice : .good
        return finding(
            state, text, at: night.steps[step].place, figure: .init(rounded(100 * load), "%"),
            fix: state == .good ? nil : fix)
    }

    private static func interruptions(_ night: PlayedNight) -> [Finding] {
        guard !night.isRealtime else { return [] }
        return [
            finding(
                .unknown,
                "This user may not use real-time priority, so other programs could interrupt the "
                    + "measurement. The shortest of \(night.request.passes) times of each block "
                    + "counts.",
                fix: "Join the group of the sound system (often \"audio\"), and log in again.")
        ]
    }

    private static let fix =
        "Use a longer period, bypass or replace the node, or let more cores play (\"cores\")."

    private static func percent(_ share: Double) -> String { "\((100 * share).fixed(1)) %" }
    private static func milliseconds(_ nanoseconds: Double) -> String {
        "\((nanoseconds / 1e6).fixed(2)) ms"
    }
    private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
