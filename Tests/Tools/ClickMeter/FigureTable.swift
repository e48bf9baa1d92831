/// Prints the table line by line as results arrive.
struct FigureTable {
    let isMarkdown: Bool

    func printHead() {
        print(
            ["change", "law"]
                + Sound.Kind.allCases.flatMap { ["\($0.rawValue): step", "band (law's)"] })
        if isMarkdown { Swift.print("| --- | --- |" + String(repeating: " ---: |", count: 6)) }
    }

    func print(_ row: Row) {
        print(
            [row.name, row.law.text]
                + Sound.Kind.allCases.flatMap { kind -> [String] in
                    guard let cell = row.cells[kind] else { return ["–", "–"] }
                    let mark = cell.isLawful ? "" : " !"
                    return [
                        "\(whole(cell.stepPercent)) %",
                        "\(whole(cell.outOfBand)) (\(whole(cell.lawful))) dB\(mark)",
                    ]
                })
    }

    private func whole(_ number: Double) -> String { "\(Int(number.rounded()))" }

    private func print(_ cells: [String]) {
        if isMarkdown {
            Swift.print("| " + cells.joined(separator: " | ") + " |")
        } else {
            let widths = [30, 13, 15, 20, 15, 20, 15, 20]
            Swift.print(
                zip(cells, widths).map { $0 + spaces($1 - $0.count) }.joined())
        }
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(1, count)) }
}
