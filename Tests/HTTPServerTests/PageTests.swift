import Glibc
import HTTPServer
import Pipelines
import SessionCore
import Synchronization
import TestPages
import Testing

/// Pages on real sockets, connected to a real session.
@Suite struct PageTests {
    @Test("a page first gets a snapshot with everything")
    func snapshot() throws {
        let served = try ServedPage()
        let page = try served.page()
        #expect(page.revision >= 1)
        #expect(page.values["song"]?.string == "one")
        #expect(page.values["warm.gain"]?.number == 0)
        #expect(page.reports["level.peak"] != nil || !page.reports.isEmpty)
        #expect(page.parts["protocol"]?.number == 1)
        #expect(page.parts["version"]?.string == "1.2.3")
        let overview = try #require(page.parts["overview"])
        #expect(overview["songs"]?.elements.map { $0["name"]?.string } == ["one", "two"])
        #expect(overview["songs"]?.elements[1]["notes"]?.string == "capo 2")
        #expect(overview["scenes"]?.elements.map { $0["name"]?.string } == ["soft", "loud"])
        let ports = page.parts["meters"]?.elements.map { $0["port"]?.string }
        #expect(ports == ["mic", "line_1", "line_2", "out_1", "out_2"])
        let addresses = page.parts["pipeline"]?["parameters"]?.elements.compactMap {
            $0["address"]?.string
        }
        let settable = Set(page.values.keys.filter { $0.contains(".") })
        #expect(Set(addresses ?? []) == settable.union(["tempo", "gain", "mute"]))
    }

    @Test("an event remains newer than the description that arrives together with it")
    func lateEvent() throws {
        let control = try EventAfterDescription(
            .historyChanged(SessionFiles.History(undo: nil, redo: "add Gain")))
        let server = try PageServer(
            at: ListenAddress(host: "127.0.0.1", port: 0), access: AccessOptions(),
            control: control, version: "1.2.3", limits: ServerLimits(), drawing: { _ in "" },
            services: PageServices()
        ) { _ in }
        control.watch { [weak server] in server?.receive($0) }
        let page = try #require(PageVisitor(port: server.address.port))
        _ = try #require(page.next("snapshot"))
        #expect(page.parts["history"]?["redo"]?.string == "add Gain")
    }

    @Test("two pages and another program converge, and revisions only grow")
    func convergence() throws {
        let served = try ServedPage()
        let (first, second) = (try served.page(), try served.page())
        for step in 1...20 {
            let page = step.isMultiple(of: 2) ? first : second
            #expect(page.set("warm.gain", "\(-step)") == "done")
        }
        served.session.set("desk.mic.gain", -7)
        served.session.perform(.set("mute", .toggle(true)))
        for page in [first, second] {
            let converges = page.waits {
                $0.values["warm.gain"]?.number == -20 && $0.values["desk.mic.gain"]?.number == -7
                    && $0.values["mute"]?.bool == true
            }
            #expect(converges)
            #expect(page.areRevisionsOrdered)
        }
    }

    @Test("the change of a page arrives before the answer to its request")
    func order() throws {
        let served = try ServedPage()
        let page = try served.page()
        for step in 1...20 {
            #expect(page.set("warm.gain", "\(-step)") == "done")
            #expect(page.values["warm.gain"]?.number == Double(-step))
        }
    }

    @Test("of many changes, only the newest ones arrive")
    func newestWins() throws {
        let served = try ServedPage()
        let page = try served.page()
        let count = 5_000
        for step in 1...count { served.session.set("warm.gain", -Double(step) / 100) }
        #expect(page.waits { $0.values["warm.gain"]?.number == -50 })
        #expect(page.changeCount < count / 4)
    }

    @Test("a client that receives nothing costs nothing, and later gets the newest values")
    func slowClient() throws {
        let served = try ServedPage { $0.writeSeconds = 600 }
        let slow = try #require(PageVisitor(port: served.port, receiveBytes: 4_096))
        let quick = try served.page()
        slow.send("\"request\": \"watch\", \"meters\": 30")
        _ = quick.ask("\"request\": \"ping\"")
        // Events are not merged, so the slow client's connection fills up.
        let message = String(repeating: "x", count: 4_000)
        for step in 0..<3_000 {
            served.session.publish(.preparationFailed(message: message))
            served.session.set("warm.gain", -Double(step % 50))
            // The answer of the session comes after the events before it.
            if step.isMultiple(of: 50) {
                #expect(quick.ask("\"request\": \"get\", \"address\": \"mute\"") != nil)
            }
        }
        served.session.set("warm.gain", -55.5)
        #expect(quick.waits { $0.values["warm.gain"]?.number == -55.5 })
        #expect(quick.droppedCount == 0)
        #expect(slow.waits { $0.values["warm.gain"]?.number == -55.5 })
        // 12 MB were published; the system's buffers and ours hold a part of them.
        #expect(slow.waits { $0.droppedCount > 0 })
        #expect(slow.visitor.receivedCount < 10_000_000)
        #expect(served.refusedCount(.tooSlow) == 0)
    }

    @Test("a client that receives nothing for too long is closed")
    func stuckClient() throws {
        let served = try ServedPage { $0.writeSeconds = 0.2 }
        let stuck = try #require(PageVisitor(port: served.port, receiveBytes: 4_096))
        let name = String(repeating: "x", count: 60_000)
        var step = 0
        let isClosed = waitUntil {
            step += 1
            let port = SessionConnections.Port(name: "\(step)\(name)", isInput: true)
            served.session.publish(.connections(.init(ports: [port], changed: [])))
            return served.refusedCount(.tooSlow) > 0
        }
        #expect(isClosed)
        #expect(stuck.visitor.waitsForClose())
    }

    @Test("another song brings a new snapshot, and makes older requests stale")
    func songs() throws {
        let served = try ServedPage()
        let page = try served.page()
        let seen = page.revision
        let asleep = try served.page()
        let id = page.send(
            "\"request\": \"perform\", \"action\": \"next-song\", \"revision\": \(seen)")
        #expect(page.waits { $0.parts["overview"]?["song"]?.number == 2 })
        #expect(asleep.set("warm.gain", "-1", revision: seen) == "stale")
        #expect(page.values["song"]?.string == "two")
        #expect(
            served.session.perform(.get("warm.gain")) == .values([.init("warm.gain", .number(0))]))
        #expect(asleep.waits { $0.parts["overview"]?["song"]?.number == 2 })
        #expect(asleep.set("warm.gain", "-1") == "done")
        _ = id
    }

    @Test("a page that slept overwrites nothing and does not change the song, scene or cue")
    func stalePage() throws {
        let served = try ServedPage()
        let page = try served.page()
        let seen = page.revision
        served.session.set("warm.gain", -30)
        served.session.perform(.set("scene", .text("soft")))
        #expect(page.waits { $0.values["scene"]?.string == "soft" })
        // A page may not know of a change that is younger than half a second.
        usleep(600_000)
        #expect(page.set("warm.gain", "0", revision: seen) == "stale")
        let step = "\"request\": \"perform\", \"action\": \"next-scene\""
        #expect(
            waitUntil {
                page.ask("\(step), \"revision\": \(seen)")?["answer"]?.string == "stale"
            })
        #expect(
            page.ask("\"request\": \"perform\", \"action\": \"panic\"")?["answer"]?.string == "done"
        )
        // A page that has seen the changes acts.
        #expect(page.set("warm.gain", "-2") == "done")
    }

    @Test("requests without a revision, or with other mistakes, change nothing")
    func invalidRequests() throws {
        let served = try ServedPage()
        let page = try served.page()
        for members in [
            "\"request\": \"set\", \"address\": \"warm.gain\", \"value\": 1",
            "\"request\": \"set\", \"address\": \"warm.gain\", \"value\": null, \"revision\": 1",
            "\"request\": \"set\", \"address\": 3, \"value\": 1, \"revision\": 1",
            "\"request\": \"set\", \"address\": \"next-song\", \"value\": 1, \"revision\": 1",
            "\"request\": \"fade\", \"address\": \"warm.gain\", \"value\": 1, \"revision\": 1",
            "\"request\": \"perform\", \"action\": \"next-song\"",
            "\"request\": \"perform\", \"action\": \"nothing\", \"revision\": 1",
            "\"request\": \"watch\", \"meters\": 31", "\"request\": \"watch\", \"meters\": -1",
            "\"request\": \"watch\", \"meters\": 1.5", "\"request\": \"key\"",
            "\"request\": \"key\", \"key\": \"space\"", "\"request\": \"get\"",
            "\"request\": \"get\", \"address\": \"nothing.at.all\"", "\"request\": \"nothing\"",
            "\"request\": 7", "\"other\": 1",
        ] {
            let answer = try #require(page.ask(members), "\(members)")
            #expect(answer["answer"]?.string == "refused", "\(members)")
            #expect(answer["message"]?.string?.isEmpty == false)
        }
        #expect(page.values["warm.gain"]?.number == 0)
    }

    @Test("values are read, faded and asked for, and a snapshot comes before its answer")
    func requests() throws {
        let served = try ServedPage()
        let page = try served.page()
        let value = page.ask("\"request\": \"get\", \"address\": \"warm.gain\"")
        #expect(value?["values"]?["warm.gain"]?.number == 0)
        let fade = page.ask(
            "\"request\": \"fade\", \"address\": \"warm.gain\", \"value\": -20, \"seconds\": 0.01, \"revision\": \(page.revision)"
        )
        #expect(fade?["answer"]?.string == "done")
        #expect(page.waits { $0.values["warm.gain"]?.number == -20 })
        let id = page.send("\"request\": \"snapshot\"")
        #expect(page.next("snapshot") != nil)
        #expect(page.answer(to: id)?["answer"]?.string == "done")
    }

    @Test(
        "events arrive in order with their objects of run --json, and new pages get the last ones")
    func events() throws {
        let served = try ServedPage()
        let page = try served.page()
        served.session.publish(.panic)
        served.session.publish(.songSkipped(name: "three", reason: "no file"))
        let panic = try #require(page.next("event"))
        #expect(panic["event"]?["event"]?.string == "panic")
        #expect(panic["time"]?.number.map { $0 > 1_700_000_000 } == true)
        let skipped = try #require(page.next { $0["event"]?["event"]?.string == "song_skipped" })
        #expect(skipped["event"]?["reason"]?.string == "no file")
        let later = try served.page()
        let kept = later.parts["events"]?.elements.compactMap { $0["event"]?["event"]?.string }
        #expect(kept?.suffix(2) == ["panic", "song_skipped"])
    }

    @Test("a lost and returned JACK server is shown to pages, which stay connected")
    func lostServer() throws {
        let served = try ServedPage()
        let page = try served.page()
        #expect(page.parts["session"]?["server"]?.string == "starting")
        served.session.publish(.serverLost(reason: "killed"))
        #expect(page.waits { $0.parts["session"]?["server"]?.string == "lost" })
        served.session.publish(
            .serverBack(clientName: "night", sampleRate: 44_100, blockFrames: 128))
        #expect(page.waits { $0.parts["session"]?["server"]?.string == "running" })
        #expect(page.parts["session"]?["sample_rate"]?.number == 44_100)
        #expect(page.set("warm.gain", "-3") == "done")
    }

    @Test("the end of the server is announced with code 1001")
    func end() throws {
        var served: ServedPage? = try ServedPage()
        let page = try #require(served).page()
        served = nil
        #expect(page.waitForClose() == 1001)
    }
}

/// A session that publishes an event right after each description of itself, before the server can
/// receive either.
private final class EventAfterDescription: SessionControl {
    private let session: PlayingSession
    private let event: SessionEvent
    private let watcher = Mutex<(@Sendable (SessionEvent) -> Void)?>(nil)

    init(_ event: SessionEvent) throws {
        session = try PlayingSession()
        self.event = event
    }

    func ask(_ request: SessionRequest, answer: @escaping @Sendable (Answer) -> Void) {
        guard case .describe = request else { return session.ask(request, answer: answer) }
        // The server asks on its own thread, which receives both afterwards.
        answer(session.perform(.describe))
        watcher.withLock { $0 }?(event)
    }

    func watch(_ watcher: (@Sendable (SessionEvent) -> Void)?) {
        self.watcher.withLock { $0 = watcher }
        session.watch(watcher)
    }
}
