/// All findings about a machine.
package struct Examination: Sendable, Equatable {
    /// The checks, the most important first.
    private static var checks: [any MachineCheck.Type] {
        [
            RealtimePermissionCheck.self, AudioServerCheck.self, VersionCheck.self,
            PeriodCheck.self, PipeWireCheck.self, LockedMemoryCheck.self, PreemptionCheck.self,
            GovernorCheck.self, HeatCheck.self,
            HostCheck.self, IdleStateCheck.self, ClockCheck.self, TimerCheck.self,
            RealtimeShareCheck.self, CardInterruptCheck.self, InterruptThreadCheck.self,
            InterruptAffinityCheck.self, USBCheck.self, SwapCheck.self,
            TakesDiskCheck.self, TurboCheck.self, RadioCheck.self,
        ]
    }

    /// The findings: first the bad ones, then those to notice, to find out, and the good ones; the
    /// most important of each first.
    package let findings: [Finding]

    /// Whether a finding is bad.
    package var isBad: Bool { count(.bad) > 0 }

    /// Examines a machine; it only reads.
    ///
    /// - Parameters:
    ///   - machine: The machine.
    ///   - wakeups: The measured wake-ups; `nil` if they were not measured.
    package init(of machine: Machine, wakeups: WakeupMeasurement? = nil) {
        let period = CardStream.running(on: machine).map(\.period).min()
        let measured = wakeups.map { [WakeupVerdict.finding(for: $0, period: period)] } ?? []
        let found = measured + Self.checks.flatMap { $0.findings(on: machine) }
        findings = Finding.State.allCases.flatMap { state in found.filter { $0.state == state } }
    }

    /// Returns the number of findings with a state.
    package func count(_ state: Finding.State) -> Int {
        findings.count { $0.state == state }
    }
}
