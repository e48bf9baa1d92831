import Control
import Glibc
import Testing
import TestSignals

@Suite("a watch on files")
struct FileWatchTests {
    private let folder = ScratchFolder()
    private let news = News()

    /// Returns a watch on files of the folder, each with the contents "one".
    private func watch(_ names: String...) -> FileWatch {
        let watch = FileWatch(news.put)
        watch.watch(names.map { name in folder.write("one", to: name) })
        return watch
    }

    @Test("a file that is written in place is reported once")
    func inPlace() {
        let watch = watch("a.json")
        folder.write("two", to: "a.json")
        #expect(news.next() == folder.file("a.json"))
        #expect(rest(watch) == [])
    }

    @Test("a file that replaces the old one is reported each time")
    func replaced() {
        let watch = watch("a.json")
        for text in ["two", "three", "four"] {
            rename(folder.write(text, to: "a.json.tmp"), folder.file("a.json"))
            #expect(news.next() == folder.file("a.json"))
        }
        #expect(rest(watch) == [])
    }

    @Test("a text that is closed after each piece is reported once, when it is whole")
    func pieces() {
        let watch = watch("a.json")
        let text = #"{ "version": 1, "nodes": [] }"#
        for count in [1, 10, 20, text.count] {
            folder.write(String(text.prefix(count)), to: "a.json")
            usleep(10_000)
        }
        #expect(news.next() == folder.file("a.json"))
        #expect(rest(watch) == [])
    }

    @Test("an editor that first moves the old file away makes no difference")
    func backup() {
        let watch = watch("a.json")
        rename(folder.file("a.json"), folder.file("a.json~"))
        folder.write("two", to: "a.json")
        #expect(news.next() == folder.file("a.json"))
        #expect(rest(watch) == [])
    }

    @Test("a file that is touched, or rewritten unchanged, is not reported")
    func touched() {
        let watch = watch("a.json")
        utimensat(AT_FDCWD, folder.file("a.json"), nil, 0)
        folder.write("one", to: "a.json")
        rename(folder.write("one", to: "b"), folder.file("a.json"))
        #expect(rest(watch) == [])
    }

    @Test("a missing file is reported only after it returns with other contents")
    func away() {
        let watch = watch("a.json")
        unlink(folder.file("a.json"))
        #expect(rest(watch) == [])
        folder.write("one", to: "a.json")
        #expect(rest(watch) == [])
        unlink(folder.file("a.json"))
        folder.write("two", to: "a.json")
        #expect(news.next() == folder.file("a.json"))
    }

    @Test("a file that does not exist yet is reported when it appears")
    func coming() {
        let watch = FileWatch(news.put)
        watch.watch([folder.file("deep/er/a.json")])
        mkdir(folder.file("deep"), 0o700)
        mkdir(folder.file("deep/er"), 0o700)
        folder.write("two", to: "deep/er/a.json")
        #expect(news.next() == folder.file("deep/er/a.json"))
    }

    @Test("a file of more than 16 MiB is reported when it appears and when it changes")
    func long() {
        let watch = FileWatch(news.put)
        let path = folder.file("long.wav")
        watch.watch([path])
        for text in ["one", "three"] {
            folder.write(text, to: "new")
            // The rest of the file is a hole.
            #expect(truncate(folder.file("new"), 17 << 20) == 0)
            rename(folder.file("new"), path)
            #expect(news.next() == path)
        }
        #expect(rest(watch) == [])
    }

    @Test("for a symbolic link, changes of both the file and the link count")
    func links() {
        mkdir(folder.file("x"), 0o700)
        mkdir(folder.file("y"), 0o700)
        folder.write("one", to: "x/a.json")
        folder.write("other", to: "y/a.json")
        symlink("x/a.json", folder.file("link.json"))
        let watch = FileWatch(news.put)
        watch.watch([folder.file("link.json")])
        folder.write("two", to: "x/a.json")
        #expect(news.next() == folder.file("link.json"))
        symlink("y/a.json", folder.file("new"))
        rename(folder.file("new"), folder.file("link.json"))
        #expect(news.next() == folder.file("link.json"))
        folder.write("three", to: "y/a.json")
        #expect(news.next() == folder.file("link.json"))
        folder.write("four", to: "x/a.json")
        #expect(rest(watch) == [])
    }

    @Test("a link to a folder in the path counts too if its target changes")
    func folderLinks() {
        for (name, text) in [("x", "one"), ("y", "two")] {
            mkdir(folder.file(name), 0o700)
            folder.write(text, to: "\(name)/a.json")
        }
        symlink("x", folder.file("current"))
        let watch = FileWatch(news.put)
        watch.watch([folder.file("current/a.json")])
        symlink("y", folder.file("new"))
        rename(folder.file("new"), folder.file("current"))
        #expect(news.next() == folder.file("current/a.json"))
        #expect(rest(watch) == [])
    }

    @Test("a link to itself does no harm")
    func loop() {
        symlink("loop.json", folder.file("loop.json"))
        let watch = FileWatch(news.put)
        watch.watch([folder.file("loop.json")])
        rename(folder.write("two", to: "b"), folder.file("loop.json"))
        #expect(news.next() == folder.file("loop.json"))
    }

    @Test("a folder that is moved away and returns is still watched")
    func movedFolder() {
        mkdir(folder.file("songs"), 0o700)
        let watch = watch("songs/a.json")
        rename(folder.file("songs"), folder.file("elsewhere"))
        folder.write("two", to: "elsewhere/a.json")
        #expect(rest(watch) == [])
        mkdir(folder.file("songs"), 0o700)
        folder.write("three", to: "songs/a.json")
        #expect(news.next() == folder.file("songs/a.json"))
        folder.write("four", to: "songs/a.json")
        #expect(news.next() == folder.file("songs/a.json"))
    }

    @Test("after many rapid saves the last one is reported")
    func storm() {
        let watch = watch("a.json")
        let last = Latest(folder.file("a.json"))
        let reader = FileWatch { _ in last.read() }
        reader.watch([folder.file("a.json")])
        for count in 0..<400 { folder.write("number \(count)", to: "a.json") }
        #expect(last.waits(for: "number 399"))
        #expect(news.next() == folder.file("a.json"))
        _ = watch
    }

    @Test("several files are reported separately, and files no longer watched are not reported")
    func several() {
        let watch = watch("set.json", "a.json", "b.json")
        folder.write("two", to: "b.json")
        #expect(news.next() == folder.file("b.json"))
        watch.watch(["set.json", "a.json"].map(folder.file))
        folder.write("three", to: "b.json")
        folder.write("three", to: "a.json")
        #expect(news.next() == folder.file("a.json"))
        #expect(rest(watch) == [])
    }

    @Test("other activity in the folder makes no difference")
    func busyFolder() {
        let watch = watch("a.json")
        for count in 0..<2000 { folder.write("\(count)", to: "other-\(count % 50)") }
        folder.write("two", to: "a.json")
        #expect(news.next() == folder.file("a.json"))
        #expect(rest(watch) == [])
    }

    /// Returns the changes reported before a change that is made after all others.
    private func rest(_ watch: FileWatch) -> [String] {
        let reported = FileWatch(news.put)
        let mark = folder.write("\(Int.random(in: 0...Int.max))", to: "mark")
        reported.watch([mark])
        // This is longer than the wait for any file, so the mark is the last change.
        usleep(700_000)
        folder.write("changed \(Int.random(in: 0...Int.max))", to: "mark")
        var all: [String] = []
        while let path = news.next(), path != mark { all.append(path) }
        return all
    }
}
