import Doctor
import Glibc
import TestSignals
import Testing

@Suite("Checks of memory and disks")
struct StorageCheckTests {
    private let laptop = MachineTree.laptop
    private let raspberryPi = MachineTree.raspberryPi
    private let realtime = MachineTree.realtime
    private let container = MachineTree.container

    @Test("swap and memory: swap on a disk is noticed, compressed memory is not")
    func memory() {
        let swap = laptop.finding("swap")
        #expect(swap?.state == .notice && swap?.finding.contains("100 MiB are used") == true)
        #expect(raspberryPi.findings("swap").map(\.state) == [.bad, .good])
        #expect(realtime.finding("swap")?.state == .good)
        #expect(MachineTree.empty.finding("swap")?.state == .unknown)
    }

    @Test("disk of the takes: its kind decides, and the nearest mount counts")
    func disk() {
        #expect(laptop.finding("takes-disk")?.state == .good)
        let network = laptop.findings("takes-disk", takes: "/home/ada/net music/takes")
        #expect(network.map(\.state) == [.bad])
        #expect(network.first?.finding.contains("another machine (nfs4)") == true)
        #expect(raspberryPi.finding("takes-disk")?.finding.contains("memory card") == true)
        #expect(container.finding("takes-disk")?.state == .unknown)
        let rotating = laptop.with(["sys/devices/pci0000:00/nvme0n1/queue/rotational": "1\n"])
        #expect(rotating.finding("takes-disk")?.state == .notice)
        // The scratch folder's real disk has free space.
        #expect(laptop.findings("takes-disk", takes: "/etc").count == 2)
    }

    @Test("folder of the takes: it must exist, and this user must be able to write into it")
    func takesFolder() {
        let folder = ScratchFolder()
        func findings(_ path: String) -> [Finding] {
            Examination(of: Machine(takes: path), wakeups: nil).findings.filter {
                $0.id == "takes-disk"
            }
        }
        let missing = findings(folder.file("no takes"))
        #expect(missing.map(\.finding) == ["There is no folder \(folder.file("no takes"))."])
        #expect(missing.map(\.state) == [.bad])
        #expect(missing.first?.fix?.commands == ["mkdir -p '\(folder.file("no takes"))'"])
        let file = findings(folder.write("", to: "file"))
        #expect(file.map(\.finding) == ["\(folder.file("file")) is not a folder."])
        let refused = "This user cannot write into \(folder.path)."
        #expect(!findings(folder.path).contains { $0.finding == refused })
        chmod(folder.path, 0o500)
        defer { chmod(folder.path, 0o700) }
        // Root can write into every folder.
        #expect(findings(folder.path).contains { $0.finding == refused } == (geteuid() != 0))
    }
}
