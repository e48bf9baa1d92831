import Engine
import Glibc
import Pipelines
import Processing
import Testing
import TestSignals

@Suite("A pipeline's memory")
struct MemoryTests {
    private static let megabyte = 1_000_000

    /// Returns a catalogue whose effect `late` claims to need `lateBytes`.
    private func catalogue(lateBytes: Int, freeBytes: Int?) -> Catalogue {
        var catalogue = TestEffects.catalogue
        for index in catalogue.effects.indices
        where catalogue.effects[index].description.name == "late" {
            catalogue.effects[index].memoryBytes = { _ in lateBytes }
        }
        catalogue.memory = MemoryBudget {
            freeBytes.map { MemoryBudget.Room(freeBytes: $0, limit: "a test's limit") }
        }
        return catalogue
    }

    private func pipeline(_ ids: [String]) -> Pipeline {
        var graph = Graph()
        var before = "in"
        for id in ids {
            graph.add(id, "late", from: [before], values: [0, 1])
            before = id
        }
        graph.output(from: [before])
        return graph.pipeline
    }

    private let format = AudioFormat(sampleRate: 48_000, maximumBlockFrames: 1024)

    @Test("is the sum of its nodes and buffers")
    func sum() {
        let need = MemoryNeed(
            pipeline(["a", "b", "c"]),
            catalogue: catalogue(lateBytes: 7 * Self.megabyte, freeBytes: nil), format: format)
        #expect(need.nodes.map(\.id) == ["a", "b", "c"])
        #expect(need.nodes.allSatisfy { $0.bytes >= 7 * Self.megabyte })
        #expect(need.nodes.allSatisfy { $0.bytes < 7 * Self.megabyte + 100_000 })
        #expect(need.totalBytes == need.nodes.map(\.bytes).reduce(need.sharedBytes, +))
        #expect(need.sharedBytes > 4 * 1024 * 4 && need.sharedBytes < Self.megabyte)
    }

    @Test("does not overflow, however large the nodes are")
    func overflow() {
        let need = MemoryNeed(
            pipeline(["a", "b"]), catalogue: catalogue(lateBytes: .max - 1, freeBytes: nil),
            format: format)
        #expect(need.totalBytes == .max)
    }

    @Test("is refused beyond the budget, with the figures and the costliest nodes")
    func refused() throws {
        let catalogue = catalogue(lateBytes: 700 * Self.megabyte, freeBytes: 1100 * Self.megabyte)
        let error = #expect(throws: PreparationError.self) {
            try Schedule(
                preparing: pipeline(["a", "b", "c"]), catalogue: catalogue, format: format)
        }
        #expect(error?.lacksMemory == true)
        #expect(
            error?.message
                == "the pipeline needs 2.1 GB of memory, but only 1.1 GB is free within a test's limit; the largest nodes are a (700 MB), b (700 MB), c (700 MB): shorten their delays, buffers or pre-rolls, or use fewer nodes"
        )
        #expect(throws: Never.self) {
            try Schedule(preparing: pipeline(["a"]), catalogue: catalogue, format: format)
        }
    }

    @Test("of an edit is that of its new nodes")
    func edit() throws {
        let catalogue = catalogue(lateBytes: 700 * Self.megabyte, freeBytes: 1100 * Self.megabyte)
        let ports = try #require(EnginePorts(pipeline(["a"])))
        let one = try Schedule(
            preparing: pipeline(["a"]), catalogue: catalogue, format: format, ports: ports)
        let two = try Schedule(
            preparing: pipeline(["a", "b"]), catalogue: catalogue, ports: ports, after: one,
            hasSettled: true)
        #expect(two.nodeIDs == ["a", "b"])
        let error = #expect(throws: PreparationError.self) {
            try Schedule(
                preparing: pipeline(["a", "b", "c", "d"]), catalogue: catalogue, ports: ports,
                after: two, hasSettled: true)
        }
        #expect(
            error?.message.hasPrefix(
                "the edit needs 1.4 GB of memory, but only 1.1 GB is free next to the current pipeline"
            )
                == true)
    }
}

@Suite("The system's memory")
struct SystemMemoryTests {
    private let folder = ScratchFolder()

    /// A computer with 16 GiB, of which 8 GiB are available, and a process of 1 GiB in a control
    /// group.
    private var memory: SystemMemory {
        for path in ["self", "groups", "groups/user.slice", "groups/user.slice/show.scope"] {
            mkdir(folder.file(path), 0o700)
        }
        folder.write(
            "MemTotal:       16777216 kB\nMemFree: 1 kB\nMemAvailable:    8388608 kB\n",
            to: "meminfo")
        folder.write("0::/user.slice/show.scope\n", to: "self/cgroup")
        folder.write(
            "Name:\tstompline\nVmSize:\t 1048576 kB\nVmLck:\t       0 kB\nVmData:\t  524288 kB\n",
            to: "self/status")
        var memory = SystemMemory()
        memory.processFolder = folder.path
        memory.groupFolder = folder.file("groups")
        memory.resourceLimit = { _ in nil }
        return memory
    }

    private let reserveBytes = 256 << 20

    @Test("is the available memory without the reserve, if nothing else limits it")
    func computer() {
        #expect(
            memory.room
                == .init(freeBytes: (8 << 30) - reserveBytes, limit: "the memory of this computer"))
    }

    @Test("is limited by every control group of the process, whose file pages do not count")
    func group() {
        let memory = memory
        folder.write("max\n", to: "groups/user.slice/show.scope/memory.max")
        folder.write("2147483648\n", to: "groups/user.slice/memory.max")
        folder.write("1610612736\n", to: "groups/user.slice/memory.current")
        folder.write(
            "anon 5\ninactive_file 268435456\nactive_file 268435456\n",
            to: "groups/user.slice/memory.stat")
        #expect(
            memory.room
                == .init(
                    freeBytes: (1 << 30) - (128 << 20),
                    limit: "the memory limit of its control group"
                ))
    }

    @Test("is limited by the address space and the data of the process")
    func resources() {
        var memory = memory
        memory.resourceLimit = { $0 == .addressSpace ? 4 << 30 : nil }
        #expect(
            memory.room
                == .init(
                    freeBytes: (3 << 30) - reserveBytes,
                    limit: "the address space limit (ulimit -v)"))
        memory.resourceLimit = { $0 == .data ? 1 << 30 : nil }
        #expect(
            memory.room
                == .init(freeBytes: (512 << 20) - (64 << 20), limit: "the data limit (ulimit -d)"))
    }

    @Test("is never below 0, and is known on this computer")
    func bounds() throws {
        var memory = memory
        memory.resourceLimit = { $0 == .addressSpace ? 1 << 20 : nil }
        #expect(memory.room?.freeBytes == 0)
        let own = try #require(MemoryBudget.system.room)
        #expect(own.freeBytes > 0 && own.freeBytes < 1 << 50)
    }

    @Test(
        "is formatted in readable figures",
        arguments: [
            (0, "0 kB"), (1, "1 kB"), (999_000, "999 kB"), (1_249_999, "1.2 MB"),
            (12_400_000, "12 MB"), (999_400_000, "999 MB"), (2_600_000_000, "2.6 GB"),
            (Int.max, "9223372036.9 GB"),
        ])
    func figures(bytes: Int, text: String) { #expect(ByteCount(bytes).description == text) }
}
