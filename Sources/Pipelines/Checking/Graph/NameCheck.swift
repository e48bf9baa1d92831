/// Collects all names of a file in a directory, and reports duplicates.
struct NameCheck {
    let context: CheckContext

    func directory(
        inputs: [SignalDraft]?, outputs: [SignalDraft]?, nodes: [NodeDraft]?
    ) -> Directory {
        var directory = Directory()
        directory.isComplete = inputs != nil && outputs != nil && nodes != nil
        for (index, input) in (inputs ?? []).enumerated() {
            add(input.name, .input(index), at: input.offset, to: &directory)
        }
        for (index, output) in (outputs ?? []).enumerated() {
            add(output.name, .output(index), at: output.offset, to: &directory)
        }
        for (index, node) in (nodes ?? []).enumerated() {
            guard let id = node.element["id"], id.string != nil else {
                // The missing name can be the one that a reference uses.
                directory.isComplete = false
                continue
            }
            add(node.id, .node(index), at: id.start, to: &directory)
        }
        return directory
    }

    private func add(
        _ name: String, _ entry: Directory.Entry, at offset: Int, to directory: inout Directory
    ) {
        guard let taken = directory.add(name, entry) else { return }
        context.errors.report(
            .duplicateID, at: offset, "\(Quoted(name)) is already the name of \(taken.kind)",
            suggestion: freeName(like: name, in: directory))
    }

    private func freeName(like name: String, in directory: Directory) -> String? {
        guard name.utf8.count <= 60 else { return nil }
        return (2...99).lazy.map { "\(name)-\($0)" }.first { directory[$0] == nil }
    }
}
