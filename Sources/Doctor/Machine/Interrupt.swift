/// A line of `/proc/interrupts`.
struct Interrupt: Equatable {
    let number: Int
    /// How often it has occurred on each processor since the start.
    let counts: [Int]
    /// The drivers that share it.
    let drivers: [String]

    /// Returns the numbered interrupts of a machine.
    static func all(on machine: Machine) -> [Interrupt] {
        let lines = machine.lines("/proc/interrupts")
        let processors = lines.first?.split(separator: " ").count ?? 0
        return lines.dropFirst().compactMap { Interrupt(line: $0, processors: processors) }
    }

    /// Reads a line: number, a count per processor, chip, number and kind, drivers.
    init?(line: Substring, processors: Int) {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let number = parts.first?.split(separator: " ").first,
            let value = Int(number), let rest = parts.last
        else { return nil }
        let names = rest.split(separator: ",").map { $0.split(separator: " ") }
        guard let first = names.first, first.count > processors, let driver = first.last else {
            return nil
        }
        self.number = value
        counts = first.prefix(processors).map { Int($0) ?? 0 }
        drivers = ([driver] + names.dropFirst().compactMap(\.last)).map(String.init)
    }

    /// Returns how often it has occurred on a processor; 0 if there is no such processor.
    func count(on processor: Int) -> Int {
        counts.indices.contains(processor) ? counts[processor] : 0  // checked: an index
    }
}
