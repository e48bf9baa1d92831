/// The measurements of one kind of change in all sounds.
struct Row {
    let name: String
    let law: Law
    private(set) var cells: [Sound.Kind: Cell] = [:]

    /// The worst results for one kind of sound.
    struct Cell {
        var stepPercent = 0.0
        /// In dB, from the trial that exceeds the law the most.
        var outOfBand = -200.0
        var lawful = -200.0
        var isLawful = true

        /// The level in dB below which energy is inaudible next to the sound.
        private static let nothing = -90.0

        mutating func add(_ figures: Trial.Figures, _ change: Change) {
            let isQuiet = figures.excess <= change.marginDecibels
            isLawful = isLawful && isQuiet && figures.stepPercent <= change.maximumStepPercent
            stepPercent = max(stepPercent, figures.stepPercent)
            if figures.excess > max(outOfBand, Self.nothing) - max(lawful, Self.nothing)
                || outOfBand == -200
            {
                outOfBand = figures.outOfBand
                lawful = figures.lawful
            }
        }
    }

    /// Runs a kind of change `trials` times in each sound.
    init(
        _ kind: Kind, _ sounds: [Sound], trials: Int, _ dice: inout Dice,
        measure: (Change, Sound, inout Dice) throws -> Trial.Figures
    ) throws {
        name = kind.name
        law = kind.make(&dice).law
        for sound in sounds {
            for _ in 0..<trials {
                let change = kind.make(&dice)
                cells[sound.kind, default: Cell()].add(try measure(change, sound, &dice), change)
            }
        }
    }

    /// The number of sounds that exceed a limit.
    var missed: Int { cells.values.count { !$0.isLawful } }
}

extension Trial.Figures {
    /// The excess over the law in dB; levels are clamped at the threshold of audibility.
    fileprivate var excess: Double { max(outOfBand, -90) - max(lawful, -90) }
}
