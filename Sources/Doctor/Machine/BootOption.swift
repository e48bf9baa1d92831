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
            return grubFix(
                on: machine, sed: "s/^GRUB_CMDLINE_LINUX=\"/&\(option) /", grubby: "--args")
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
            return grubFix(
                on: machine, sed: "/^GRUB_CMDLINE_LINUX/s/ *\(option)//", grubby: "--remove-args")
        }
        return Finding.Fix(note: "Remove \(option) in the boot loader, then restart.")
    }

    /// Returns the commands that change the command line of GRUB.
    ///
    /// - Parameters:
    ///   - machine: The machine.
    ///   - sed: The script of `sed` that changes GRUB's file.
    ///   - grubby: The option of `grubby` for the same change.
    /// - Returns: The commands.
    private func grubFix(on machine: Machine, sed: String, grubby: String) -> Finding.Fix {
        let edit = "sudo sed -i '\(sed)' \(Self.grubFile)"
        switch Distribution(of: machine) {
        case .fedora:
            // The entries of the menu have command lines of their own, which GRUB's file does not
            // change.
            return Finding.Fix(
                "sudo grubby --update-kernel=ALL \(grubby)=\"\(option)\"", note: Self.restart)
        case .arch:
            return Finding.Fix(
                edit, "sudo grub-mkconfig -o /boot/grub/grub.cfg", note: Self.restart)
        case .suse:
            return Finding.Fix(
                edit, "sudo grub2-mkconfig -o /boot/grub2/grub.cfg", note: Self.restart)
        case .ubuntu, .debian, nil:
            return Finding.Fix(edit, "sudo update-grub", note: Self.restart)
        }
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
        switch Distribution(of: machine) {
        case .ubuntu: return Finding.Fix("sudo apt install linux-lowlatency", note: restart)
        case .debian:
            return Finding.Fix(
                "sudo apt install linux-image-rt-$(dpkg --print-architecture)", note: restart)
        case .arch: return Finding.Fix("sudo pacman -S linux-rt", note: restart)
        case .fedora, .suse, nil:
            return Finding.Fix(
                note: "Install a real-time kernel of your distribution. \(restart)")
        }
    }
}
