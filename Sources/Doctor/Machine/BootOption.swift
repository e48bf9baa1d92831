/// An option of the kernel's command line that a user can add.
struct BootOption {
    /// The option, such as `threadirqs`.
    let option: String

    /// Returns the commands that add the option, for the boot loader of the machine.
    func fix(on machine: Machine) -> Finding.Fix {
        let restart = "Then restart the machine."
        for file in ["/boot/firmware/cmdline.txt", "/boot/cmdline.txt"] where machine.exists(file) {
            return Finding.Fix("sudo sed -i '1s/$/ \(option)/' \(file)", note: restart)
        }
        if machine.exists("/etc/default/grub") {
            return Finding.Fix(
                "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&\(option) /' /etc/default/grub",
                "sudo update-grub", note: restart)
        }
        return Finding.Fix(
            note: "Add \(option) to the kernel's command line in the boot loader, then restart.")
    }
}
