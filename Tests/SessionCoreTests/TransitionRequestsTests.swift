import Pipelines
import SessionCore
import Testing

@Suite("Requests for transitions")
struct TransitionRequestsTests {
    private var requests = TransitionRequests()
    private let edited: Pipeline
    private let values: ParameterValues

    init() throws {
        edited = try Stage.song("\"nodes\": [ { \"id\": \"n\", \"type\": \"gain\" } ]", name: "x")
            .pipeline
        values = LiveValues(atStartOf: edited).snapshot
    }

    @Test("are none at first")
    func none() { #expect(requests.mostUrgent == nil) }

    @Test("are ordered: new processors, a song, an edit, alignment, removed nodes")
    mutating func order() {
        requests.setSettlement(true)
        #expect(requests.mostUrgent == .settlement)
        requests.requestRealignment()
        #expect(requests.mostUrgent == .realignment)
        requests.request(edited, values: values)
        #expect(requests.mostUrgent == .edit(edited))
        requests.request(song: 2)
        #expect(requests.mostUrgent == .song(2))
        requests.requestRestart()
        #expect(requests.mostUrgent == .restart)
    }

    @Test("for the former song end when another song begins")
    mutating func song() {
        requests.request(edited, values: values)
        requests.requestRealignment()
        requests.request(song: 1)
        requests.withdraw(song: 2)
        #expect(requests.song == 1)
        requests.finishSong()
        #expect(requests.mostUrgent == nil)
    }

    @Test("for an edit do not replace a newer one")
    mutating func retry() throws {
        let newer = try Stage.song("\"nodes\": []", name: "x").pipeline
        requests.retry(newer)
        requests.retry(edited)
        requests.retry(nil)
        #expect(requests.edit == newer)
        requests.beginEdit()
        #expect(requests.mostUrgent == nil)
    }

    @Test("for new processors include the requested edit")
    mutating func restart() {
        requests.request(edited, values: values)
        requests.requestRestart()
        let pipelines = [requests.beginRestart(), requests.beginRestart()]
        #expect(pipelines == [edited, nil])
        #expect(requests.mostUrgent == nil)
    }

    @Test("for new processors follow the silence of a panic, and no other silence")
    mutating func panic() {
        requests.noteSilence()
        #expect(requests.mostUrgent == nil && !requests.isPanicking)
        requests.beginPanic()
        #expect(requests.mostUrgent == nil && !requests.isSilent)
        requests.noteSilence()
        #expect(requests.mostUrgent == .restart && requests.isSilent)
        let hasEnded = [requests.endPanic(), requests.endPanic()]
        #expect(hasEnded == [true, false])
    }
}
