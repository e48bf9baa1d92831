import HTTPServer
import Pipelines
import SessionCore
import Synchronization
import TestPages
import Testing

/// A playing session with a server.
final class ServedPage {
    let session: PlayingSession
    let server: PageServer
    /// The notices of the server so far.
    private let notices: Notices

    private final class Notices: Sendable {
        let all = Mutex<[ServerNotice]>([])
    }

    /// Counts the drawings.
    private final class DrawingCount: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                defer { count += 1 }
                return count
            }
        }
    }

    init(
        access: AccessOptions = AccessOptions(), services: PageServices = PageServices(),
        _ configure: (inout ServerLimits) -> Void = { _ in }
    ) throws {
        var limits = ServerLimits()
        configure(&limits)
        let notices = Notices()
        self.notices = notices
        let drawings = DrawingCount()
        session = try PlayingSession()
        server = try PageServer(
            at: ListenAddress(host: "127.0.0.1", port: 0), access: access, control: session,
            version: "1.2.3",
            limits: limits,
            drawing: { song in
                let ids = song.pipeline.nodes.map(\.id).joined(separator: " ")
                let frames = song.pipeline.nodes.map { song.latencyFrames[$0.id] ?? 0 }
                let number = drawings.next()
                return "<svg>\(ids) \(frames) \(song.sampleRate) \(number)</svg>"
            }, services: services
        ) { notice in notices.all.withLock { $0.append(notice) } }
        session.watch { [weak server] in server?.receive($0) }
    }

    var port: UInt16 { server.address.port }
    var host: String { "127.0.0.1:\(port)" }

    /// The number of requests that were refused for a reason, and reported.
    func refusedCount(_ reason: ServerNotice.Refusal) -> Int {
        notices.all.withLock { all in
            all.reduce(0) { sum, notice in
                guard case .refused(let count, reason) = notice else { return sum }
                return sum + count
            }
        }
    }

    /// The notices so far.
    var allNotices: [ServerNotice] { notices.all.withLock { $0 } }

    /// The number of notices so far.
    var noticeCount: Int { notices.all.withLock { $0.count } }

    /// Sends a request on a new connection.
    func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], host: String? = nil,
        body: String = ""
    ) throws -> PlainAnswer {
        let visitor = try #require(Visitor(port: port))
        return try #require(
            visitor.ask(method, target, fields, host: host ?? self.host, body: body))
    }

    /// Connects a page, and waits for its snapshot.
    func page() throws -> PageVisitor {
        let page = try #require(PageVisitor(port: port))
        _ = try #require(page.next("snapshot"))
        return page
    }
}
