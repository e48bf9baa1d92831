/// The colours, chosen to be distinguishable on paper and for colour-blind readers.
enum Ink {
    static let text = "#1d2129"
    static let softText = "#5a6270"
    static let line = "#3b4250"
    static let hairline = "#d5d9e0"
    static let paper = "#ffffff"
    static let delay = "#b3450f"
    static let knob = "#eef0f3"

    private static let cables = [
        "#1f4e8c", "#a63a2b", "#2c6e49", "#6b4397", "#8a5a00", "#0f6b78", "#92315f", "#4a5568",
    ]

    /// Returns the colour of all cables that leave one card, so that the eye can follow them.
    static func cable(from card: Int) -> String { cables[card % cables.count] }

    /// Returns the tint of a card's head.
    static func head(of card: Card) -> String {
        if card.isBypassed { return "#f4f4f5" }
        return switch card.kind {
        case .effect: "#e7eef8"
        case .mixer: "#fbf0d9"
        case .plugin: "#e5f3ea"
        case .input, .output: paper
        }
    }
}
