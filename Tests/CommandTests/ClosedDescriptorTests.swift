import Testing
import TestSignals

@Suite("Commands with standard descriptors closed")
struct ClosedDescriptorTests {
    private var program = Program()

    private static let redirections = [
        "<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-",
    ]

    init() throws {
        program.write(
            """
            "inputs": { "mic": { "channels": 1 } },
            "outputs": { "main": { "channels": 1, "limiter": false } },
            "nodes": [
              { "id": "tape", "type": "recorder", "settings": { "file": "take.wav", "bits": 32 },
                "parameters": { "recording": true } }
            ]
            """)
        try program.write([whiteNoise(amplitude: 0.4, frames: 10_000)], to: "mic.wav")
    }

    @Test("render writes sound only into its own files", arguments: redirections)
    func render(redirections: String) throws {
        var program = program
        program.starter = ["sh", "-c", "exec \"$0\" \"$@\" \(redirections)"]
        let outcome = program("render", "p.json", "--input", "mic.wav", "--output", "out.wav")
        #expect(outcome.status == 0)
        let sound = try program.sound("mic.wav")
        #expect(try program.sound("out.wav") == sound)
        #expect(try program.sound("take.wav") == sound)
    }

    @Test("a result without an open standard output is a failed write")
    func result() {
        var program = program
        program.starter = ["sh", "-c", "exec \"$0\" \"$@\" >&-"]
        let outcome = program("schema")
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("cannot write to standard output"))
    }

    @Test("plugins are probed with standard input and error closed")
    func probe() {
        var program = program
        let wanted = program("plugins")
        program.starter = ["sh", "-c", "exec \"$0\" \"$@\" <&- 2>&-"]
        let outcome = program("plugins")
        #expect(outcome.status == wanted.status)
        #expect(outcome.output == wanted.output)
    }
}
