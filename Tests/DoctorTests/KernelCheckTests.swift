import Doctor
import Testing

@Suite("Checks of rights, kernel and clocks")
struct KernelCheckTests {
    private let laptop = MachineTree.laptop
    private let raspberryPi = MachineTree.raspberryPi
    private let realtime = MachineTree.realtime
    private let container = MachineTree.container

    @Test("real-time priority: the group that grants it is named, and how to join it")
    func realtimePermission() {
        let finding = laptop.finding("realtime-permission")
        #expect(finding?.state == .bad)
        #expect(finding?.finding.contains("The group audio grants it") == true)
        #expect(finding?.fix?.commands == ["sudo usermod -aG audio \"$USER\""])
        let without = laptop.with(["etc/security/limits.d/audio.conf": nil])
        #expect(without.finding("realtime-permission")?.fix?.commands.count == 3)
        let member = laptop.with(["etc/group": "audio:x:29:pulse,ada\n"])
        #expect(
            member.finding("realtime-permission")?.finding.contains("next login") == true)
        #expect(member.finding("realtime-permission")?.fix?.commands == [])
        let inside = laptop.with(["etc/group": "audio:x:24:\n"])
        #expect(inside.finding("realtime-permission")?.finding.contains("this session") == true)
        #expect(raspberryPi.finding("realtime-permission")?.state == .good)
        let root = laptop.with(["proc/self/status": "Uid:\t0\t0\nCapEff:\t000001ffffffffff\n"])
        #expect(root.finding("realtime-permission")?.state == .good)
        #expect(root.finding("locked-memory")?.state == .good)
    }

    @Test("locked memory: 8 MiB are too little, 4 GiB are enough")
    func lockedMemory() {
        #expect(laptop.finding("locked-memory")?.state == .bad)
        #expect(
            laptop.finding("locked-memory")?.finding.hasPrefix("This user may lock 8 MiB") == true)
        #expect(raspberryPi.finding("locked-memory")?.state == .good)
        #expect(realtime.finding("locked-memory")?.state == .good)
    }

    @Test("preemption: from the running kernel, the boot options or the configuration")
    func preemption() {
        #expect(laptop.finding("preemption")?.state == .notice)
        #expect(laptop.finding("preemption")?.fix?.commands.last == "sudo update-grub")
        #expect(raspberryPi.finding("preemption")?.state == .good)
        #expect(realtime.finding("preemption")?.state == .good)
        #expect(container.finding("preemption")?.state == .unknown)
        let running = laptop.with(["sys/kernel/debug/sched/preempt": "(none) voluntary full\n"])
        #expect(running.finding("preemption")?.state == .bad)
        let booted = laptop.with(["proc/cmdline": "ro preempt=full\n"])
        #expect(booted.finding("preemption")?.state == .good)
        let fixed = laptop.with(["proc/version": "Linux version 5.4.0\n"])
        #expect(fixed.finding("preemption")?.fix?.commands == [])
        for (system, command) in [
            ("ID=debian\n", "sudo apt install linux-image-rt-$(dpkg --print-architecture)"),
            ("ID=neon\nID_LIKE=\"ubuntu debian\"\n", "sudo apt install linux-lowlatency"),
        ] {
            let known = fixed.with(["etc/os-release": system])
            #expect(known.finding("preemption")?.fix?.commands == [command])
        }
    }

    @Test("boot options: the commands are those of the distribution")
    func bootOptions() {
        let edit =
            "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&preempt=full /' /etc/default/grub"
        for (system, commands) in [
            ("ID=debian\n", [edit, "sudo update-grub"]),
            ("ID=fedora\n", ["sudo grubby --update-kernel=ALL --args=\"preempt=full\""]),
            ("ID=manjaro\nID_LIKE=arch\n", [edit, "sudo grub-mkconfig -o /boot/grub/grub.cfg"]),
            (
                "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n",
                [edit, "sudo grub2-mkconfig -o /boot/grub2/grub.cfg"]
            ),
            ("ID=unheard-of\n", [edit, "sudo update-grub"]),
        ] {
            let known = laptop.with(["etc/os-release": system])
            #expect(known.finding("preemption")?.fix?.commands == commands)
        }
    }

    @Test("frequency of the tick: coarse timers are bad, a low frequency is noticed")
    func tick() {
        #expect(laptop.finding("timer-frequency")?.state == .good)
        #expect(container.finding("timer-frequency")?.state == .unknown)
        let file = "boot/config-6.1.0-18-amd64"
        let slow = laptop.with([file: "CONFIG_HZ=100\nCONFIG_HIGH_RES_TIMERS=y\n"])
        #expect(slow.finding("timer-frequency")?.state == .notice)
        let coarse = laptop.with([file: "CONFIG_HZ=1000\n"])
        #expect(coarse.finding("timer-frequency")?.finding.contains("every 1 ms") == true)
        #expect(coarse.finding("timer-frequency")?.state == .bad)
    }

    @Test("clock, share of real-time threads and kind of machine")
    func kernel() {
        let clock = laptop.finding("clock")
        #expect(clock?.state == .bad && clock?.fix?.commands.first?.hasPrefix("echo tsc") == true)
        #expect(raspberryPi.finding("clock")?.state == .good)
        let coarse = realtime.with(["proc/cmdline": "ro highres=off\n"])
        #expect(coarse.findings("clock").map(\.state) == [.bad, .good])
        let booted = laptop.with(["proc/cmdline": "ro highres=off\n"])
        #expect(
            booted.findings("clock").last?.fix?.commands == [
                "sudo sed -i '/^GRUB_CMDLINE_LINUX/s/ *highres=off//' /etc/default/grub",
                "sudo update-grub",
            ])
        let fedora = booted.with(["etc/os-release": "ID=\"rocky\"\nID_LIKE=\"rhel fedora\"\n"])
        #expect(
            fedora.findings("clock").last?.fix?.commands == [
                "sudo grubby --update-kernel=ALL --remove-args=\"highres=off\""
            ])
        #expect(laptop.finding("realtime-share")?.state == .good)
        #expect(realtime.finding("realtime-share")?.state == .good)
        let small = laptop.with(["proc/sys/kernel/sched_rt_runtime_us": "500000\n"])
        #expect(
            small.finding("realtime-share")?.finding
                == "Real-time threads may use 50 % of the time.")
        #expect(small.finding("realtime-share")?.state == .bad)
        #expect(container.findings("host").map(\.state) == [.bad, .notice, .notice])
        #expect(
            container.findings("host").first?.finding
                == "The process may run 50 ms in every 100 ms.")
        #expect(realtime.finding("host")?.state == .good)
    }

    @Test("a quota: the command for the unit of systemd that has it, a note for a container")
    func quota() {
        let night = "/system.slice/night.service"
        let manager = "/user.slice/user-1000.slice/user@1000.service"
        let (own, app) = ("\(manager)/app.slice/night.service", "\(manager)/app-a\\x2db.scope")
        // The group of the process, the group with the quota, and the command.
        let (system, set) = ("sudo systemctl", "set-property --runtime")
        let cases: [(String, String, String)] = [
            (night, night, "\(system) \(set) night.service CPUQuota="),
            (night, "/system.slice", "\(system) \(set) system.slice CPUQuota="),
            (own, own, "systemctl --user \(set) night.service CPUQuota="),
            (app, app, "systemctl --user \(set) 'app-a\\x2db.scope' CPUQuota="),
            (own, manager, "\(system) \(set) user@1000.service CPUQuota="),
        ]
        for (group, owner, command) in cases {
            let tree = realtime.with([
                "proc/self/cgroup": "0::\(group)\n",
                "sys/fs/cgroup\(owner)/cpu.max": "50000 100000\n",
            ])
            #expect(tree.finding("host")?.state == .bad)
            #expect(tree.finding("host")?.fix?.commands == [command])
        }
        #expect(container.findings("host").first?.fix?.commands == [])
        let free = realtime.with([
            "proc/self/cgroup": "0::/system.slice/night.service\n",
            "sys/fs/cgroup/system.slice/night.service/cpu.max": "max 100000\n",
        ])
        #expect(free.finding("host")?.state == .good)
    }
}
