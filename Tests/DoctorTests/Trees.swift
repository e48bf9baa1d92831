extension MachineTree {
    /// The rights of the user 1000, without privileges.
    private static let user = """
        Name:	stompline
        Uid:	1000	1000	1000	1000
        Gid:	1000	1000	1000	1000
        Groups:	24 25 1000
        CapEff:	0000000000000000
        """

    /// A laptop with Debian 12 as it was installed, and a USB sound card.
    static let laptop = MachineTree(
        files: [
            "proc/self/limits": limits(priority: "0", memory: "8388608"),
            "proc/self/status": user,
            "proc/self/mounts": """
            proc /proc proc rw,nosuid 0 0
            /dev/nvme0n1p2 / ext4 rw,relatime,errors=remount-ro 0 0
            nas:/music /home/ada/net\\040music nfs4 rw,vers=4.2 0 0
            """,
            "etc/group": "root:x:0:\naudio:x:29:pulse\nada:x:1000:\n",
            "etc/passwd": "root:x:0:0::/root:/bin/sh\nada:x:1000:1000:Ada:/home/ada:/bin/bash\n",
            "etc/security/limits.d/audio.conf": """
            # for JACK
            @audio   -  rtprio     95
            @audio   -  memlock    unlimited
            """,
            "etc/default/grub": "GRUB_CMDLINE_LINUX=\"\"\n",
            "proc/version": "Linux version 6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1",
            "proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
            "proc/cmdline": "BOOT_IMAGE=/vmlinuz-6.1.0-18-amd64 root=UUID=1-2 ro quiet\n",
            "boot/config-6.1.0-18-amd64": """
            # CONFIG_PREEMPT_NONE is not set
            CONFIG_PREEMPT_VOLUNTARY=y
            # CONFIG_PREEMPT is not set
            CONFIG_PREEMPT_DYNAMIC=y
            CONFIG_HZ=250
            CONFIG_HIGH_RES_TIMERS=y
            """,
            "proc/sys/kernel/sched_rt_runtime_us": "950000\n",
            "proc/sys/kernel/sched_rt_period_us": "1000000\n",
            "proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu vme tsc msr constant_tsc\n",
            "proc/meminfo": """
            MemTotal:       16061852 kB
            MemAvailable:   11214016 kB
            SwapTotal:        999420 kB
            SwapFree:         897020 kB
            """,
            "proc/swaps": """
            Filename				Type		Size		Used		Priority
            /dev/nvme0n1p3                          partition	999420		102400		-2
            """,
            "proc/sys/vm/swappiness": "60\n",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "powersave\n",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_driver": "intel_pstate\n",
            "sys/devices/system/cpu/cpufreq/policy0/energy_performance_preference":
                "balance_power\n",
            "sys/devices/system/cpu/intel_pstate/no_turbo": "0\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state0/name": "POLL\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state0/latency": "0\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state0/disable": "0\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state1/name": "C1E\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state1/latency": "10\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state1/disable": "0\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state2/name": "C10\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state2/latency": "890\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state2/disable": "0\n",
            "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "12\n",
            "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "14\n",
            "sys/class/thermal/thermal_zone0/type": "x86_pkg_temp\n",
            "sys/class/thermal/thermal_zone0/temp": "58000\n",
            "sys/class/thermal/thermal_zone0/trip_point_0_type": "passive\n",
            "sys/class/thermal/thermal_zone0/trip_point_0_temp": "95000\n",
            "sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet\n",
            "sys/devices/system/clocksource/clocksource0/available_clocksource":
                "hpet tsc acpi_pm\n",
            "proc/asound/cards": """
             0 [PCH            ]: HDA-Intel - HDA Intel PCH
                                  HDA Intel PCH at 0xf7e10000 irq 33
             1 [USB            ]: USB-Audio - Scarlett 2i2 USB
                                  Focusrite Scarlett 2i2 USB at usb-0000:00:14.0-2, high speed
            """,
            "proc/asound/card0/pcm0p/sub0/hw_params": "closed\n",
            "proc/asound/card1/pcm0p/sub0/hw_params": """
            access: MMAP_INTERLEAVED
            format: S32_LE
            channels: 2
            rate: 48000 (48000/1)
            period_size: 128
            buffer_size: 256
            """,
            "proc/asound/card1/stream0": """
            Focusrite Scarlett 2i2 USB at usb-0000:00:14.0-2, high speed : USB Audio

            Playback:
              Status: Running
              Interface 1
                Altset 1
                Format: S32_LE
                Channels: 2
                Rates: 44100, 48000, 88200, 96000
                Data packet interval: 125 us
            """,
            "proc/irq/16/smp_affinity_list": "0-1\n",
            "proc/irq/16/effective_affinity_list": "1\n",
            "proc/irq/33/effective_affinity_list": "0\n",
            "proc/irq/130/effective_affinity_list": "1\n",
            "proc/interrupts": """
                        CPU0       CPU1
              16:          0       5120  IR-IO-APIC   16-fasteoi   xhci_hcd:usb1, i801_smbus
              33:        150          0  IR-PCI-MSI 327680-edge      snd_hda_intel:card0
             130:          0      90412  IR-PCI-MSI 1048576-edge      nvme0q1
             NMI:          0          0   Non-maskable interrupts
            """,
            "sys/devices/pci0000:00/0000:00:14.0/irq": "16\n",
            "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/power/control": "auto\n",
            "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/product": "Scarlett 2i2 USB\n",
            "sys/devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/bInterfaceClass": "01\n",
            "sys/devices/pci0000:00/0000:00:14.0/usb1/1-4/product": "Integrated Camera\n",
            "sys/devices/pci0000:00/0000:00:14.0/usb1/1-5/bDeviceClass": "09\n",
            "sys/devices/pci0000:00/0000:00:1f.3/irq": "33\n",
            "sys/devices/pci0000:00/nvme0n1/queue/rotational": "0\n",
            "sys/devices/pci0000:00/nvme0n1/nvme0n1p2/partition": "2\n",
            "sys/class/rfkill/rfkill0/type": "bluetooth\n",
            "sys/class/rfkill/rfkill0/soft": "0\n",
            "sys/class/rfkill/rfkill0/hard": "0\n",
            "sys/class/rfkill/rfkill1/type": "wlan\n",
            "sys/class/rfkill/rfkill1/soft": "0\n",
            "sys/class/rfkill/rfkill1/hard": "0\n",
            "sys/class/net/wlp2s0/wireless/status": "0\n",
            "etc/NetworkManager/conf.d/default-wifi-powersave-on.conf":
                "[connection]\nwifi.powersave = 3\n",
            "proc/1/stat": stat(1, "systemd"),
            "proc/812/stat": stat(812, "jackd"),
            "proc/812/cmdline": "jackd\0-r\0-d\0alsa\0-p\0128\0-n\0002\0",
            "proc/812/task/812/stat": stat(812, "jackd"),
            "proc/812/task/815/stat": stat(815, "jackd"),
            "proc/930/stat": stat(930, "pulseaudio"),
        ],
        links: [
            "sys/class/sound/card0/device": "../../../devices/pci0000:00/0000:00:1f.3",
            "sys/class/sound/card1/device":
                "../../../devices/pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0",
            "sys/class/block/nvme0n1p2": "../../devices/pci0000:00/nvme0n1/nvme0n1p2",
            "sys/bus/usb/devices/1-2": "../../../devices/pci0000:00/0000:00:14.0/usb1/1-2",
            "sys/bus/usb/devices/1-4": "../../../devices/pci0000:00/0000:00:14.0/usb1/1-4",
            "sys/bus/usb/devices/1-5": "../../../devices/pci0000:00/0000:00:14.0/usb1/1-5",
            "sys/bus/usb/devices/usb1": "../../../devices/pci0000:00/0000:00:14.0/usb1",
        ])

    /// A Raspberry Pi 4 with a weak power supply.
    static let raspberryPi = MachineTree(
        files: [
            "proc/self/limits": limits(priority: "95", memory: "4294967296"),
            "proc/self/status": user,
            "proc/self/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
            "boot/firmware/cmdline.txt": "console=tty1 root=PARTUUID=1-02 rootwait\n",
            "proc/version": "Linux version 6.6.31+rpt-rpi-v8 #1 SMP PREEMPT Debian 1:6.6.31-1",
            "proc/sys/kernel/osrelease": "6.6.31+rpt-rpi-v8\n",
            "proc/cmdline": "console=tty1 root=PARTUUID=1-02 rootwait\n",
            "boot/config-6.6.31+rpt-rpi-v8":
                "CONFIG_PREEMPT=y\nCONFIG_HZ=250\nCONFIG_HIGH_RES_TIMERS=y\n",
            "proc/sys/kernel/sched_rt_runtime_us": "950000\n",
            "proc/sys/kernel/sched_rt_period_us": "1000000\n",
            "proc/cpuinfo": "processor\t: 0\nBogoMIPS\t: 108.00\nModel\t: Raspberry Pi 4\n",
            "proc/meminfo": "MemTotal: 3884360 kB\nMemAvailable: 210000 kB\n",
            "proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n/dev/zram0 partition 2 0 100\n",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "ondemand\n",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_driver": "cpufreq-dt\n",
            "sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n",
            "sys/class/thermal/thermal_zone0/temp": "78500\n",
            "sys/class/thermal/thermal_zone0/trip_point_0_type": "hot\n",
            "sys/class/thermal/thermal_zone0/trip_point_0_temp": "80000\n",
            "sys/devices/system/clocksource/clocksource0/current_clocksource":
                "arch_sys_counter\n",
            "proc/1/stat": stat(1, "systemd"),
            "proc/700/stat": stat(700, "pipewire"),
            "proc/700/task/701/stat": stat(701, "data-loop.0", priority: 88),
            "usr/share/pipewire/pipewire.conf": """
            # Daemon config file for PipeWire version "0.3.65" #
            context.properties = {
                link.max-buffers = 16
                core.daemon = true              # listening for socket connections
                #default.clock.rate          = 48000
                #default.clock.quantum       = 512
                vm.overrides = {
                    default.clock.min-quantum = 1024
                }
            }
            context.spa-libs = {
                audio.convert.* = audioconvert/libspa-audioconvert
            }
            """,
        ])

    /// A machine with PREEMPT_RT on which everything is set.
    static let realtime = MachineTree(
        files: [
            "proc/self/limits": limits(priority: "95", memory: "unlimited"),
            "proc/self/status": user,
            "proc/self/mounts": "/dev/nvme0n1 / xfs rw 0 0\n",
            "sys/class/block/nvme0n1/queue/rotational": "0\n",
            "sys/kernel/realtime": "1\n",
            "proc/version": "Linux version 6.1.0-18-rt-amd64 #1 SMP PREEMPT_RT Debian",
            "proc/cmdline": "ro quiet\n",
            "proc/sys/kernel/osrelease": "6.1.0-18-rt-amd64\n",
            "boot/config-6.1.0-18-rt-amd64": "CONFIG_HIGH_RES_TIMERS=y\nCONFIG_HZ=1000\n",
            "proc/sys/kernel/sched_rt_runtime_us": "-1\n",
            "proc/sys/kernel/sched_rt_period_us": "1000000\n",
            "proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu tsc\n",
            "proc/meminfo": "MemTotal: 16061852 kB\nMemAvailable: 11214016 kB\n",
            "proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n",
            "sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "performance\n",
            "sys/devices/system/cpu/cpufreq/boost": "0\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state0/name": "C1\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state0/latency": "2\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state1/name": "C6\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state1/latency": "133\n",
            "sys/devices/system/cpu/cpu0/cpuidle/state1/disable": "1\n",
            "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count": "0\n",
            "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
            "proc/asound/cards": " 0 [HDSP           ]: H-DSP - RME HDSP 9632\n",
            "proc/asound/card0/pcm0p/sub0/hw_params":
                "rate: 48000 (48000/1)\nperiod_size: 64\nbuffer_size: 128\n",
            "proc/interrupts": "      CPU0\n 17:   150  IO-APIC  17-fasteoi   snd_hdsp\n",
            "sys/class/sound/card0/device/irq": "17\n",
            "sys/class/rfkill/rfkill0/type": "wlan\n",
            "sys/class/rfkill/rfkill0/soft": "1\n",
            "sys/class/rfkill/rfkill0/hard": "0\n",
            "proc/40/stat": stat(40, "irq/17-snd_hdsp", priority: 90),
            "proc/41/stat": stat(41, "irq/18-ahci[0000:00:17.0]", priority: 50),
            "proc/812/stat": stat(812, "jackd"),
            "proc/812/cmdline": "jackd\0-R\0-d\0alsa\0",
            "proc/812/task/815/stat": stat(815, "jackd) (x", priority: 70),
        ])

    /// A container with a quota, in which most of the machine is hidden.
    static let container = MachineTree(
        files: [
            ".dockerenv": "",
            "proc/self/limits": limits(priority: "0", memory: "65536"),
            "proc/self/status": user,
            "proc/self/cgroup": "0::/\n",
            "sys/fs/cgroup/cpu.max": "50000 100000\n",
            "proc/self/mounts": "overlay / overlay rw,lowerdir=/a 0 0\n",
            "proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu tsc hypervisor\n",
            "proc/version": "Linux version 6.1.0-18-cloud-amd64 #1 SMP",
            "proc/1/stat": stat(1, "sh"),
        ])

    /// A machine that states nothing.
    static let empty = MachineTree(files: ["etc/hostname": "nobody\n"])
}
