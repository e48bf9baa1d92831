import JackHost
import Testing

struct ConnectionMemoryTests {
    private typealias Pair = ConnectionMemory.Pair
    private typealias Graph = ConnectionMemory.Graph

    private let byHand = Pair(own: ":mic", other: "guest:out")
    private let byRule = Pair(own: ":main", other: "system:playback_1")
    private let all: Set = [":mic", ":main", "guest:out", "system:playback_1"]

    /// The memory of a session that has both connections.
    private func memory() -> TestMemory {
        let memory = TestMemory()
        #expect(memory.mayRequest(for: byRule))
        memory.recordAttempt(byRule, isConnected: true)
        #expect(memory.update(from: Graph(ports: all, connections: [byHand, byRule])).isEmpty)
        return memory
    }

    @Test("a connection removed while both ports exist is forgotten and not requested again")
    func takenApart() {
        let memory = memory()
        #expect(memory.update(from: Graph(ports: all, connections: [])).isEmpty)
        #expect(memory.dueSeconds == ConnectionMemory.notificationSeconds)
        memory.notificationTimeIsOver()
        #expect(memory.update(from: Graph(ports: all, connections: [])).isEmpty)
        #expect(memory.wantedConnections.isEmpty && memory.dueSeconds == nil)
        #expect(!memory.mayRequest(for: byRule))
    }

    @Test("a connection is kept if the notification of its returned port arrives late")
    func reportedLater() {
        let memory = memory()
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])).isEmpty)
        memory.portAppeared("guest:out")
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("a connection that the user soon restores is remembered")
    func madeAgain() {
        let memory = memory()
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])).isEmpty)
        #expect(memory.update(from: Graph(ports: all, connections: [byHand, byRule])).isEmpty)
        memory.notificationTimeIsOver()
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])).isEmpty)
        #expect(memory.wantedConnections == [byHand, byRule])
    }

    @Test("ports that a new server has before it announces them are connected")
    func beforeToldOf() {
        let memory = memory()
        memory.reconnected(to: [":mic", ":main"])
        #expect(memory.update(from: Graph(ports: all, connections: [])) == [byRule, byHand])
    }

    @Test(
        "a connection is kept if a port's client becomes active late", arguments: [true, false])
    func slowClient(hasServerReturned: Bool) {
        let memory = memory()
        if hasServerReturned { memory.reconnected(to: [":mic", ":main", "system:playback_1"]) }
        let without = Graph(ports: all.subtracting(["guest:out"]), connections: [byRule])
        #expect(memory.update(from: without).isEmpty)
        // The port exists, but JACK refuses connections to a client that is not active.
        for _ in 0..<3 {
            #expect(memory.update(from: Graph(ports: all, connections: [byRule])) == [byHand])
            memory.recordAttempt(byHand, isConnected: true)
            memory.notificationTimeIsOver()
        }
        memory.portAppeared("guest:out")
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])) == [byHand])
        // The client is active now: a missing connection has been removed.
        for _ in 0..<2 {
            #expect(memory.update(from: Graph(ports: all, connections: [byRule])).isEmpty)
            memory.notificationTimeIsOver()
        }
        #expect(memory.wantedConnections == [byRule])
    }

    @Test("a connection lost because its port disappeared is restored with the port")
    func unplugged() {
        let memory = memory()
        let without = all.subtracting(["guest:out"])
        #expect(memory.update(from: Graph(ports: without, connections: [byRule])).isEmpty)
        memory.portAppeared("guest:out")
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("a connection is kept if its port disappears and returns between two updates")
    func replugged() {
        let memory = memory()
        memory.portAppeared("guest:out")
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("a returned server gets all connections again, later ports as they appear")
    func returned() {
        let memory = memory()
        let without = all.subtracting(["guest:out"])
        memory.reconnected(to: without)
        #expect(memory.update(from: Graph(ports: without, connections: [])) == [byRule])
        memory.recordAttempt(byRule, isConnected: true)
        #expect(!memory.mayRequest(for: byRule))
        memory.portAppeared("guest:out")
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])) == [byHand])
    }

    @Test("ports unconnected before the server went stay unconnected, even if they appear later")
    func apart() {
        let memory = memory()
        _ = memory.update(from: Graph(ports: all, connections: [byHand]))
        memory.notificationTimeIsOver()
        _ = memory.update(from: Graph(ports: all, connections: [byHand]))
        memory.reconnected(to: [":mic", ":main"])
        memory.portAppeared("system:playback_1")
        #expect(!memory.mayRequest(for: byRule))
        // From now on, the memory handles the port like any other.
        memory.portAppeared("system:playback_1")
        #expect(memory.mayRequest(for: byRule))
    }

    @Test("a connection that JACK refuses is requested until it exists")
    func refused() {
        let memory = memory()
        memory.reconnected(to: all)
        for _ in 0..<2 {
            #expect(memory.update(from: Graph(ports: all, connections: [byRule])) == [byHand])
            memory.recordAttempt(byHand, isConnected: false)
        }
        #expect(memory.update(from: Graph(ports: all, connections: [byHand, byRule])).isEmpty)
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])).isEmpty)
        memory.notificationTimeIsOver()
        #expect(memory.update(from: Graph(ports: all, connections: [byRule])).isEmpty)
        #expect(memory.wantedConnections == [byRule])
    }

    @Test("a renamed port of ours keeps its remembered connections")
    func renamed() {
        let memory = memory()
        memory.portRenamed(":mic", ":mic_1")
        #expect(memory.wantedConnections.contains(Pair(own: ":mic_1", other: "guest:out")))
        memory.portRenamed(":main", ":main_1")
        #expect(!memory.mayRequest(for: Pair(own: ":main_1", other: "system:playback_1")))
    }
}

/// A memory that can change inside an expectation.
private final class TestMemory {
    private var memory = ConnectionMemory()
    private var nowSeconds = 0.0

    var wantedConnections: Set<ConnectionMemory.Pair> { memory.wantedConnections }
    func portAppeared(_ port: String) { memory.portAppeared(port) }
    var dueSeconds: Double? { memory.dueSeconds }
    func notificationTimeIsOver() { nowSeconds += 2 * ConnectionMemory.notificationSeconds }
    func update(from graph: ConnectionMemory.Graph) -> [ConnectionMemory.Pair] {
        memory.update(from: graph, nowSeconds: nowSeconds)
    }
    func recordAttempt(_ pair: ConnectionMemory.Pair, isConnected: Bool) {
        memory.recordAttempt(pair, isConnected: isConnected)
    }
    func mayRequest(for pair: ConnectionMemory.Pair) -> Bool { memory.mayRequest(for: pair) }
    func reconnected(to ports: Set<String>) { memory.reconnected(to: ports) }
    func portRenamed(_ old: String, _ new: String) { memory.portRenamed(old, new) }
}
