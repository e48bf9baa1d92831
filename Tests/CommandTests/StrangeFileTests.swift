import Glibc
import Testing
import TestSignals

/// Paths to objects that are not regular files: to open or read one may block or never end.
@Suite("Paths that are not regular files")
struct StrangeFileTests {
    private let program = Program()

    init() throws {
        program.write(
            """
            "inputs": { "mic": {}, "keys": { "kind": "midi" } }, "outputs": { "main": {} }, \
            "nodes": [{ "id": "g", "type": "gain", "from": "mic" }]
            """)
        try program.write([[0.1, 0.2, 0.3]], to: "mic.wav")
        mkfifo(program.folder.file("pipe"), 0o600)
        mkfifo(program.folder.file("pipe.mid"), 0o600)
        mkdir(program.folder.file("folder"), 0o700)
    }

    @Test(
        "check refuses a device, a folder, and a pipe without a writer",
        arguments: ["/dev/zero", "/dev/null", "/dev/full", "/dev/tty", "folder", "pipe"])
    func check(path: String) {
        let outcome = program("check", path)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("cannot be read"))
    }

    @Test(
        "replay refuses a file, and names the command that unpacks a packed box",
        arguments: [("report.tar", "tar -xf report.tar"), ("box.json", "name the folder")])
    func replay(path: String, remedy: String) {
        program.folder.write("box", to: path)
        let outcome = program("replay", path)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains(remedy), "\(outcome.errors)")
    }

    @Test("check reads a pipeline through a pipe")
    func pipe() {
        let checked = program.other(
            "-C", program.folder.path, "sh", "-c",
            "(sleep 0.3; cat p.json) | '\(Program.path)' check /dev/stdin >/dev/null")
        #expect(checked)
    }

    @Test(
        "a setlist's song that is a device or a pipe without a writer is refused",
        arguments: ["/dev/zero", "pipe"])
    func song(path: String) {
        program.folder.write(
            #"{ "version": 1, "setlist": "s", "songs": [{ "pipeline": "\#(path)" }] }"#,
            to: "s.json")
        let outcome = program("check", "s.json")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("cannot be read"))
    }

    @Test(
        "render refuses inputs that are not regular files",
        arguments: ["/dev/zero", "folder", "pipe", "/dev/full", "pipe.mid"])
    func input(path: String) {
        let outcome = program("render", "p.json", "--input", path, "--output", "o.wav")
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains(path))
    }

    @Test(
        "render refuses outputs that would wait for a reader, and folders",
        arguments: ["pipe", "folder"])
    func output(path: String) {
        let outcome = program("render", "p.json", "--input", "mic.wav", "--output", path)
        #expect(outcome.status == 74)
        #expect(
            outcome.errors.contains(path == "folder" ? "it is a folder" : "a pipe without a reader")
        )
    }

    @Test(
        "a player refuses paths that are not regular files",
        arguments: ["/dev/zero", "/proc/kmsg", "/proc/self/mem", "folder", "pipe", "empty.wav"])
    func player(path: String) {
        program.folder.write("", to: "empty.wav")
        program.write(
            #""inputs": {}, "nodes": [{ "id": "t", "type": "player", "settings": { "file": "\#(path)" } }]"#,
            to: "t.json")
        let outcome = program("check", "t.json", "--allow-outside")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(path))
    }

    @Test("a file that grows during playback ends at the length it had when it was opened")
    func growing() throws {
        let noise = whiteNoise(amplitude: 0.4, frames: 480_000)
        try program.write([noise], to: "take.wav")
        program.write(
            #""inputs": {}, "outputs": { "main": { "limiter": false } }, "nodes": [{ "id": "t", "type": "player", "settings": { "file": "take.wav" } }]"#,
            to: "t.json")
        #expect(
            program.other(
                "-C", program.folder.path, "sh", "-c",
                "(for i in 1 2 3 4 5 6 7 8; do head -c 40000 /dev/zero >> take.wav; done) & '\(Program.path)' render t.json --output o.wav; e=$?; wait; exit $e"
            ))
        #expect(try program.sound("o.wav").map(\.count) == [480_000])
    }
}
