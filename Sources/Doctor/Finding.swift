/// A finding about the machine: a fact, its consequence, and its remedy.
package struct Finding: Sendable, Equatable {
    /// The verdict, in the order of a report.
    package enum State: String, Sendable, Equatable, CaseIterable {
        /// Sound can be interrupted by it.
        case bad
        /// It can make the machine late under some conditions.
        case notice
        /// The machine does not state it, or this user cannot read it.
        case unknown
        /// There is nothing to do.
        case good
    }

    /// What the user can do.
    package struct Fix: Sendable, Equatable {
        /// Commands for a shell, in order; none if no command helps.
        package var commands: [String]
        /// A sentence after the commands; `nil` if the commands are enough.
        package var note: String?

        package init(_ commands: String..., note: String? = nil) {
            self.commands = commands
            self.note = note
        }

        init(commands: [String], note: String?) {
            self.commands = commands
            self.note = note
        }
    }

    /// The name of the check in JSON; several findings can have the same one.
    package var id: String
    /// The name of the check for people.
    package var title: String
    package var state: State
    /// The fact, as a sentence.
    package var finding: String
    /// Why the fact matters, as a sentence.
    package var why: String
    /// `nil` if there is nothing to do.
    package var fix: Fix?
}

/// A check of one property of the machine.
///
/// A check only reads. It returns `.unknown` if the machine does not state the property.
protocol MachineCheck {
    /// The name in JSON.
    static var id: String { get }
    /// The name for people.
    static var title: String { get }
    /// Why the property matters, as a sentence.
    static var why: String { get }
    /// Returns the findings; none if the property does not apply to the machine.
    static func findings(on machine: Machine) -> [Finding]
}

extension MachineCheck {
    /// Returns a finding of this check.
    static func finding(
        _ state: Finding.State, _ text: String, fix: Finding.Fix? = nil
    ) -> Finding {
        Finding(id: id, title: title, state: state, finding: text, why: why, fix: fix)
    }
}
