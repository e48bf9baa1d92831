internal import Processing

extension PipelineKeys {
    /// The key of `over` for the time of all other addresses.
    static let otherFades = "others"

    private static let fadeSeconds = Shape.number(FadeManner.allowedSeconds, .seconds)

    /// The keys of a scene for its fades.
    static var fades: [KeyDescription] {
        [
            KeyDescription(
                "over", .either([fadeSeconds, .map(.filled, to: fadeSeconds)]), default: 0,
                "The time that the changes take: one for all, or an object that maps addresses of the scene to their times, and \"others\" to the time of the rest."
            ),
            KeyDescription(
                "curve", .choice(FadeCurve.allCases.map(\.rawValue)), default: "linear",
                "The course of the changes over their time."),
        ]
    }
}
