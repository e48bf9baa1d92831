import Glibc
import Testing
import TestSignals

extension JackTests {
    /// The real program with outputs that no process reads.
    @Suite struct UnreadOutputTests {
        private let folder = ScratchFolder()
        private let file: String

        init() { file = folder.write(StageFiles.scenes, to: "p.json") }

        @Test("an unread pipe of JSON lines stops neither control nor the end")
        func unreadResults() throws {
            let pipe = SmallPipe(at: folder.file("pipe"), isFull: true)
            let errors = folder.file("errors")
            let unread = try start("Unread JSON", ["--json"], ">\(pipe.path) 2>\(errors)")
            try unread.expectControl()
            unread.expectEnd()
            #expect(LiveProgram.text(of: errors).contains("interrupted after"))
        }

        @Test("an unread pipe for both outputs stops neither control nor the end")
        func unreadPipe() throws {
            let pipe = SmallPipe(at: folder.file("pipe"), isFull: true)
            let unread = try start("Unread pipe", ["--json"], ">\(pipe.path) 2>&1")
            try unread.expectControl()
            unread.expectEnd()
        }

        @Test("an unread terminal stops neither control nor the end, and is restored")
        func unreadTerminal() throws {
            let terminal = Pseudoterminal(isFull: true)
            let path = terminal.path
            let unread = try start("Unread tty", [], "<\(path) >\(path) 2>&1")
            try unread.expectControl()
            // The terminal view receives keys although its output is unread.
            #expect(waitUntil { terminal.echoes ? nil : true } == true)
            unread.expectEnd()
            #expect(terminal.echoes)
        }

        @Test("a reader that resumes gets whole lines and the number of missing ones")
        func readAgain() throws {
            // The program reports each change of the scene in a line of 16 KB.
            let names = ["a", "b"].map { String(repeating: $0, count: 16_000) }
            folder.write(
                StageFiles.pipeline(
                    """
                    "nodes": [{ "id": "lev", "type": "gain" }],
                    "scenes": { "\(names[0])": { "lev.gain": 0 }, "\(names[1])": { "lev.gain": -1 } }
                    """), to: "p.json")
            let pipe = SmallPipe(at: folder.file("pipe"), isFull: true)
            let unread = try start("Read again", ["--json"], ">\(pipe.path) 2>/dev/null")
            try unread.expectControl()
            let count = 24
            for place in 0..<count { try unread.control("scene", "\(1 + place % 2)") }
            // Output after the gap is as usual.
            let begin = pipe.read(until: "\"event\": \"dropped\"")
            try unread.control("panic")
            let text = begin + pipe.read(until: "\"event\": \"panic\"}\n")
            unread.expectEnd()
            let lines = text.drop { $0 != "{" }.split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("{\"event\": ") && $0.hasSuffix("}") })
            let notices = lines.filter { $0.hasPrefix("{\"event\": \"dropped\", \"lines\": ") }
            #expect(notices.count == 1)
            let dropped = notices.first.flatMap { Int($0.filter(\.isNumber)) } ?? 0
            #expect(dropped > 0)
            let scenes = lines.count { $0.hasPrefix("{\"event\": \"scene\"") }
            #expect(scenes < count)
            #expect(scenes + dropped >= count)
        }

        @Test("a library that prints into an unread pipe stops neither control nor the end")
        func libraryPrints() throws {
            let library = try Interposer(
                """
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <stdio.h>
                int jack_activate(void *client) {
                    for (int number = 0; number < 200; number++) {
                        fprintf(stderr, "error %d of a library\\n", number);
                        printf("output %d of a \\x1b[2J library\\n", number);
                    }
                    return ((int (*)(void *))dlsym(RTLD_NEXT, "jack_activate"))(client);
                }
                """, in: folder)
            let pipe = SmallPipe(at: folder.file("pipe"), isFull: true)
            let unread = try start("Library", [], ">/dev/null 2>\(pipe.path)", library.starter)
            try unread.expectControl()
            let text = pipe.read(until: "output 199 of a \\u{1b}[2J library\n")
            let lines = text.split(separator: "\n")
            let origin = "a plugin or library"
            for number in 1..<200 {
                #expect(lines.contains("\(origin): error \(number) of a library"))
                #expect(lines.contains("\(origin): output \(number) of a \\u{1b}[2J library"))
            }
            unread.expectEnd()
        }

        @Test("the last output before a crash is not lost")
        func lastWords() throws {
            let library = try Interposer(
                """
                #include <stdio.h>
                #include <stdlib.h>
                int jack_activate(void *client) {
                    fprintf(stderr, "last words\\n");
                    abort();
                }
                """, in: folder)
            let pipe = SmallPipe(at: folder.file("pipe"))
            let unread = try start("Crash", [], ">/dev/null 2>\(pipe.path)", library.starter)
            #expect(pipe.read(until: "last words\n").contains("last words\n"))
            #expect(unread.program.waitForStatus() == 128 + SIGABRT)
        }

        private func start(
            _ name: String, _ options: [String], _ redirections: String,
            _ starter: [String] = []
        ) throws -> UnreadProgram {
            let port = try freePort()
            let program = try Program(
                ["run", file, "--name", name, "--server", TestServer.shared.name, "--osc", port]
                    + options,
                by: ["sh", "-c", "exec env TERM=xterm \"$@\" \(redirections)", "sh"] + starter)
            return UnreadProgram(program: program, port: port, folder: folder)
        }

        /// Returns a UDP port that is not in use.
        private func freePort() throws -> String {
            let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            try #require(socket >= 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { place in
                place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
                }
            }
            try #require(status == 0)
            return "\(UInt16(bigEndian: address.sin_port))"
        }
    }
}

/// The program, controlled by a client although no process reads its output.
private struct UnreadProgram {
    let program: Program
    let port: String
    let folder: ScratchFolder

    /// Changes a value, and expects the change.
    func expectControl() throws {
        var answer = ""
        for _ in 0..<100 where answer != "-3" {
            usleep(50_000)
            answer = try LiveProgram.ctl(["lev.gain", "-3"], port: port, folder: folder)
        }
        #expect(answer == "-3")
        #expect(try LiveProgram.ctl(["lev.gain"], port: port, folder: folder) == "-3")
    }

    /// Sends a request through `stompline ctl`.
    func control(_ words: String...) throws {
        _ = try LiveProgram.ctl(words, port: port, folder: folder)
    }

    /// Interrupts the program, and expects it to end in order.
    func expectEnd() {
        kill(program.process, SIGINT)
        #expect(program.waitForStatus() == 0)
    }
}
