import SessionCore
import Testing

import Control

@Suite("subscriptions")
struct SubscriptionTests {
    @Test("a subscriber receives changes by other clients, for the path and below")
    func changes() throws {
        let session = try ServedSession()
        let confirmed = try session.answers(.init("/subscribe", .text("/verb")))
        #expect(
            confirmed.first?.path == "/subscribed"
                && confirmed.first?.arguments.first == .text("/verb"))
        let other = try OSCCaller(to: session.server.endpoint)
        _ = other.ask(
            [.init("/blend/dry/gain", .float(1)), .init("/verb/mix", .float(0.75))],
            timeoutSeconds: 20)
        #expect(try session.next { _ in true } == .init("/verb/mix", .float(0.75)))
    }

    @Test("only subscribers to meters receive levels, load and pitch")
    func meters() throws {
        let session = try ServedSession()
        _ = try session.answers(.init("/meters"))
        session.server.receive(.valueChanged(.init("verb.mix", .number(1))))
        session.server.receive(.level(port: "main_1", peak: -3, rms: -12))
        session.server.receive(.load(mean: 0.25, worst: 0.5, xruns: 2))
        session.server.receive(.pitch(hertz: 440))
        var heard: [OSCMessage] = []
        while heard.count < 3 {
            heard.append(contentsOf: try #require(session.caller.next(withinSeconds: 20)))
        }
        #expect(
            heard == [
                .init("/level", .text("main_1"), .float(-3), .float(-12)),
                .init("/load", .float(0.25), .float(0.5), .integer(2)),
                .init("/pitch", .float(440)),
            ])
    }

    @Test("a subscription with a path delivers reports, and one without a path only values")
    func reports() throws {
        var subscribers = Subscribers()
        let (one, all) = (Endpoint.loopback(port: 1), Endpoint.loopback(port: 2))
        try subscribers.add(Subscription([.text("/tape")], nowSeconds: 0), of: one)
        try subscribers.add(Subscription([], nowSeconds: 0), of: all)
        subscribers.put(.reportChanged(NodeReport("tape.recorded", .number(1.5), unit: "s")))
        subscribers.put(.reportChanged(NodeReport("tape.file", .text("/takes/one.wav"))))
        subscribers.put(.reportChanged(NodeReport("tape.state", nil)))
        subscribers.put(.reportChanged(NodeReport("other.peak", .number(0))))
        let due = subscribers.due(nowSeconds: 0)
        #expect(due.count == 1)
        #expect(due.first?.endpoint == one)
        #expect(
            due.first?.messages == [
                OSCMessage("/tape/recorded", .float(1.5)),
                OSCMessage("/tape/file", .text("/takes/one.wav")),
            ])
        subscribers.put(.valueChanged(.init("tape.recording", .toggle(true))))
        let values = subscribers.due(nowSeconds: 1)
        #expect(values.count == 2)
    }

    @Test("at the subscribed rate, only the newest of many values is sent, and none too early")
    func rate() throws {
        var subscriber = Subscriber()
        let subscription = try Subscription(
            [.text("/verb/*"), .integer(60), .integer(10)], nowSeconds: 0)
        let hasRoom = subscriber.add(subscription)
        #expect(hasRoom)
        func put(_ number: Int32) {
            subscriber.put(.init("/verb/mix", .integer(number)), key: "/verb/mix", topic: .values)
        }
        put(1)
        let first = subscriber.due(nowSeconds: 0)
        #expect(first == [OSCMessage("/verb/mix", .integer(1))])
        for number in 2...9 { put(Int32(number)) }
        let early = subscriber.due(nowSeconds: 0.09)
        #expect(early.isEmpty)
        #expect(subscriber.hasWaiting)
        let second = subscriber.due(nowSeconds: 0.11)
        #expect(second == [OSCMessage("/verb/mix", .integer(9))])
        #expect(!subscriber.hasWaiting)
    }

    @Test("the sender of a value gets an echo only if the session changed the value")
    func ownChanges() throws {
        var subscriber = Subscriber()
        _ = subscriber.add(try Subscription([], nowSeconds: 0))
        func put(_ number: Int32) {
            subscriber.put(.init("/verb/mix", .integer(number)), key: "/verb/mix", topic: .values)
        }
        for (number, seconds) in [(Int32(1), 0.0), (2, 0.1), (3, 0.2)] {
            subscriber.note(.init("/verb/mix", .integer(number)), nowSeconds: seconds)
            put(number)
            let early = subscriber.due(nowSeconds: seconds + 0.05)
            #expect(early.isEmpty)
        }
        let same = subscriber.due(nowSeconds: 0.5)
        #expect(same.isEmpty)
        put(4)
        put(3)
        let again = subscriber.due(nowSeconds: 0.6)
        #expect(again == [OSCMessage("/verb/mix", .integer(3))])
        subscriber.note(.init("/verb/mix", .integer(9)), nowSeconds: 1)
        put(5)
        let other = subscriber.due(nowSeconds: 1.3)
        #expect(other == [OSCMessage("/verb/mix", .integer(5))])
    }

    @Test("a subscription ends when it is not renewed")
    func expiry() throws {
        var subscribers = Subscribers()
        let one = Endpoint.loopback(port: 1)
        try subscribers.add(Subscription([.integer(5)], nowSeconds: 0), of: one)
        subscribers.expire(nowSeconds: 4)
        try subscribers.add(Subscription([.integer(5)], nowSeconds: 4), of: one)
        subscribers.expire(nowSeconds: 8)
        #expect(!subscribers.isEmpty)
        subscribers.expire(nowSeconds: 9)
        #expect(subscribers.isEmpty)
    }

    @Test("a client receives nothing after it unsubscribes")
    func unsubscribe() throws {
        let session = try ServedSession()
        _ = try session.answers(.init("/subscribe"), .init("/unsubscribe"))
        #expect(try session.answers(.init("/verb/mix", .float(0.5))).isEmpty)
        #expect(try session.answers(.init("/mute")).count == 1)
    }

    @Test("there is room for 32 subscribers, each with 16 patterns")
    func room() throws {
        var subscribers = Subscribers()
        for port in 1...UInt16(Subscribers.maximumCount) {
            try subscribers.add(Subscription([], nowSeconds: 0), of: .loopback(port: port))
        }
        #expect(throws: Subscription.Refusal.self) {
            try subscribers.add(Subscription([], nowSeconds: 0), of: .loopback(port: 999))
        }
        for number in 1..<Subscriber.maximumSubscriptions {
            let subscription = try Subscription([.text("/\(number)")], nowSeconds: 0)
            try subscribers.add(subscription, of: .loopback(port: 1))
        }
        #expect(throws: Subscription.Refusal.self) {
            try subscribers.add(Subscription([.text("/x")], nowSeconds: 0), of: .loopback(port: 1))
        }
    }

    @Test("nonsensical arguments are refused")
    func refused() throws {
        let session = try ServedSession()
        for arguments: [OSCMessage.Argument] in [
            [.text("verb")], [.text("/verb"), .text("long")], [.integer(-1)],
            [.integer(1), .integer(1), .integer(1)],
        ] {
            #expect(try session.answers(.init("/subscribe", arguments)).first?.path == "/error")
        }
    }
}
