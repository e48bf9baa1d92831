internal import Platform

/// Denormals inside plugins, which trials in processes of their own have found.
enum DenormalCheck: NightCheck {
    static let id = "denormals"
    static let title = "denormals"
    static let why =
        "Many processors calculate slowly with denormals, numbers close to zero, so a sound that "
        + "dies away can make a block late."

    static func findings(in night: PlayedNight) -> [Finding] {
        guard let trials = night.denormalTrials else { return [] }
        let findings = trials.flatMap { trial in
            trial.facts.map { finding(for: $0, at: trial.place) }
        }
        return findings.isEmpty
            ? [finding(.good, "No plugin calculates with denormals, or changes the protection.")]
            : findings
    }

    private static func finding(
        for fact: PlayedNight.DenormalTrial.Fact, at place: Place
    ) -> Finding {
        switch fact {
        case .arise(let seconds, let slowdown):
            // Stompline is not affected, so this is nothing to notice.
            return finding(
                .good,
                "The plugin would calculate with denormals, from \(seconds.fixed(2)) s after its "
                    + "input becomes silent, and its runs would last \(slowdown.fixed(1)) times as "
                    + "long. Stompline makes the processor treat them as zero. Nothing needs to be "
                    + "done here; a host that does not do this can become slow.",
                at: place, figure: .init((slowdown * 10).rounded() / 10, "times"))
        case .protectionDisabled:
            return finding(
                .notice,
                "The plugin switches off flush-to-zero, with which Stompline protects it from "
                    + "denormals. Stompline switches it on again after each run, so other nodes are "
                    + "not affected; the plugin itself can become slow.",
                at: place,
                fix: "Replace the plugin, or report this to its author. \"isolate\": true keeps a "
                    + "late plugin from delaying the other nodes.")
        case .flagsChanged:
            return finding(
                .notice,
                "The plugin changes floating-point flags of the processor, such as the rounding. "
                    + "Stompline sets them again after each run; a host that does not do this "
                    + "calculates differently afterwards.",
                at: place, fix: "Report this to the author of the plugin.")
        case .untried:
            return finding(
                .unknown, "The plugin could not be tried with denormals.", at: place,
                fix: "stompline plugin URI shows whether the plugin loads.")
        case .hang(let step):
            return finding(
                .bad,
                "The plugin hangs \(step) when it is tried with the values, the preset and the "
                    + "files of this node.",
                at: place, fix: "Replace the plugin, or avoid the value that causes it.")
        case .untriedAfterHang:
            return finding(
                .unknown,
                "The plugin was not tried with denormals, because it hangs in another trial.",
                at: place, fix: "Replace the plugin.")
        }
    }
}
