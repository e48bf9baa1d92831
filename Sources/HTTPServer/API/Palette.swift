internal import NIOCore
internal import NIOHTTP1
internal import Platform

/// A request for types of nodes.
public enum PaletteRequest: Sendable, Hashable {
    /// The list of all types.
    case list
    /// Everything about one type, by its name or its URI.
    case type(String)
}

/// Answers requests for the types of nodes that a page can add.
///
/// The texts are made on other threads, because the list of plugins can take seconds. They are kept
/// for a moment, so that several pages share one list. Only the server's thread uses it.
final class Palette {
    /// Makes the JSON text of an answer; `nil` if there is no such type.
    ///
    /// It may block.
    typealias Maker = @Sendable (PaletteRequest) -> String?
    typealias Receiver = (Response) -> Void

    /// The time for which a text is kept, in seconds.
    private static let keptSeconds = 5.0
    /// The largest number of texts that are kept or made.
    private static let mostTexts = 64

    private struct Text {
        let text: String?
        let tag: String
        let madeSeconds: Double
    }

    private struct Waiting {
        let tags: [Substring]
        let receiver: Receiver
    }

    private let make: Maker
    private let work: BlockingWork
    private var texts: [PaletteRequest: Text] = [:]
    private var waiting: [PaletteRequest: [Waiting]] = [:]

    /// Creates a palette.
    ///
    /// - Parameters:
    ///   - work: Calls `make`.
    ///   - make: Makes a text, on any thread.
    init(_ work: BlockingWork, _ make: @escaping Maker) {
        self.work = work
        self.make = make
    }

    /// Answers a request, now or later.
    func answer(
        _ request: PaletteRequest, _ headers: HTTPHeaders, _ receiver: @escaping Receiver
    ) {
        let entry = Waiting(tags: headers[canonicalForm: "If-None-Match"], receiver: receiver)
        let now = MonotonicTime.nowSeconds
        texts = texts.filter { now - $0.value.madeSeconds < Self.keptSeconds }
        if let text = texts[request] { return Self.answer(entry, text) }
        guard texts.count + waiting.count < Self.mostTexts else {
            return receiver(.refusal(.tooManyRequests, "too many types are asked for at once"))
        }
        waiting[request, default: []].append(entry)
        guard waiting[request]?.count == 1 else { return }
        let hasBegun = work.run { [make] in
            make(request)
        } _: { [weak self] text in
            self?.receive(text, for: request)
        }
        if !hasBegun {
            for entry in waiting.removeValue(forKey: request) ?? [] {
                entry.receiver(.refusal(.serviceUnavailable, "the server is busy; ask again"))
            }
        }
    }

    private func receive(_ text: String?, for request: PaletteRequest) {
        let hash = ContentHash.fnv1a((text ?? "").utf8)
        let made = Text(
            text: text, tag: "\"" + String(hash, radix: 16) + "\"",
            madeSeconds: MonotonicTime.nowSeconds)
        texts[request] = made
        for entry in waiting.removeValue(forKey: request) ?? [] { Self.answer(entry, made) }
    }

    private static func answer(_ entry: Waiting, _ made: Text) {
        guard let text = made.text else {
            return entry.receiver(.refusal(.notFound, "there is no such type"))
        }
        var response = Response(.ok, text: text + "\n", type: "application/json; charset=utf-8")
        if entry.tags.contains(where: { $0 == made.tag || $0 == "*" }) {
            response = Response(.notModified, [:], ByteBuffer())
        }
        // A browser keeps the text, and asks whether it is current.
        response.headers.replaceOrAdd(name: "Cache-Control", value: "no-cache")
        response.headers.replaceOrAdd(name: "ETag", value: made.tag)
        entry.receiver(response)
    }
}
