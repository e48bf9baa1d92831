/// A family of Linux distributions with the same commands for packages and for the boot loader.
enum Distribution: String {
    case ubuntu
    case debian
    case arch
    /// Also Red Hat Enterprise Linux and its relatives.
    case fedora
    case suse

    /// Reads the family of a machine; `nil` if it is not known.
    init?(of machine: Machine) {
        let lines = machine.lines("/etc/os-release")
        let values = ["ID=", "ID_LIKE="].compactMap { key in
            lines.first { $0.hasPrefix(key) }?.dropFirst(key.count).filter { !"\"'".contains($0) }
        }
        // The own name comes first, then the distributions that it is like.
        let names = values.flatMap { $0.split(separator: " ") }
        guard let known = names.compactMap({ Distribution(rawValue: String($0)) }).first else {
            return nil
        }
        self = known
    }
}
