internal import Platform

/// Peaks: outputs beyond full scale, limiters at work, and high levels inside.
enum ClippingCheck: NightCheck {
    static let id = "clipping"
    static let title = "peaks"
    static let why =
        "Sound beyond full scale is clipped by the sound card, by limiters, and by some plugins."

    /// The action of a limiter that is certainly heard, in dB.
    private static let audibleLimiting = -3.0

    static func findings(in night: PlayedNight) -> [Finding] {
        let findings = outputs(night) + limiters(night) + nodes(night)
        guard findings.isEmpty else { return findings }
        let peak = night.levels.flatMap(\.outputs).map(\.peakDecibels).max() ?? -120
        return [
            finding(
                .good,
                "\(night.soundText), no level reaches full scale; the highest peak of an "
                    + "output is \(peak.fixed(1)) dBFS.", figure: .init(peak.tenths, "dB"))
        ]
    }

    private static func outputs(_ night: PlayedNight) -> [Finding] {
        let peaks = night.steps.indices.compactMap { step in
            night.levels[step].outputs.max { $0.peakDecibels < $1.peakDecibels }.map {
                (step: step, output: $0)
            }
        }
        guard let most = peaks.max(by: { $0.output.peakDecibels < $1.output.peakDecibels }),
            most.output.peakDecibels > 0
        else { return [] }
        let peak = most.output.peakDecibels
        return [
            finding(
                .bad,
                "\(night.soundText), the output \(most.output.name) exceeds full scale by "
                    + "\(peak.fixed(1)) dB (\(night.steps[most.step].title)).",
                at: night.steps[most.step].place, figure: .init(peak.tenths, "dB"),
                fix: "Lower the gain of the song, or switch the limiter of the output on.")
        ]
    }

    private static func limiters(_ night: PlayedNight) -> [Finding] {
        let actions = night.steps.indices.map { ($0, night.levels[$0].limiterDecibels) }
        guard let most = actions.min(by: { $0.1 < $1.1 }), most.1 < audibleLimiting else {
            return []
        }
        return [
            finding(
                .notice,
                "\(night.soundText), a safety limiter lowers an output by "
                    + "\((-most.1).fixed(1)) dB (\(night.steps[most.0].title)).",
                at: night.steps[most.0].place, figure: .init(most.1.tenths, "dB"),
                fix: "Lower the gain of the song or the scene.")
        ]
    }

    /// Returns a finding for each song with nodes that exceed full scale.
    private static func nodes(_ night: PlayedNight) -> [Finding] {
        var songs: [(name: String, peaks: [String: Double])] = []
        for (step, levels) in zip(night.steps, night.levels) {
            let song = step.place.song
            if !songs.contains(where: { $0.name == song }) { songs.append((song, [:])) }
            guard let index = songs.firstIndex(where: { $0.name == song }) else { continue }
            songs[index].peaks.merge(levels.nodePeaks.filter { $0.value > 0 }) { max($0, $1) }
        }
        return songs.compactMap { song, peaks in
            let nodes = peaks.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            guard let most = nodes.first else { return nil }
            let list = nodes.map { "\($0.key) (\($0.value.fixed(1)) dB)" }
            return finding(
                .notice,
                "\(night.soundText), nodes exceed full scale: \(list.joined(separator: ", ")). "
                    + "Built-in effects keep such levels; plugins behind them can clip.",
                at: Place(song: song, node: most.key), figure: .init(most.value.tenths, "dB"),
                fix: "Lower the level before \(most.key), or its own gain.")
        }
    }
}

/// The loudness of scenes and songs, and jumps between neighbours.
enum LoudnessCheck: NightCheck {
    static let id = "loudness"
    static let title = "loudness"
    static let why = "A jump that the music does not want makes the audience reach for its ears."

    /// The largest difference between neighbours without a notice, in dB.
    private static let largestJump = 3.0
    /// The shortest step with a loudness, in seconds: a block of EBU R 128.
    private static let shortestSeconds = 0.4

    /// A song or a scene, with its loudness.
    private struct Part {
        let step: Step
        let loudness: Double

        var name: String { step.place.text }
    }

    static func findings(in night: PlayedNight) -> [Finding] {
        var names: [String] = []
        for output in night.levels.flatMap(\.outputs) where !names.contains(output.name) {
            names.append(output.name)
        }
        let found = names.flatMap { findings(in: night, of: $0, isOnly: names.count == 1) }
        return found.isEmpty ? [finding(.unknown, unmeasured(night))] : found
    }

    /// Returns the findings of an output; none if it is always too quiet.
    private static func findings(
        in night: PlayedNight, of output: String, isOnly: Bool
    ) -> [Finding] {
        let parts = night.steps.indices.compactMap { index -> Part? in
            let levels = night.levels[index].outputs.first { $0.name == output }
            guard night.steps[index].isLong, let loudness = levels?.loudness else { return nil }
            return Part(step: night.steps[index], loudness: loudness)
        }
        guard let quietest = parts.map(\.loudness).min(),
            let loudest = parts.map(\.loudness).max()
        else { return [] }
        let place = isOnly ? "" : " on the output \(output)"
        let jumps = jumps(between: parts, place)
        let summary =
            "\(night.soundText), songs and scenes have \(quietest.fixed(1)) to "
            + "\(loudest.fixed(1)) LUFS\(place)."
        guard jumps.isEmpty else { return jumps + [finding(.good, summary)] }
        return [
            finding(.good, summary + " No change of neighbours jumps by more than 3 dB.")
        ]
    }

    /// The reason why no loudness is known.
    private static func unmeasured(_ night: PlayedNight) -> String {
        if night.levels.allSatisfy(\.outputs.isEmpty) {
            return "There is no audio output whose loudness could be measured."
        }
        if night.request.longSeconds < shortestSeconds {
            return "Songs and scenes are played for "
                + "\(night.request.longSeconds.fixed(2)) s each, and loudness needs at least "
                + "\(shortestSeconds.fixed(1)) s."
        }
        return "\(night.soundText), no scene is loud enough to measure."
    }

    private static func jumps(between parts: [Part], _ output: String) -> [Finding] {
        var seen: Set<Set<String>> = []
        return zip(parts, parts.dropFirst()).compactMap { former, next in
            let jump = next.loudness - former.loudness
            guard jump.magnitude > largestJump, former.name != next.name,
                seen.insert([former.name, next.name]).inserted
            else { return nil }
            let way = jump > 0 ? "louder" : "quieter"
            return finding(
                .notice,
                "It is \(jump.magnitude.fixed(1)) dB \(way) than \(former.name): "
                    + "\(next.loudness.fixed(1)) LUFS after \(former.loudness.fixed(1))\(output).",
                at: next.step.place, figure: .init(jump.tenths, "dB"),
                fix: "Change the gain of the song in the setlist, or a gain in the scene.")
        }
    }
}

extension PlayedNight {
    /// The sound that was played, as the beginning of a sentence.
    fileprivate var soundText: String {
        request.sounds.isEmpty ? "With the test signal" : "With the given sound"
    }
}

extension Double {
    /// The number with one digit after the point.
    fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
