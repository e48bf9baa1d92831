import SessionCore
import Testing

import Terminal

@Suite("The node list of the view")
struct NodeListTests {
    /// Returns loads of nodes, in percent of the period.
    private func loads(_ percents: KeyValuePairs<String, Double>) -> [SessionStatus.NodeLoad] {
        percents.map { .init(node: $0.key, mean: $0.value / 200, worst: $0.value / 100) }
    }

    @Test("has the order of the pipeline, whatever the loads are")
    func order() {
        var list = NodeList()
        for (first, second) in [(10.0, 1.0), (1, 10), (5, 5), (0, 90)] {
            list.receive(loads(["b": first, "a": second]), chosen: nil)
            #expect(list.shown.map(\.node) == ["b", "a"])
        }
        #expect(list.shown.map(\.worst) == [0, 0.9])
    }

    @Test("places a node that a status names later where it is in the pipeline")
    func late() {
        var list = NodeList()
        list.receive(loads(["a": 1, "c": 1]), chosen: nil)
        list.receive(loads(["a": 1, "b": 1, "c": 1]), chosen: nil)
        list.receive(loads(["c": 1]), chosen: nil)
        #expect(list.names == ["a", "b", "c"])
    }

    @Test("shows the five nodes with the highest load, and replaces one only for a much higher one")
    func exchange() {
        var list = NodeList()
        list.receive(
            loads(["a": 10, "b": 10, "c": 2, "d": 10, "e": 10, "f": 10]), chosen: nil)
        #expect(list.shown.map(\.node) == ["a", "b", "d", "e", "f"])
        list.receive(
            loads(["a": 10, "b": 9, "c": 12, "d": 10, "e": 10, "f": 10]), chosen: nil)
        #expect(list.shown.map(\.node) == ["a", "b", "d", "e", "f"])
        list.receive(
            loads(["a": 10, "b": 9, "c": 40, "d": 10, "e": 10, "f": 10]), chosen: nil)
        #expect(list.shown.map(\.node) == ["a", "c", "d", "e", "f"])
    }

    @Test("keeps the chosen node")
    func chosen() {
        var list = NodeList()
        list.receive(
            loads(["a": 5, "b": 10, "c": 10, "d": 10, "e": 10, "f": 1]), chosen: "a")
        for _ in 0..<3 {
            list.receive(
                loads(["a": 5, "b": 10, "c": 10, "d": 10, "e": 10, "f": 80]), chosen: "a")
            #expect(list.shown.map(\.node).contains("a"))
        }
        #expect(list.shown.map(\.node).contains("f"))
    }

    @Test("forgets nodes that no status names any more")
    func forgotten() {
        var list = NodeList()
        list.receive(loads(["a": 1, "b": 1]), chosen: nil)
        for _ in 0..<200 { list.receive(loads(["b": 1]), chosen: nil) }
        #expect(list.names == ["b"])
    }
}
