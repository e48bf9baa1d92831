import JackHost
import Testing

struct ConnectionMemoryTests {
    private typealias Pair = ConnectionMemory.Pair
    private typealias Graph = ConnectionMemory.Graph

    private let byHand = Pair(own: ":mic", other: "guest:out")
    private let byRule = Pair(own: ":main", other: "system:playback_1")
    private let all: Set = [":mic", ":main", "guest:out", "system:playback_1"]

    /// The memory of a session that has both connections.
    private func memory() -> Books {
        let memory = Books()
        #expect(memory.mayRequest(for: byRule))
        memory.made(byRule, isThere: true)
        #expect(memory.look(at: Graph(ports: all, connections: [byHand, byRule])).isEmpty)
        return memory
    }

    @Test("a connection removed while both ports exist is forgotten and not requested again")
    func takenApart() {
        let memory = memory()
        #expect(memory.look(at: Graph(ports: all, connections: [])).isEmpty)
        #expect(memory.dueSeconds == ConnectionMemory.doubtSeconds)
        memory.doubtIsOver()
        #expect(memory.look(at: Graph(ports: all, connections: [])).isEmpty)
        #expect(memory.links.isEmpty && memory.dueSeconds == nil)
        #expect(!memory.mayRequest(for: byRule))
    }

    @Test("a connection is kept if the notification of its returned port arrives late")
    func reportedLater() {
        let memory = memory()
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])).isEmpty)
        memory.appeared("guest:out")
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("a connection that the user soon restores is remembered")
    func madeAgain() {
        let memory = memory()
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])).isEmpty)
        #expect(memory.look(at: Graph(ports: all, connections: [byHand, byRule])).isEmpty)
        memory.doubtIsOver()
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])).isEmpty)
        #expect(memory.links == [byHand, byRule])
    }

    @Test("ports that a new server has before it announces them are connected")
    func beforeToldOf() {
        let memory = memory()
        memory.returned(to: [":mic", ":main"])
        #expect(memory.look(at: Graph(ports: all, connections: [])) == [byRule, byHand])
    }

    @Test(
        "a connection is kept if a port's client becomes active late", arguments: [true, false])
    func slowClient(hasServerReturned: Bool) {
        let memory = memory()
        if hasServerReturned { memory.returned(to: [":mic", ":main", "system:playback_1"]) }
        let without = Graph(ports: all.subtracting(["guest:out"]), connections: [byRule])
        #expect(memory.look(at: without).isEmpty)
        // The port exists, but JACK refuses connections to a client that is not active.
        for _ in 0..<3 {
            #expect(memory.look(at: Graph(ports: all, connections: [byRule])) == [byHand])
            memory.made(byHand, isThere: true)
            memory.doubtIsOver()
        }
        memory.appeared("guest:out")
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])) == [byHand])
        // The client is active now: a missing connection has been removed.
        for _ in 0..<2 {
            #expect(memory.look(at: Graph(ports: all, connections: [byRule])).isEmpty)
            memory.doubtIsOver()
        }
        #expect(memory.links == [byRule])
    }

    @Test("a connection lost because its port disappeared is restored with the port")
    func unplugged() {
        let memory = memory()
        let without = all.subtracting(["guest:out"])
        #expect(memory.look(at: Graph(ports: without, connections: [byRule])).isEmpty)
        memory.appeared("guest:out")
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("a connection is kept if its port disappears and returns between two looks")
    func replugged() {
        let memory = memory()
        memory.appeared("guest:out")
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("a returned server gets all connections again, later ports as they appear")
    func returned() {
        let memory = memory()
        let without = all.subtracting(["guest:out"])
        memory.returned(to: without)
        #expect(memory.look(at: Graph(ports: without, connections: [])) == [byRule])
        memory.made(byRule, isThere: true)
        #expect(!memory.mayRequest(for: byRule))
        memory.appeared("guest:out")
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("ports unconnected before the server went stay unconnected, also if they appear later")
    func apart() {
        let memory = memory()
        _ = memory.look(at: Graph(ports: all, connections: [byHand]))
        memory.doubtIsOver()
        _ = memory.look(at: Graph(ports: all, connections: [byHand]))
        memory.returned(to: [":mic", ":main"])
        memory.appeared("system:playback_1")
        #expect(!memory.mayRequest(for: byRule))
        // From now on, the memory handles the port like any other.
        memory.appeared("system:playback_1")
        #expect(memory.mayRequest(for: byRule))
    }

    @Test("a connection that JACK refuses is requested until it exists")
    func refused() {
        let memory = memory()
        memory.returned(to: all)
        for _ in 0..<2 {
            #expect(memory.look(at: Graph(ports: all, connections: [byRule])) == [byHand])
            memory.made(byHand, isThere: false)
        }
        #expect(memory.look(at: Graph(ports: all, connections: [byHand, byRule])).isEmpty)
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])).isEmpty)
        memory.doubtIsOver()
        #expect(memory.look(at: Graph(ports: all, connections: [byRule])).isEmpty)
        #expect(memory.links == [byRule])
    }

    @Test("a renamed port of ours keeps its remembered connections")
    func renamed() {
        let memory = memory()
        memory.renamed(":mic", ":mic_1")
        #expect(memory.links.contains(Pair(own: ":mic_1", other: "guest:out")))
        memory.renamed(":main", ":main_1")
        #expect(!memory.mayRequest(for: Pair(own: ":main_1", other: "system:playback_1")))
    }
}

/// A memory that can change inside an expectation.
private final class Books {
    private var memory = ConnectionMemory()
    private var nowSeconds = 0.0

    var links: Set<ConnectionMemory.Pair> { memory.links }
    func appeared(_ port: String) { memory.appeared(port) }
    var dueSeconds: Double? { memory.dueSeconds }
    func doubtIsOver() { nowSeconds += 2 * ConnectionMemory.doubtSeconds }
    func look(at graph: ConnectionMemory.Graph) -> [ConnectionMemory.Pair] {
        memory.look(at: graph, nowSeconds: nowSeconds)
    }
    func made(_ pair: ConnectionMemory.Pair, isThere: Bool) { memory.made(pair, isThere: isThere) }
    func mayRequest(for pair: ConnectionMemory.Pair) -> Bool { memory.mayRequest(for: pair) }
    func returned(to ports: Set<String>) { memory.returned(to: ports) }
    func renamed(_ old: String, _ new: String) { memory.renamed(old, new) }
}
