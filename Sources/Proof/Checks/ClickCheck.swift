internal import Pipelines
internal import Platform
internal import Processing
internal import SessionCore

/// Clicks: larger steps from one sample to the next than a crossfade makes.
enum ClickCheck: NightCheck {
    static let id = "clicks"
    static let title = "clicks"
    static let why = "A change that follows the crossfade law is not heard as a click."

    /// The sounds before and after are only known from the time around the change, so a step counts
    /// from three times the allowed one.
    private static let noticed = 3.0

    static func findings(in night: PlayedNight) -> [Finding] {
        let own = Set(night.songs.songs.filter(\.hasOwnSounds).map(\.name))
        var seen: Set<String> = []
        let findings = night.steps.indices.compactMap { index -> Finding? in
            let (step, edges) = (night.steps[index], night.edges[index])
            let name =
                "\(step.place.song) \(step.place.node ?? step.place.scene ?? "") \(step.kind)"
            guard edges.share > noticed, !involves(own, index, night), seen.insert(name).inserted
            else { return nil }
            return finding(
                .notice,
                "In a steady tone, the output \(edges.output) jumps "
                    + "\(edges.share.fixed(1)) times as far as a crossfade may (\(step.title)).",
                at: step.place, figure: .init((10 * edges.share).rounded() / 10, "×"),
                fix: "Listen to this change. If a plugin clicks, let the scene fade its value.")
        }
        let left =
            own.isEmpty
            ? ""
            : " Not examined: songs with sounds of their own "
                + "(\(own.sorted().joined(separator: ", ")))."
        guard findings.isEmpty else { return findings }
        if own.count == night.songs.songs.count {
            return [finding(.unknown, "All songs have sounds of their own, which can jump.")]
        }
        return [finding(.good, "No change jumps further than a crossfade.\(left)")]
    }

    /// Returns whether a step plays such a song, or comes from one.
    private static func involves(_ songs: Set<String>, _ index: Int, _ night: PlayedNight) -> Bool {
        songs.contains(night.steps[index].place.song)
            || index > 0 && songs.contains(night.steps[index - 1].place.song)
    }
}

extension Song {
    /// Whether a node makes sound without an input: players, loopers and instruments.
    fileprivate var hasOwnSounds: Bool {
        pipeline.nodes.contains { node in
            node.description.hasEnd || node.type == .effect("looper")
                || node.instances.allSatisfy(\.isEmpty)
        }
    }
}
