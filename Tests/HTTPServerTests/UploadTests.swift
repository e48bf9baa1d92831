import Glibc
import HTTPServer
import Pipelines
import SessionCore
import SoundFiles
import Synchronization
import TestPages
import TestSignals
import Testing

/// Files that clients send into the folder of a file that plays.
@Suite struct UploadTests {
    private let folder = ScratchFolder()
    private let served: ServedPage
    private let sound: [UInt8]

    init() throws {
        var services = PageServices()
        services.check = { bytes, path in
            guard String(decoding: bytes, as: UTF8.self).contains("bad") else { return [] }
            return [
                Diagnostic(
                    file: path, line: 2, column: 5, pointer: "/nodes/0", code: .unknownType,
                    message: "wrong type", suggestion: "gain")
            ]
        }
        services.templates = { [.init(name: "first.json", bytes: Array("{}".utf8))] }
        served = try ServedPage(services: services) {
            $0.reservedDiskBytes = 0
            $0.uploadBytes = 4 << 20
        }
        folder.write("{}", to: "song.json")
        served.session.announce(
            SessionFiles(files: [
                .init(
                    path: folder.file("song.json"), isSetlist: false, songs: ["song"],
                    tag: ContentTag("1-1"))
            ]))
        let source = ScratchFolder()
        let path = try source.write([Array(repeating: 0.25, count: 24_000)], to: "a.wav")
        sound = try bytes(path)
    }

    private static let wave = ("Content-Type", "audio/wav")

    private func put(
        _ path: String, _ body: [UInt8], _ fields: [(String, String)] = [wave]
    ) throws -> PlainAnswer {
        let visitor = try #require(Visitor(port: served.port))
        var text = "PUT /api/library/\(path) HTTP/1.1\r\nHost: \(served.host)\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        text += "Content-Length: \(body.count)\r\n\r\n"
        visitor.send(Array(text.utf8) + body)
        return try #require(visitor.answer())
    }

    /// The names in the folder, except the song.
    private var names: [String] {
        ScratchFolder.names(in: folder.path).filter { $0 != "song.json" }
    }

    @Test("a sound file is written as it was sent, and listed with its facts")
    func written() throws {
        let answer = try put("1/loop%20%C3%A9.wav", sound)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.text.contains("\"seconds\": 0.5"))
        #expect(answer.text.contains("\"channels\": 1"))
        #expect(try bytes(folder.file("loop \u{E9}.wav")) == sound)
        #expect(names == ["loop \u{E9}.wav"])
        let list = try served.ask("GET", "/api/library/1")
        #expect(list.status == 200)
        #expect(list.text.contains("\"path\": \"loop \u{E9}.wav\", \"kind\": \"sound\""))
        #expect(list.text.contains("\"sample_rate\": 48000"))
        #expect(list.text.contains("\"path\": \"song.json\", \"kind\": \"pipeline\""))
    }

    @Test("a file in a folder below is written; the folder must exist")
    func below() throws {
        mkdir(folder.file("rooms"), 0o755)
        #expect(try put("1/rooms/hall.wav", sound).status == 201)
        #expect(try bytes(folder.file("rooms/hall.wav")) == sound)
        #expect(try put("1/nothing/hall.wav", sound).status == 404)
        #expect(try served.ask("GET", "/api/library/1").text.contains("\"rooms/hall.wav\""))
        #expect(try served.ask("GET", "/api/library/2").status == 404)
        #expect(try put("2/hall.wav", sound).status == 404)
    }

    @Test(
        "no path leads out of the folder",
        arguments: [
            "1/../out.wav", "1/%2e%2e/out.wav", "1/..%2fout.wav", "1//tmp/out.wav", "1/./out.wav",
            "1/.hidden.wav", "1/a/../../out.wav", "1/%2Ftmp%2Fout.wav", "1/a%00.wav", "1/a%0A.wav",
            "1/", "1/a/",
        ])
    func escapes(_ path: String) throws {
        let status = try put(path, Array(sound.prefix(64))).status
        #expect(status == 400 || status == 415, "\(path): \(status)")
        #expect(names.isEmpty)
        #expect(access(folder.path + "/../out.wav", F_OK) != 0)
    }

    @Test("links are not followed, neither to folders nor to files")
    func links() throws {
        let other = ScratchFolder()
        other.write("precious", to: "kept.wav")
        symlink(other.path, folder.file("away"))
        symlink(other.file("kept.wav"), folder.file("link.wav"))
        symlink(other.file("new.wav"), folder.file("dangling.wav"))
        #expect(try put("1/away/new.wav", sound).status == 403)
        #expect(try put("1/link.wav", sound).status == 403)
        #expect(try put("1/link.wav", sound, [Self.wave, ("If-Match", "\"x\"")]).status == 403)
        #expect(try put("1/dangling.wav", sound).status == 403)
        #expect(ScratchFolder.names(in: other.path) == ["kept.wav"])
        #expect(try String(decoding: bytes(other.file("kept.wav")), as: UTF8.self) == "precious")
        // A list does not enter a folder that is a link.
        #expect(try !served.ask("GET", "/api/library/1").text.contains("away"))
    }

    @Test("an existing file is replaced only with its tag")
    func existing() throws {
        let first = try put("1/loop.wav", sound)
        let tag = try #require(first.fields["etag"])
        let refused = try put("1/loop.wav", sound)
        #expect(refused.status == 409)
        #expect(refused.fields["etag"] == tag)
        let other = Array(sound.dropLast(2_000))
        #expect(
            try put("1/loop.wav", other, [Self.wave, ("If-Match", "\"wrong\"")]).status == 412)
        #expect(try bytes(folder.file("loop.wav")) == sound)
        #expect(try put("1/loop.wav", sound, [Self.wave, ("If-Match", "*")]).status == 400)
        // Other samples at the end; the header remains.
        let flipped = sound.dropLast(1_000) + sound.suffix(1_000).map { $0 ^ 1 }
        #expect(
            try put("1/loop.wav", Array(flipped), [Self.wave, ("If-Match", tag)]).status == 200)
        #expect(try bytes(folder.file("loop.wav")) == Array(flipped))
        #expect(try put("1/no.wav", sound, [Self.wave, ("If-Match", tag)]).status == 412)
        // A file that plays is edited, not replaced.
        let json = ("Content-Type", "application/json")
        #expect(try put("1/song.json", Array("{}".utf8), [json]).status == 409)
        let songTag = ("If-Match", "\"1-1\"")
        #expect(try put("1/song.json", Array("{ }".utf8), [json, songTag]).status == 409)
        #expect(names == ["loop.wav"])
    }

    @Test("a file of another kind than its name or type says is refused, and nothing remains")
    func kinds() throws {
        let text = Array("this is no sound".utf8)
        #expect(try put("1/a.wav", text).status == 415)
        #expect(try put("1/a.wav", []).status == 415)
        #expect(try put("1/a.wav", sound, [("Content-Type", "text/html")]).status == 415)
        #expect(try put("1/a.wav", sound, []).status == 415)
        #expect(try put("1/a.sh", sound).status == 415)
        #expect(try put("1/wav", sound).status == 415)
        #expect(names.isEmpty)
        let type = ("Content-Type", "application/octet-stream")
        #expect(try put("1/amp.NAM", text, [type]).status == 201)
        #expect(try bytes(folder.file("amp.NAM")) == text)
    }

    @Test("a pipeline is checked before it has its name")
    func pipelines() throws {
        let json = ("Content-Type", "application/json; charset=utf-8")
        let bad = try put("1/bad.json", Array("{ bad }".utf8), [json])
        #expect(bad.status == 422)
        #expect(bad.text.contains("\"line\": 2, \"column\": 5"))
        #expect(bad.text.contains(folder.file("bad.json")))
        #expect(names.isEmpty)
        #expect(try put("1/good.json", Array("{}".utf8), [json]).status == 201)
        #expect(names == ["good.json"])
        #expect(try served.ask("GET", "/api/templates").text == "[{\"name\": \"first.json\"}]\n")
        #expect(try served.ask("GET", "/api/templates/first.json").text == "{}")
        #expect(try served.ask("GET", "/api/templates/other.json").status == 404)
    }

    @Test("a file that is too large is refused, whether it says its size or not")
    func oversized() throws {
        let early = try #require(Visitor(port: served.port))
        early.send(
            "PUT /api/library/1/a.wav HTTP/1.1\r\nHost: \(served.host)\r\nExpect: 100-continue\r\n"
                + "Content-Type: audio/wav\r\nContent-Length: \((4 << 20) + 1)\r\n\r\n")
        #expect(early.answer()?.status == 413)
        let visitor = try #require(Visitor(port: served.port))
        visitor.send(
            "PUT /api/library/1/a.wav HTTP/1.1\r\nHost: \(served.host)\r\n"
                + "Content-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n")
        let part = Array("10000\r\n".utf8) + [UInt8](repeating: 0, count: 0x10000) + [13, 10]
        for _ in 0..<65 { guard visitor.send(part) else { break } }
        #expect(visitor.answer()?.status == 413)
        let json = ("Content-Type", "application/json")
        let text = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
        #expect(try put("1/a.json", text, [json]).status == 413)
        #expect(waitUntil { names.isEmpty })
    }

    @Test("two uploads of one name at once: the first to end has it, the other is refused")
    func twice() throws {
        let visitors = try (0..<2).map { _ in try #require(Visitor(port: served.port)) }
        let head =
            "PUT /api/library/1/same.wav HTTP/1.1\r\nHost: \(served.host)\r\n"
            + "Content-Type: audio/wav\r\nContent-Length: \(sound.count)\r\n\r\n"
        for visitor in visitors { visitor.send(Array(head.utf8) + sound.dropLast(100)) }
        // Both are being written.
        #expect(waitUntil { names.filter { $0.hasPrefix(".stompline-upload-") }.count == 2 })
        for visitor in visitors { visitor.send(Array(sound.suffix(100))) }
        let statuses = visitors.compactMap { $0.answer()?.status }
        #expect(statuses.sorted() == [201, 409])
        #expect(names == ["same.wav"])
        #expect(try bytes(folder.file("same.wav")) == sound)
    }

    @Test("files that a killed program has left behind are removed, those that are written are not")
    func leftBehind() throws {
        for (name, age) in [("old", 3600), ("new", 0), ("locked", 3600)] {
            let path = folder.write("RIFF", to: ".stompline-upload-\(name)")
            let then = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
            #expect(utimensat(AT_FDCWD, path, [then, then], 0) == 0)
        }
        let locked = open(folder.file(".stompline-upload-locked"), O_RDONLY)
        defer { close(locked) }
        #expect(flock(locked, LOCK_EX | LOCK_NB) == 0)
        #expect(try put("1/a.wav", sound).status == 201)
        #expect(names == [".stompline-upload-locked", ".stompline-upload-new", "a.wav"])
    }

    @Test("a client that goes away leaves nothing behind, and too many are refused")
    func abandoned() throws {
        let head =
            "PUT /api/library/1/NAME.wav HTTP/1.1\r\nHost: \(served.host)\r\n"
            + "Content-Type: audio/wav\r\nContent-Length: 100000\r\n\r\nRIFF"
        var visitors: [Visitor] = []
        for number in 0..<4 {
            let visitor = try #require(Visitor(port: served.port))
            visitor.send(head.replacing("NAME", with: "\(number)"))
            visitors.append(visitor)
        }
        #expect(waitUntil { names.count == 4 })
        #expect(try put("1/fifth.wav", sound).status == 503)
        visitors = []
        #expect(waitUntil { names.isEmpty })
        #expect(try put("1/fifth.wav", sound).status == 201)
    }

    @Test("a client that sends too slowly is refused")
    func slow() throws {
        let impatient = try ServedPage {
            $0.bodySeconds = 0.5
            $0.reservedDiskBytes = 0
        }
        impatient.session.announce(
            SessionFiles(files: [
                .init(
                    path: folder.file("song.json"), isSetlist: false, songs: [],
                    tag: ContentTag("1-1"))
            ]))
        let visitor = try #require(Visitor(port: impatient.port))
        visitor.send(
            "PUT /api/library/1/slow.wav HTTP/1.1\r\nHost: \(impatient.host)\r\n"
                + "Content-Type: audio/wav\r\nContent-Length: 100000\r\n\r\nRIFF")
        #expect(visitor.answer()?.status == 408)
        #expect(waitUntil { names.isEmpty })
    }

    @Test("a disk with too little free space refuses, and keeps its files")
    func fullDisk() throws {
        let small = ScratchFolder()
        // Only the administrator may mount a small file system; others test the reserve.
        let isMounted = mount("tmpfs", small.path, "tmpfs", 0, "size=262144") == 0
        // Detached, because a task may not have closed the folder yet.
        defer { if isMounted { umount2(small.path, 2) } }
        let page = try ServedPage {
            $0.reservedDiskBytes = isMounted ? 0 : 1 << 60
        }
        small.write("{}", to: "song.json")
        page.session.announce(
            SessionFiles(files: [
                .init(
                    path: small.file("song.json"), isSetlist: false, songs: [],
                    tag: ContentTag("1-1"))
            ]))
        let body = sound + [UInt8](repeating: 0, count: 400_000)
        func put(_ fields: String, _ body: [UInt8]) throws -> PlainAnswer? {
            let visitor = try #require(Visitor(port: page.port))
            visitor.send(
                Array(
                    ("PUT /api/library/1/big.wav HTTP/1.1\r\nHost: \(page.host)\r\n"
                        + "Content-Type: audio/wav\r\n\(fields)\r\n\r\n").utf8) + body)
            return visitor.answer()
        }
        #expect(try put("Content-Length: \(body.count)", body)?.status == 507)
        // Without its size, the file fills the disk before the system refuses more.
        let hex = String(body.count, radix: 16)
        let chunked = Array("\(hex)\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
        #expect(try put("Transfer-Encoding: chunked", chunked)?.status == 507)
        #expect(waitUntil { ScratchFolder.names(in: small.path) == ["song.json"] })
    }

    @Test("a browser may save a file that plays")
    func download() throws {
        served.session.serve { order in
            guard case .read(let path) = order.task else { return .refused("no") }
            return .read(FileContent(path: path, bytes: Array("{}".utf8)))
        }
        let shown = try served.ask("GET", "/api/files/1")
        #expect(shown.fields["content-disposition"] == nil)
        let saved = try served.ask("GET", "/api/files/1?download")
        #expect(
            saved.fields["content-disposition"]
                == "attachment; filename=\"song.json\"; filename*=UTF-8''song.json")
        #expect(saved.text == "{}")
    }
}

/// Returns the bytes of a file.
private func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&part, 1, part.count, file), count > 0 {
        bytes += part.prefix(count)
    }
    return bytes
}
