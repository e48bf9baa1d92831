import Glibc
import Synchronization
import Testing
import TestSignals
import Platform

@Suite("Non-blocking output")
struct OutputWriterTests {
    private let folder = ScratchFolder()
    private let pipe: SmallPipe
    private let writing: Int32

    init() {
        pipe = SmallPipe(at: folder.file("pipe"))
        writing = pipe.openWriting()
    }

    private func writer(_ descriptor: Int32, capacityBytes: Int = 8192) throws -> OutputWriter {
        try #require(
            OutputWriter(descriptor, capacityBytes: capacityBytes) { lines, format in
                format == .json ? "{\"dropped\": \(lines)}" : "\(lines) dropped"
            })
    }

    private func soon(_ seconds: Double) -> UInt64 {
        UInt64((MonotonicTime.nowSeconds + seconds) * 1e9)
    }

    @Test("everything arrives in order while the output is read")
    func order() throws {
        let writer = try writer(writing, capacityBytes: 1 << 20)
        for number in 0..<1000 { writer.put("line \(number)") }
        let text = pipe.read(until: "line 999\n")
        #expect(text == (0..<1000).map { "line \($0)\n" }.joined())
        #expect(writer.flush(untilNanoseconds: soon(10)))
    }

    @Test("a pipe that is not read causes no delay, and whole lines are dropped and counted")
    func unread() throws {
        let writer = try writer(writing)
        let filler = String(repeating: "x", count: 90)
        // This returns only because the writer does not wait for the reader.
        for number in 0..<10_000 { writer.put("\(number) \(filler)") }
        #expect(!writer.flush(untilNanoseconds: soon(0.05)))
        writer.put("10000 last")
        var (next, gaps) = (0, 0)
        for line in pipe.read(until: "last\n").split(separator: "\n") {
            let words = line.split(separator: " ")
            let number = try #require(words.first.flatMap { Int($0) })
            if words.last == "dropped" {
                (next, gaps) = (next + number, gaps + 1)
            } else {
                // The missing lines are counted exactly, at the right position.
                #expect(number == next)
                #expect(words.count == 2 && (words[1] == filler || words[1] == "last"))
                next = number + 1
            }
        }
        #expect(next == 10_001)
        #expect(gaps >= 1)
    }

    @Test("dropped lines are reported in their own format")
    func formats() throws {
        let writer = try writer(writing)
        let filler = String(repeating: "x", count: 90)
        for _ in 0..<1000 {
            writer.put(filler)
            writer.put("{}", format: .json)
        }
        writer.put("last")
        let text = pipe.read(until: "last\n")
        #expect(text.contains(" dropped\n"))
        #expect(text.contains("\n{\"dropped\": "))
    }

    @Test("a terminal that is not read causes no delay")
    func unreadTerminal() throws {
        let terminal = Pseudoterminal(isFull: true)
        let writer = try writer(terminal.slave)
        for number in 0..<10_000 { writer.put("line \(number)") }
        #expect(!writer.flush(untilNanoseconds: soon(0.05)))
        writer.put("last")
        let text = terminal.read(until: "last\r\n")
        #expect(text.contains(" dropped\r\n"))
        #expect(text.hasSuffix("line 9999\r\nlast\r\n"))
    }

    @Test("a line cut off when its reader went away is ended before the next line")
    func cutOff() throws {
        signal(SIGPIPE, SIG_IGN)
        let writer = try writer(writing, capacityBytes: 1 << 20)
        writer.put(String(repeating: "x", count: 20_000))
        // The pipe is full, and the line is incomplete.
        #expect(!writer.flush(untilNanoseconds: soon(0.2)))
        pipe.withoutReader { #expect(writer.flush(untilNanoseconds: soon(10))) }
        writer.put("next")
        let text = pipe.read(until: "next\n")
        #expect(text.hasSuffix("x\n1 dropped\nnext\n"))
    }

    @Test("a descriptor in non-blocking mode loses nothing")
    func nonBlocking() throws {
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let writer = try writer(writing, capacityBytes: 1 << 20)
        for number in 0..<1000 { writer.put("line \(number)") }
        let text = pipe.read(until: "line 999\n")
        #expect(text == (0..<1000).map { "line \($0)\n" }.joined())
    }

    @Test("a footer stays below the lines, and is removed at the end")
    func footer() throws {
        let writer = try writer(writing)
        let footer = CountingFooter()
        writer.setFooter(footer)
        #expect(writer.flush(untilNanoseconds: soon(10)))
        writer.put("line")
        #expect(writer.flush(untilNanoseconds: soon(10)))
        writer.setFooter(nil)
        writer.put("last")
        #expect(pipe.read(until: "last\n") == "<1><clear>line\n<2><clear>last\n")
    }

    @Test("a footer that cannot be shown is composed only when the reader reads again")
    func unreadFooter() throws {
        let writer = try writer(writing)
        writer.put(String(repeating: "x", count: 8000))
        let footer = CountingFooter()
        writer.setFooter(footer)
        for _ in 0..<1000 { writer.refreshFooter() }
        #expect(!writer.flush(untilNanoseconds: soon(0.05)))
        #expect(footer.shownCount == 0)
        let text = pipe.read(until: "<1>")
        #expect(text.contains("x\n<1>"))
        #expect(writer.flush(untilNanoseconds: soon(10)))
        // On a busy machine, some requests reach the writer only now.
        #expect(footer.shownCount < 1000)
    }
}

/// A footer that counts how often it is shown.
private final class CountingFooter: Footer {
    private let state = Mutex((count: 0, isShown: false))

    var shownCount: Int { state.withLock(\.count) }

    func clearing() -> String {
        state.withLock { state in
            defer { state.isShown = false }
            return state.isShown ? "<clear>" : ""
        }
    }

    func showing() -> String {
        state.withLock { state in
            state = (state.count + 1, true)
            return "<\(state.count)>"
        }
    }
}
