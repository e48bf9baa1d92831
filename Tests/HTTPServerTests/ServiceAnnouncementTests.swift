import Glibc
import HTTPServer
import TestSignals
import Testing

@Suite struct ServiceAnnouncementTests {
    /// Writes a program that notes its process and its arguments, and then waits.
    private func script(in folder: ScratchFolder) throws -> String {
        let path = folder.file("announce")
        let text = """
            #!/bin/sh
            echo "$$ $*" >> \(folder.file("log"))
            exec sleep 1000

            """
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o700)
        try #require(descriptor >= 0)
        let bytes = Array(text.utf8)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        return path
    }

    private func lines(of path: String) -> [[Substring]] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 4096)
        var lines: [[Substring]] = []
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let text = String(
                decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            lines.append(text.split(whereSeparator: \.isWhitespace))
        }
        return lines
    }

    @Test("both kinds of services are announced as long as the object exists")
    func announces() throws {
        let folder = ScratchFolder()
        let program = try script(in: folder)
        var announcement: ServiceAnnouncement? = ServiceAnnouncement(
            "Stage", port: 8080, program: program)
        #expect(waitUntil { lines(of: folder.file("log")).count == 2 })
        let started = lines(of: folder.file("log"))
        #expect(
            Set(started.map { $0.dropFirst().joined(separator: " ") }) == [
                "Stage _stompline._tcp 8080 path=/", "Stage _http._tcp 8080 path=/",
            ])
        let processes = started.compactMap { pid_t($0[0]) }
        #expect(processes.count == 2)
        #expect(processes.allSatisfy { kill($0, 0) == 0 })
        withExtendedLifetime(announcement) {}
        announcement = nil
        #expect(waitUntil { processes.allSatisfy { kill($0, 0) != 0 } })
    }

    @Test("without the program, nothing happens")
    func missing() {
        let announcement = ServiceAnnouncement("Stage", port: 1, program: "/nonexistent/announce")
        withExtendedLifetime(announcement) {}
    }
}
