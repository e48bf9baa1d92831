internal import Doctor
internal import Glibc

extension FuzzTarget {
    /// The files of the system that `stompline doctor` reads, separated by the byte 0xFF.
    static let machine = FuzzTarget(
        name: "machine",
        run: { bytes in
            let parts = bytes.split(separator: 0xFF, omittingEmptySubsequences: false)
            for (index, path) in MachineFiles.paths.enumerated() {
                MachineFiles.write(index < parts.count ? parts[index] : [], to: path)
            }
            let examination = Examination(
                of: Machine(
                    root: MachineFiles.folder, takes: "/takes", home: "/home",
                    library: AudioLibrary(jackVersion: "1.9.21", pipeWireVersion: nil)))
            require(!examination.findings.isEmpty, "there is no finding")
            for finding in examination.findings {
                require(!finding.finding.isEmpty, "\(finding.id) states nothing")
                require(finding.state != .bad || finding.fix != nil, "\(finding.id) has no remedy")
            }
            require(ExaminationText(examination).lines.count > 1, "the text is empty")
        },
        seeds: {
            [MachineFiles.seed, Array(repeating: 0xFF, count: MachineFiles.paths.count)]
        })
}

/// A folder with the files of a machine.
private enum MachineFiles {
    /// The paths, in the order of the parts of an input.
    static var paths: [String] { contents.map(\.path) }

    /// The contents of all files as one input.
    static var seed: [UInt8] {
        Array(contents.map { Array($0.text.utf8) }.joined(separator: [0xFF]))
    }

    /// The folder, with the links of a USB sound card.
    static let folder: String = {
        let root = "/dev/shm/stompline-machine-\(getpid())"
        mkdir(root, 0o700)
        atexit { MachineFiles.removeFolder() }
        for folder in folders { mkdir(root + "/" + folder, 0o700) }
        symlink("../../../../" + interface, root + "/" + link)
        return root
    }()

    private static let interface = "sys/devices/pci/usb1/1-2/1-2:1.0"
    private static let link = "sys/class/sound/card1/device"

    /// The folders, each after the folder that contains it.
    private static var folders: [String] {
        let all = (paths + [interface + "/-", link, "takes/-"]).flatMap { path in
            let parts = path.split(separator: "/")
            return (1..<parts.count).map { parts.prefix($0).joined(separator: "/") }
        }
        return Set(all).sorted()
    }

    private static func removeFolder() {
        for path in paths + [link] + folders.reversed() { remove(folder + "/" + path) }
        rmdir(folder)
    }

    static func write(_ bytes: ArraySlice<UInt8>, to path: String) {
        guard let file = fopen(folder + "/" + path, "w") else { fatalError("cannot write \(path)") }
        _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        fclose(file)
    }

    private static let contents: [(path: String, text: String)] = [
        (
            "proc/self/limits",
            "Max locked memory  8388608 8388608 bytes\nMax realtime priority  0  0\n"
        ),
        ("proc/self/status", "Uid:\t1000\t1000\nGid:\t1000\nGroups:\t24 25\nCapEff:\t0\n"),
        ("proc/self/cgroup", "0::/user.slice/a\n"),
        ("proc/self/mounts", "/dev/sda1 / ext4 rw 0 0\nnas:/a\\040b /takes nfs4 ro,a 0 0\n"),
        ("etc/group", "audio:x:29:ada\n"), ("etc/passwd", "ada:x:1000:1000::/:/bin/sh\n"),
        ("etc/security/limits.d/audio.conf", "@audio - rtprio 95\n@audio - memlock unlimited\n"),
        ("etc/NetworkManager/conf.d/wifi.conf", "wifi.powersave = 3\n"),
        ("proc/version", "Linux version 6.1 PREEMPT_DYNAMIC"), ("proc/cmdline", "ro preempt=full"),
        ("proc/config.gz", "CONFIG_PREEMPT=y\n"), ("sys/kernel/debug/sched/preempt", "none (full)"),
        ("proc/sys/kernel/sched_rt_runtime_us", "950000"),
        ("proc/sys/kernel/sched_rt_period_us", "1000000"),
        ("proc/cpuinfo", "flags : fpu hypervisor\n"), ("sys/fs/cgroup/cpu.max", "5000 10000"),
        ("proc/meminfo", "MemAvailable: 1000 kB\nSwapTotal: 99 kB\nSwapFree: 9 kB\n"),
        ("proc/swaps", "Filename\n/dev/sda2 partition 1 1 1\n"), ("proc/sys/vm/swappiness", "60"),
        ("sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "powersave"),
        ("sys/devices/system/cpu/cpu0/cpuidle/state1/latency", "890"),
        ("sys/devices/system/cpu/cpu0/cpuidle/state1/name", "C10"),
        ("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3"),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "0x50005"),
        ("sys/class/thermal/thermal_zone0/temp", "91000"),
        ("sys/class/thermal/thermal_zone0/trip_point_0_type", "hot"),
        ("sys/class/thermal/thermal_zone0/trip_point_0_temp", "95000"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet"),
        ("proc/asound/cards", " 1 [USB            ]: USB-Audio - Scarlett\n"),
        (
            "proc/asound/card1/pcm0p/sub0/hw_params",
            "rate: 48000 (48000/1)\nperiod_size: 128\nbuffer_size: 256\n"
        ),
        ("proc/interrupts", " CPU0 CPU1\n 16: 0 5 IO-APIC 16-fasteoi xhci_hcd:usb1, i801\n"),
        ("sys/devices/pci/irq", "16"), ("sys/devices/pci/usb1/1-2/power/control", "auto"),
        ("sys/class/rfkill/rfkill0/type", "wlan"), ("sys/class/rfkill/rfkill0/soft", "0"),
        ("sys/class/rfkill/rfkill0/hard", "0"),
        ("proc/8/stat", "8 (jackd) S" + String(repeating: " 0", count: 36) + " 70 1 0"),
        ("proc/8/cmdline", "jackd\0-d\0dummy\0"),
        ("proc/9/stat", "9 (irq/16-xhci) S" + String(repeating: " 0", count: 36) + " 50 1 0"),
        ("proc/irq/16/smp_affinity_list", "1"),
        ("proc/asound/card1/stream0", "Rates: 44100, 48000\nData packet interval: 125 us\n"),
        ("proc/10/stat", "10 (pipewire) S" + String(repeating: " 0", count: 38)),
        (
            "etc/pipewire/pipewire.conf",
            "context.properties = { default.clock.rate = 44100 \"a\": [ 1, 2 ] # b\n}"
        ),
        ("home/.config/pipewire/jack.conf", "jack.properties = { node.latency = 256/48000 }"),
    ]
}
