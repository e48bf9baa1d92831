import Engine
import Pipelines
import Processing
import SessionCore
import SessionTexts
import Testing

@Suite("the reference of events")
struct EventReferenceTests {
    /// Events of other parts of the program, which make their objects from the reference.
    private static let others: Set<EventName> = [
        .dropped, .bridge, .follow, .oscRefused, .httpStarted, .httpCode, .httpCodeDied,
        .httpPaired, .httpAccessFailed, .httpRefused,
    ]

    private static let incidents: [Incident] = [
        .lost(reason: ""), .away, .back, .abandoned(reason: ""), .stateNotKept(reason: ""),
        .callRefused(name: ""), .fileRefused(access: .read, path: ""),
        .sandboxIncomplete(reason: ""), .stopped(periods: 1), .wroteBeyond, .stuck(seconds: 1),
        .title(""), .buffering(0), .playing, .reconnecting(attempt: 1, reason: ""), .ended,
        .silenced(reason: ""), .starved(frames: 1), .takeStarted(path: ""),
        .takeFinished(path: "", seconds: 1, peak: 0),
        .takeClipped(path: "", samples: 1, firstSeconds: 1, peak: 1),
        .takeStopped(path: "", reason: "", readableSeconds: 0), .takeRefused(reason: ""),
    ]

    private static var edits: [SessionEvent] {
        let kinds: [FileEdit.Kind] = [
            .saved(scene: nil), .saved(scene: "s"), .edited, .undone, .redone,
        ]
        return kinds.map { .fileEdited(FileEdit($0, path: "", values: [])) }
    }

    private static var samples: [SessionEvent] {
        let trigger = LearnedTrigger(trigger: .bend, channel: nil, port: nil)
        return [
            .started(
                SessionStart(
                    clientName: "", pipelineName: "", sampleRate: 1, blockFrames: 1,
                    latencyFrames: 0, startupSeconds: 0)),
            .status(
                SessionStatus(
                    outputs: [], meanLoad: 0, worstLoad: 0, xruns: 0, latencyFrames: 0,
                    roundTripFrames: 0, sampleRate: 1, limiterGain: 1)),
            .ended(
                SessionSummary(
                    reason: .requested, seconds: 0, xruns: 0, overrunCycles: 0, peak: 0,
                    worstLoad: 0)),
            .song(number: 1, name: ""), .songSkipped(name: "", reason: ""), .problems([]),
            .scene(name: ""), .cue(CueState()), .reloaded(pipeline: ""),
            .preparationFailed(message: ""), .switched(clientName: "", pipelineName: ""), .panic,
            .learned(address: "", trigger, path: ""), .historyChanged(.init()),
            .fileEditRefused(reason: ""), .compared(.live), .nonFinite(node: ""),
            .overrun(
                node: "",
                Overrun(periods: 1, nodePeriods: 1, playingPeriods: 1, ringingPeriods: 0)),
            .reduced(NodeReduction(node: "", reason: .late, load: 1)),
            .restored(NodeReduction(node: "", reason: .calm, load: 1)),
            .messagesDropped(node: "", count: 1), .boxKept(path: "", reason: ""),
            .boxNotKept(reason: ""),
            .latencyChanged(node: "", nodeFrames: 0, latencyFrames: 0),
            .serverStarted(command: ""), .nameChanged(requested: "", assigned: ""),
            .nameTaken(requested: "", assigned: ""), .serverLost(reason: ""), .jackHangs,
            .serverBack(clientName: "", sampleRate: 1, blockFrames: 1),
            .formatChanged(sampleRate: 1, blockFrames: 1, latencyFrames: 0), .timebase(.master),
            .xruns(
                XrunReport(
                    count: 1, longestMilliseconds: nil, firstSeconds: 0, lastSeconds: 0)),
            .connections(SessionConnections(ports: [], changed: [])),
            .connectionRefused(own: "", other: ""), .portRefused(name: ""), .invalidPattern(""),
            .memoryNotLocked(lockedBytes: 0, unlockedBytes: 0, limitBytes: 0), .coresNotUsed,
            .freewheel(isOn: true),
        ] + incidents.map { .incident(node: "", plugin: "", $0) } + edits
    }

    @Test("contains every member of every event of a session, in the same order")
    func members() throws {
        var found: Set<EventName> = []
        for event in Self.samples {
            guard case .object(let members)? = EventJSON.object(for: event),
                case .string(let text)? = members.first?.value,
                let name = EventName(rawValue: text)
            else {
                Issue.record("\(event) has no object with a name")
                continue
            }
            found.insert(name)
            let keys = members.dropFirst().map(\.key)
            let described = name.members.filter { !$0.isOptional || keys.contains($0.name) }
            #expect(keys == described.map(\.name), "\(text)")
        }
        #expect(found.union(Self.others) == Set(EventName.allCases))
        #expect(found.isDisjoint(with: Self.others))
    }

    @Test("an object that is made from it lacks members without a value")
    func made() {
        let object = EventName.follow.object(
            .string("osc://a:1"), .string("lost"), nil, .string("x"))
        #expect(
            object.text
                == #"{"event": "follow", "leader": "osc://a:1", "state": "lost", "reason": "x"}"#)
    }

    @Test("says when each event is sent, once for each name")
    func meanings() {
        #expect(EventDescription.all.map(\.name) == EventName.allCases)
        for each in EventDescription.all {
            #expect(!each.meaning.isEmpty && !each.meaning.hasSuffix("."))
            let names = each.members.map(\.name)
            #expect(Set(names).count == names.count && !names.contains("event"))
        }
    }
}
