import HTTPServer
import Pipelines
import SessionTexts
import Testing

@Suite("the reference of the server's notices")
struct NoticeReferenceTests {
    private static let permit = Permit(role: .play, limit: "ears")

    @Test(
        "contains every member of every notice, in the same order",
        arguments: [
            ServerNotice.started(url: "http://a/", fingerprint: nil),
            .started(url: "https://a/", fingerprint: "00"),
            .code(PairingInvitation("123456", for: permit, url: "http://a/")), .codeDied,
            .paired(name: "phone", permit: permit), .accessFailed("no"),
            .refused(count: 2, .noKey),
        ])
    func members(notice: ServerNotice) throws {
        let parts = notice.line.split(separator: "\": ")
        let keys = parts.dropLast().map {
            String($0.split(separator: "\"", omittingEmptySubsequences: false).last ?? "")
        }
        let value = try #require(parts.dropFirst().first)
        let name = try #require(
            EventName(rawValue: String(value.split(separator: "\"").first ?? "")))
        let described = name.members.filter { !$0.isOptional || keys.contains($0.name) }
        #expect(keys == ["event"] + described.map(\.name))
    }

    @Test("contains every reason of a refusal")
    func reasons() {
        let text = EventName.httpRefused.members.map(\.meaning).joined()
        for reason in ServerNotice.Refusal.allCases {
            #expect(text.contains("`\(reason.rawValue)`"))
        }
    }
}
