/// An option of the kernel's command line that a user can add or remove.
struct BootOption {
    /// The option, such as `threadirqs`.
    let option: String

    private static let restart = "Then restart the machine."
    private static let grubFile = "/etc/default/grub"

    /// Returns the commands that add the option, for the boot loader of the machine.
    func fix(on machine: Machine) -> Finding.Fix {
        if let file = Self.lineFile(on: machine) {
            return Finding.Fix("sudo sed -i '1s/$/ \(option)/' \(file)", note: Self.restart)
        }
        if machine.exists(Self.grubFile) {
            return Finding.Fix(
                "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&\(option) /' \(Self.grubFile)",
                "sudo update-grub", note: Self.restart)
        }
        return Finding.Fix(
            note: "Add \(option) to the kernel's command line in the boot loader, then restart.")
    }

    /// Returns the commands that remove the option, for the boot loader of the machine.
    func removal(on machine: Machine) -> Finding.Fix {
        if let file = Self.lineFile(on: machine) {
            return Finding.Fix("sudo sed -i 's/ *\(option)//' \(file)", note: Self.restart)
        }
        if machine.exists(Self.grubFile) {
            return Finding.Fix(
                "sudo sed -i '/^GRUB_CMDLINE_LINUX/s/ *\(option)//' \(Self.grubFile)",
                "sudo update-grub", note: Self.restart)
        }
        return Finding.Fix(note: "Remove \(option) in the boot loader, then restart.")
    }

    /// The file with the command line of a Raspberry Pi; `nil` on other machines.
    static func lineFile(on machine: Machine) -> String? {
        ["/boot/firmware/cmdline.txt", "/boot/cmdline.txt"].first(where: machine.exists)
    }
}

/// The real-time kernel of a distribution.
enum RealtimeKernel {
    /// Returns the commands that install it.
    static func fix(on machine: Machine) -> Finding.Fix {
        let restart = "Then restart the machine with this kernel."
        // Kernels of Debian do not start on a Raspberry Pi.
        guard BootOption.lineFile(on: machine) == nil else {
            return Finding.Fix(note: "Install a real-time kernel for the Raspberry Pi. \(restart)")
        }
        let lines = machine.lines("/etc/os-release")
        let families = ["ID=", "ID_LIKE="].compactMap { key in
            lines.first { $0.hasPrefix(key) }?.dropFirst(key.count).filter { $0 != "\"" }
        }
        // The own name comes first, then the distributions that it is like.
        for name in families.flatMap({ $0.split(separator: " ") }) {
            switch name {
            case "ubuntu": return Finding.Fix("sudo apt install linux-lowlatency", note: restart)
            case "debian":
                return Finding.Fix(
                    "sudo apt install linux-image-rt-$(dpkg --print-architecture)", note: restart)
            case "arch": return Finding.Fix("sudo pacman -S linux-rt", note: restart)
            default: continue
            }
        }
        return Finding.Fix(note: "Install a real-time kernel of your distribution. \(restart)")
    }
}
