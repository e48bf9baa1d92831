/// Checks which processor serves the interrupts of the sound cards, and what else it serves.
enum InterruptAffinityCheck: MachineCheck {
    static let id = "interrupt-affinity"
    static let title = "processor of the card's interrupt"
    static let why = "A processor serves one interrupt at a time; the others wait."

    static func findings(on machine: Machine) -> [Finding] {
        let own = CardInterrupts(of: machine).interrupts
        let all = Interrupt.all(on: machine)
        guard let processors = all.map(\.counts.count).max(), !own.isEmpty else {
            return [finding(.unknown, "The kernel does not state the card's interrupt.")]
        }
        if processors == 1 { return [finding(.good, "The machine has one processor.")] }
        return own.map { finding(for: $0, among: all, machine) } + balancing(machine)
    }

    private static func finding(
        for interrupt: Interrupt, among all: [Interrupt], _ machine: Machine
    ) -> Finding {
        guard let processor = self.processor(of: interrupt, machine) else {
            return finding(
                .unknown,
                "The kernel does not state which processor serves interrupt "
                    + "\(interrupt.number).")
        }
        let own = interrupt.count(on: processor)
        let others = all.filter {
            $0.number != interrupt.number && $0.count(on: processor) > own
                && self.processor(of: $0, machine) == processor
        }
        let text = "Processor \(processor) serves interrupt \(interrupt.number) of the sound card"
        if others.isEmpty {
            return finding(.good, text + ", and none that occurs more often.")
        }
        let names = others.sorted { $0.count(on: processor) > $1.count(on: processor) }
            .compactMap(\.drivers.first).prefix(3).joined(separator: ", ")
        return finding(
            .notice, text + ", and interrupts that occur more often: \(names).",
            fix: Finding.Fix(
                "echo \(calmest(all, except: interrupt)) |",
                "  sudo tee /proc/irq/\(interrupt.number)/smp_affinity_list",
                note: "The setting ends with a restart."))
    }

    /// Returns the only processor that serves an interrupt; `nil` if it is not stated.
    private static func processor(of interrupt: Interrupt, _ machine: Machine) -> Int? {
        let folder = "/proc/irq/\(interrupt.number)"
        return machine.number("\(folder)/effective_affinity_list")
            ?? machine.number("\(folder)/smp_affinity_list")
    }

    /// Returns the processor that has served the fewest other interrupts.
    private static func calmest(_ all: [Interrupt], except own: Interrupt) -> Int {
        let processors = own.counts.indices
        let others = all.filter { $0.number != own.number }
        func load(_ processor: Int) -> Double {
            others.reduce(0) { $0 + Double($1.count(on: processor)) }
        }
        return processors.min { load($0) < load($1) } ?? 0
    }

    /// Returns the finding about the program that moves interrupts; none if it does not run.
    private static func balancing(_ machine: Machine) -> [Finding] {
        let isRunning = SystemThread.processes(on: machine).contains { $0.name == "irqbalance" }
        return !isRunning
            ? []
            : [
                finding(
                    .notice, "irqbalance moves interrupts to other processors while you play.",
                    fix: Finding.Fix("sudo systemctl disable --now irqbalance"))
            ]
    }
}
