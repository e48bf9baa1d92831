import JackHost
import Pipelines
import Testing

struct RuleTests {
    @Test(
        "names are in natural order",
        arguments: [
            ("out_2", "out_10"), ("a", "b"), ("out", "out_1"), ("a2b3", "a2b10"), ("1", "a"),
        ])
    func order(first: String, second: String) {
        #expect(isInNaturalOrder(first, second))
        #expect(!isInNaturalOrder(second, first))
    }

    @Test("one pattern for two channels selects the first two matches in natural order")
    func onePattern() {
        let found = connections([.pattern("a:out_.*")], 2, ["a:out_10", "a:out_2", "a:out_1"])
        #expect(found == ["0 a:out_1", "1 a:out_2"])
    }

    @Test("with a rule for each channel, each rule applies only to its own channel")
    func ruleEach() {
        let found = connections([.port("a:l"), .pattern("b:.*")], 2, ["a:l", "b:x", "b:y", "c:z"])
        #expect(found == ["0 a:l", "1 b:x", "1 b:y"])
    }

    @Test("a single channel is connected to every match of any rule")
    func singleChannel() {
        let found = connections([.port("a:l"), .port("a:r")], 1, ["a:l", "a:r", "a:x"])
        #expect(found == ["0 a:l", "0 a:r"])
    }

    @Test("a pattern matches only whole names, and never our own ports")
    func wholeMatch() {
        #expect(connections([.pattern("out")], 1, ["a:out"]).isEmpty)
        #expect(connections([.pattern(".*")], 1, ["us:out", "a:out"]) == ["0 a:out"])
        #expect(connections([.port("us:out")], 1, ["us:out"]) == ["0 us:out"])
    }

    @Test("an invalid regular expression is named")
    func invalidPattern() {
        #expect(ConnectionRules([.pattern("(")], channels: 1).invalidPatterns == ["("])
    }

    @Test("a rule without a port is named with its place and the most similar port")
    func unmatched() {
        let rules = ConnectionRules([.port("a:left"), .port("a:rihgt")], channels: 2)
        #expect(
            rules.unmatched(among: ["a:left", "a:right"], passingOver: "us:") == [
                .init(index: 1, text: "a:rihgt", channels: [1], nearest: "a:right")
            ])
        #expect(rules.unmatched(among: ["a:left", "a:rihgt"], passingOver: "us:") == [])
    }

    @Test("a pattern without a port is named as in the file, for all of its channels")
    func unmatchedPattern() {
        let rules = ConnectionRules([.pattern("sytem:out_.*")], channels: 2)
        #expect(
            rules.unmatched(among: ["system:out_1"], passingOver: "us:") == [
                .init(
                    index: 0, text: "/sytem:out_.*/", channels: [0, 1], nearest: "system:out_1")
            ])
    }

    @Test("a pattern with too few ports leaves the last channels without one")
    func partlyMatched() {
        let rules = ConnectionRules([.pattern("a:out_.*")], channels: 3)
        #expect(
            rules.unmatched(among: ["a:out_2", "a:out_1"], passingOver: "us:") == [
                .init(
                    index: 0, text: "/a:out_.*/", channels: [2], matchesNothing: false,
                    nearest: nil)
            ])
    }

    @Test("the program's own ports are never the most similar ones")
    func ownPorts() {
        let rules = ConnectionRules([.port("us:otu")], channels: 1)
        #expect(rules.unmatched(among: ["us:out"], passingOver: "us:").map(\.nearest) == [nil])
        #expect(rules.unmatched(among: ["us:out"], passingOver: nil).map(\.nearest) == ["us:out"])
    }

    @Test("an empty rule leaves its channel alone, and the others keep their places")
    func empty() {
        #expect(
            connections([.nothing, .port("a:out_2")], 2, ["a:out_1", "a:out_2"]) == ["1 a:out_2"])
        let rules = ConnectionRules([.nothing, .port("a:out_2")], channels: 2)
        #expect(rules.unmatched(among: [], passingOver: nil).map(\.channels) == [[1]])
        #expect(ConnectionRules([.nothing], channels: 1).isEmpty)
        #expect(!rules.isEmpty)
    }

    private func connections(
        _ rules: [Pipeline.ConnectionRule], _ channels: Int, _ ports: [String]
    ) -> [String] {
        ConnectionRules(rules, channels: channels)
            .connections(among: ports, passingOver: "us:").map { "\($0.channel) \($0.port)" }
    }
}
