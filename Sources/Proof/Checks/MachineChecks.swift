internal import Engine
internal import Pipelines
internal import Platform
internal import Processing

/// The latency of each path through each song.
enum LatencyCheck: NightCheck {
    static let id = "latency"
    static let title = "latency"
    static let why = "Musicians who hear themselves late play late; about 10 ms are noticed."

    /// The latency of a pipeline alone from which it is noticed, in ms.
    private static let noticed = 10.0

    static func findings(in night: PlayedNight) -> [Finding] {
        let rate = night.request.sampleRate
        var most = 0.0
        var findings: [Finding] = []
        for song in night.latencies {
            for output in song.report.outputs {
                let milliseconds = 1000 * Double(output.latencyFrames) / rate
                most = max(most, milliseconds)
                guard milliseconds > noticed else { continue }
                findings.append(late(output, milliseconds, song, rate))
            }
            findings += song.report.exceptions.filter { $0.reason == .unaligned }.map { path in
                let difference = (1000 * Double(abs(path.lateFrames)) / rate).fixed(1)
                return finding(
                    .notice,
                    "The path of \(path.signal) is not aligned: it is \(difference) ms "
                        + "\(path.lateFrames < 0 ? "early" : "late").",
                    at: Place(song: song.song),
                    fix: "Remove \"align\": false if the sounds should meet.")
            }
        }
        guard findings.isEmpty else { return findings }
        return [
            finding(
                .good,
                "The latest output of all songs is \(most.fixed(1)) ms late, without the "
                    + "sound card.", figure: .init((10 * most).rounded() / 10, "ms"))
        ]
    }

    private static func late(
        _ output: LatencyReport.Output, _ milliseconds: Double, _ song: PlayedNight.SongLatency,
        _ rate: Double
    ) -> Finding {
        let causes = output.path.map { part in
            let time = (1000 * Double(part.latencyFrames) / rate).fixed(1)
            return "\(song.pipeline.nodes[part.node].id) (\(time) ms)"
        }
        let by = causes.isEmpty ? "" : ", by " + causes.joined(separator: ", ")
        return finding(
            .notice,
            "The output \(song.pipeline.outputs[output.output].name) is "
                + "\(milliseconds.fixed(1)) ms late\(by), without the sound card.",
            at: Place(song: song.song),
            figure: .init((10 * milliseconds).rounded() / 10, "ms"),
            fix: "Use faster settings of the node, or a parallel path without it.")
    }
}

/// The memory that the night needs, and the limit for locked memory.
enum MemoryCheck: NightCheck {
    static let id = "memory"
    static let title = "memory"
    static let why = "Memory that is not locked in RAM can be paged out and make a block late."

    static func findings(in night: PlayedNight) -> [Finding] {
        guard let peak = night.peakBytes else {
            return [finding(.unknown, "Linux does not state the memory of the program.")]
        }
        let figure = Finding.Figure((Double(peak) / 1e5).rounded() / 10, "MB")
        // Most of the black box of `run` is never locked: the audio thread does not use it.
        let text = "The program needed \(ByteCount(peak)) at most, without the black box"
        guard let limit = night.lockableBytes, limit < peak else {
            return [finding(.good, text + "; all of it can be locked in RAM.", figure: figure)]
        }
        return [
            finding(
                .notice, text + "; this user may lock only \(ByteCount(limit)) in RAM.",
                figure: figure, fix: "Raise the limit \"memlock\" of the user.")
        ]
    }
}

/// The time until the first song can be heard.
enum StartCheck: NightCheck {
    static let id = "start"
    static let title = "start"
    static let why = "After a crash on stage, this is the silence."

    private static let long = 3.0

    static func findings(in night: PlayedNight) -> [Finding] {
        let seconds = night.startSeconds
        let isLong = seconds > long
        return [
            finding(
                isLong ? .notice : .good,
                "The night is ready to play after \(seconds.fixed(2)) s, without the sound server.",
                figure: .init((1000 * seconds).rounded() / 1000, "s"),
                fix: isLong ? "Shorten what the first song loads, such as long sounds." : nil)
        ]
    }
}
