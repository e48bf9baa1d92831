/// Collects all names of a file in a table, and reports duplicates.
struct NameCheck {
    let context: CheckContext

    func nameTable(
        inputs: [SignalDraft]?, outputs: [SignalDraft]?, nodes: [NodeDraft]?
    ) -> NameTable {
        var nameTable = NameTable()
        nameTable.isComplete = inputs != nil && outputs != nil && nodes != nil
        for (index, input) in (inputs ?? []).enumerated() {
            add(input.name, .input(index), at: input.offset, to: &nameTable)
        }
        for (index, output) in (outputs ?? []).enumerated() {
            add(output.name, .output(index), at: output.offset, to: &nameTable)
        }
        for (index, node) in (nodes ?? []).enumerated() {
            guard let id = node.element["id"], id.string != nil else {
                // The missing name can be the one that a reference uses.
                nameTable.isComplete = false
                continue
            }
            add(node.id, .node(index), at: id.start, to: &nameTable)
        }
        return nameTable
    }

    private func add(
        _ name: String, _ entry: NameTable.Entry, at offset: Int, to nameTable: inout NameTable
    ) {
        guard let taken = nameTable.add(name, entry) else { return }
        context.errors.report(
            .duplicateID, at: offset, "\(Quoted(name)) is already the name of \(taken.kind)",
            suggestion: freeName(like: name, in: nameTable))
    }

    private func freeName(like name: String, in nameTable: NameTable) -> String? {
        guard name.utf8.count <= 60 else { return nil }
        return (2...99).lazy.map { "\(name)-\($0)" }.first { nameTable[$0] == nil }
    }
}
