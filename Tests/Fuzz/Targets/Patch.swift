internal import Pipelines

extension FuzzTarget {
    /// A JSON patch that changes the text of a file.
    ///
    /// The first two bytes are the length of the patch; the file follows the patch.
    static let patch = FuzzTarget(
        name: "patch",
        run: { bytes in
            var source = ByteSource(bytes)
            let operations = source.bytes(Int(source.word(2)))
            guard let patch = try? JSONPatch(parsing: operations),
                let old = try? PipelineText(source.remaining())
            else { return }
            let new: PipelineText
            do throws(PatchError) {
                new = try old.applying(patch)
            } catch {
                require(!error.message.isEmpty, "a refusal has no message")
                if let operation = error.operation {
                    require(
                        patch.operations.indices.contains(operation),
                        "a refusal names an operation that the patch does not have")
                }
                return
            }
            require(
                (try? PipelineText(new.bytes)) != nil, "the edited text is no JSON object any more")
            let references = old.patch(for: [
                .renameNode("a", to: "b"), .removeScene("s"), .removeStrip(.init("a", of: "b")),
                .removeNode("c"), .renameScene("t", to: "u"),
            ])
            require(
                (try? JSONPatch(parsing: Array(references.text.utf8))) == references
                    || references.operations.count > JSONPatch.mostOperations,
                "a patch of references is not the same after it was sent")
            let change = TextChange(from: old.bytes, to: new.bytes)
            require(change.applied(to: old.bytes) == new.bytes, "the change does not give the text")
            require(
                change.inverse.applied(to: new.bytes) == old.bytes,
                "the inverse change does not restore the text")
            require(
                (try? old.applying(patch))?.bytes == new.bytes,
                "the same patch gives another text")
        },
        seeds: {
            let file =
                "{ \"version\": 1,\n  \"nodes\": [\n    { \"id\": \"a\", \"mix\": 0.50 }\n  ],\r\n  \"midi\": [], \"e\": {} }\n"
            let patches = [
                #"[{"op":"add","path":"/nodes/-","value":{"id":"b","from":["a"]}}]"#,
                #"[{"op":"remove","path":"/nodes/0"},{"op":"add","path":"/e/x~1y","value":[[1]]}]"#,
                #"[{"op":"move","from":"/nodes/0","path":"/midi/0"},{"op":"copy","from":"/midi","path":"/c"}]"#,
                #"[{"op":"test","path":"/version","value":1.0},{"op":"replace","path":"","value":{}}]"#,
                #"[{"op":"replace","path":"/nodes/0/mix","value":"\ud83c\udfb8"}]"#,
            ]
            let renamings = [
                #"[{"op":"rename","path":"/nodes/0/id","to":"name"},{"op":"rename","path":"/e","to":"\u0066"}]"#
            ]
            return (patches + renamings).map { patch in
                let count = patch.utf8.count
                return [UInt8(count >> 8), UInt8(count & 255)] + Array(patch.utf8)
                    + Array(file.utf8)
            }
        })
}
