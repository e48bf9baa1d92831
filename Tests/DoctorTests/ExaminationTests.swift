import Doctor
import Testing

@Suite("An examination of the machine")
struct ExaminationTests {
    private static let trees: [(name: String, tree: MachineTree)] = [
        ("laptop", .laptop), ("Raspberry Pi", .raspberryPi), ("PREEMPT_RT", .realtime),
        ("container", .container), ("empty", .empty),
    ]

    @Test("is bad only if a finding is")
    func verdict() {
        #expect(MachineTree.laptop.examination().isBad)
        #expect(!MachineTree.realtime.examination().isBad)
        #expect(MachineTree.realtime.examination().findings.allSatisfy { $0.state == .good })
    }

    @Test("states what a machine does not reveal as unknown")
    func unknown() {
        let states = Set(
            MachineTree.empty.examination().findings.filter {
                // Threads and radios are listed completely if they exist.
                $0.id != "radio" && $0.id != "takes-disk"
            }.map(\.state))
        #expect(states == [.unknown])
    }

    @Test("begins with the bad findings, and of these with the most important one")
    func order() {
        let findings = MachineTree.laptop.examination().findings
        let ranks = findings.compactMap { Finding.State.allCases.firstIndex(of: $0.state) }
        #expect(ranks == ranks.sorted())
        #expect(findings.first?.id == "realtime-permission")
    }

    private static let bootSettings = [
        "preemption", "interrupt-threads", "clock", "timer-frequency",
    ]

    @Test("fits 80 columns, and has a remedy for every bad finding", arguments: trees.indices)
    func text(index: Int) {
        let (name, tree) = Self.trees[index]
        let examination = tree.examination()
        let lines = ExaminationText(examination).lines
        #expect(lines.filter { $0.count >= 80 } == [], "\(name)")
        #expect(lines.first?.hasSuffix("Nothing was changed.") == true)
        for finding in examination.findings {
            #expect(finding.finding.hasSuffix(".") && finding.why.hasSuffix("."))
            #expect(finding.state != .bad || finding.fix != nil, "\(name): \(finding.id)")
            #expect(finding.state != .good || finding.fix == nil, "\(name): \(finding.id)")
            #expect(
                finding.fix.map { !$0.commands.isEmpty || $0.note != nil } ?? true,
                "\(name): \(finding.id)")
            // The remedy of these is not a setting, or doctor does not know the boot loader; its page
            // names them.
            let hasOnlyNotes =
                ["heat", "host"].contains(finding.id)
                || name == "container" && Self.bootSettings.contains(finding.id)
            if !hasOnlyNotes, finding.state == .bad || finding.state == .notice {
                #expect(finding.fix?.commands.isEmpty == false, "\(name): \(finding.id)")
            }
        }
    }
}
