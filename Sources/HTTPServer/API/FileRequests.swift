internal import NIOCore
internal import NIOHTTP1
internal import Pipelines
internal import Processing
internal import SessionCore

/// Carries out requests over HTTP for folders, templates and presets, whose answers wait for the
/// disk or a plugin.
///
/// Only the server's thread uses it.
struct FileRequests {
    /// Receives the answer, later.
    typealias Receiver = (Response) -> Void

    private let hub: PageHub

    init(_ hub: PageHub) { self.hub = hub }

    /// Answers with the files of a folder.
    ///
    /// - Parameters:
    ///   - number: The number of the file that plays.
    ///   - answer: Receives the answer.
    func list(_ number: String, _ answer: @escaping Receiver) {
        hub.whenCurrent {
            let folder: String
            do throws(LibraryRefusal) {
                folder = try UploadRequest.folder(number, among: hub.state.files)
            } catch { return answer(error.response) }
            let library = hub.library
            run(answer) {
                do throws(LibraryRefusal) {
                    return .json(try library.json(ofFolder: folder))
                } catch { return error.response }
            }
        }
    }

    /// Answers with the names of the templates.
    func listTemplates(_ answer: @escaping Receiver) {
        let templates = hub.services.templates
        run(answer) { .json(.array(templates().map { ["name": .string($0.name)] })) }
    }

    /// Answers with the text of a template.
    func readTemplate(_ name: String, _ answer: @escaping Receiver) {
        let templates = hub.services.templates
        run(answer) {
            guard let template = templates().first(where: { $0.name == name }) else {
                return .refusal(
                    .notFound, "there is no template \"\(name)\"", suggestion: "GET /api/templates")
            }
            return Response(
                .ok,
                ["Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"],
                ByteBuffer(bytes: template.bytes))
        }
    }

    /// Answers with the presets of a node's plugin.
    func listPresets(
        ofNode id: String, in description: SessionDescription, _ answer: @escaping Receiver
    ) {
        guard let (_, uri) = Self.plugin(id, in: description.pipeline) else {
            return answer(Self.noPlugin(id))
        }
        let presets = hub.services.presets
        run(answer) {
            switch presets(uri) {
            case .success(let found):
                .json(
                    .array(found.map { ["label": .string($0.label), "uri": .string($0.uri)] }))
            case .failure(let error): .refusal(.conflict, error.message)
            }
        }
    }

    /// Saves the present values of a node as a preset.
    func savePreset(
        _ label: String, ofNode id: String, in description: SessionDescription,
        isReplacing: Bool, _ answer: @escaping Receiver
    ) {
        guard let (node, _) = Self.plugin(id, in: description.pipeline) else {
            return answer(Self.noPlugin(id))
        }
        let changes = description.values.compactMap { entry in
            entry.address.hasPrefix(id + ".")
                ? try? description.pipeline.change(
                    address: entry.address, to: entry.value.scalar
                ).get() : nil
        }
        let order = PageServices.PresetOrder(
            label: label, pipeline: description.pipeline.applying(changes), node: node,
            isReplacing: isReplacing)
        let save = hub.services.savePreset
        run(answer) {
            switch save(order) {
            case .success(let folder):
                .json(["label": .string(label), "folder": .string(folder)], .created)
            case .failure(let error): .refusal(.conflict, error.message)
            }
        }
    }

    private static func plugin(
        _ id: String, in pipeline: Pipeline
    ) -> (node: Int, uri: String)? {
        guard let index = pipeline.nodes.firstIndex(where: { $0.id == id }),
            case .plugin(let uri) = pipeline.nodes[index].type
        else { return nil }
        return (index, uri)
    }

    private static func noPlugin(_ id: String) -> Response {
        .refusal(.notFound, "\"\(id)\" is not a node with a plugin")
    }

    private func run(_ answer: @escaping Receiver, _ work: @escaping @Sendable () -> Response) {
        guard !hub.work.run(work, answer) else { return }
        hub.refuse(.tooMany)
        answer(.refusal(.serviceUnavailable, "too many requests wait for the disk; try again"))
    }
}
