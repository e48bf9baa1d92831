import SessionCore
import SessionTexts
import Testing

struct StatusLineTests {
    private let status = SessionStatus(
        outputs: [.init(port: "main_1", peak: 0.5), .init(port: "main_2", peak: 0)],
        meanLoad: 0.125, worstLoad: 0.31, xruns: 2, latencyFrames: 33, roundTripFrames: 240,
        sampleRate: 48_000, limiterGain: 1)

    @Test("a wide terminal shows name, bars and figures")
    func wide() {
        #expect(
            StatusLine(name: "Lead voice", widthCharacters: 200).text(status)
                == "Lead voice  main_1 ▮▮▮▮▮▮▮▮▮▯   -6.0  main_2 ▯▯▯▯▯▯▯▯▯▯ -160.0  "
                + "load 13, worst 31 %  xruns 2  5.0 ms")
    }

    @Test("a narrow one leaves the name out, then the bars")
    func narrow() {
        #expect(
            StatusLine(name: "Lead voice", widthCharacters: 80).text(status)
                == "main_1 ▮▮▮▮   -6.0  main_2 ▯▯▯▯ -160.0  load 13, worst 31 %  xruns 2  5.0 ms")
        #expect(
            StatusLine(name: "Lead voice", widthCharacters: 75).text(status)
                == "main_1    -6.0  main_2  -160.0  load 13, worst 31 %  xruns 2  5.0 ms")
    }

    @Test("no line is as wide as its terminal", arguments: [1, 2, 20, 79, 80, 81, 100, 120, 200])
    func width(characters: Int) {
        let line = StatusLine(name: "Lead voice", widthCharacters: characters).text(status)
        #expect(line.count <= max(1, characters - 1))
    }

    @Test("a limiter at work is shown")
    func limiter() {
        var limited = status
        limited.limiterGain = 0.5
        #expect(
            StatusLine(name: "x", widthCharacters: 200).text(limited).hasSuffix("limiter -6.0 dB"))
    }

    @Test("the load of each core is shown if several run the nodes")
    func cores() {
        var shared = status
        shared.coreLoads = [0.4, 0.0625]
        #expect(
            StatusLine(name: "x", widthCharacters: 200).text(shared)
                .hasSuffix("load 13, worst 31 %  cores 40  6 %  xruns 2  5.0 ms"))
    }

    @Test(
        "levels and loads without sense are shown too", arguments: [Double.nan, .infinity, 1e300])
    func extremes(number: Double) {
        var odd = status
        odd.outputs = [.init(port: "main_1", peak: number)]
        (odd.meanLoad, odd.worstLoad) = (number, number)
        let line = StatusLine(name: "Lead voice", widthCharacters: 200).text(odd)
        #expect(line.hasPrefix("Lead voice  main_1 "))
    }
}
