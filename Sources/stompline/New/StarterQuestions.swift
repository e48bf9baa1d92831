internal import Doctor
internal import Pipelines

/// The questions of `stompline new`, in their order.
struct StarterQuestions {
    private let dialogue = Dialogue()

    /// Asks for the template.
    ///
    /// - Throws: `Failure` if the input ends.
    func template() throws -> StarterTemplate {
        var table = TextTable([.right, .left, .left])
        let templates = StarterTemplate.all
        for (index, template) in templates.enumerated() {
            table.add(["\(index + 1)", template.name, template.summary])
        }
        dialogue.show("What do you want to play?\n" + table.text)
        return try dialogue.ask("Number or name [1]:") { line in
            let word = Self.trimmed(line)
            if word.isEmpty { return .success(templates[0]) }  // checked: there are templates
            let number = Int(word).flatMap { (1...templates.count).contains($0) ? $0 : nil }
            if let number { return .success(templates[number - 1]) }  // checked: an index
            if let named = templates.first(where: { $0.name == word }) { return .success(named) }
            return .failure(.init(reason: "Please type a number or a name of the list."))
        }
    }

    /// Shows the sound cards, and where the ports come from.
    func introduce(_ ports: OfferedPorts) {
        let cards = SoundCards(of: Machine()).names
        dialogue.show(
            cards.isEmpty
                ? "\nNo sound card was found."
                : "\nSound cards: \(cards.joined(separator: ", ")).")
        if !ports.isServerRunning {
            dialogue.show(
                "No JACK server is running. The ports are those that jackd gives a card.")
        }
        dialogue.show("Answer with numbers of the lists, - for no connection, or only Enter.")
    }

    /// Asks for the ports of a signal.
    ///
    /// - Returns: The ports or expressions; `nil` keeps those of the template.
    /// - Throws: `Failure` if the input ends.
    func ports(
        of signal: StarterTemplate.Signal, from offered: OfferedPorts
    ) throws -> [String]? {
        let names = offered.names(for: signal)
        let usual = offered.usual(for: signal)
        // Foot switches are usually connected later, and the template accepts all of them.
        if signal.kind == .midi, names.isEmpty { return usual }
        var table = TextTable([.right, .left])
        for (index, name) in names.enumerated() { table.add(["\(index + 1)", name]) }
        let isWide = signal.channels > 1
        let question = isWide ? "which \(signal.channels) ports?" : "which port?"
        dialogue.show("\n\(signal.name), \(signal.place): \(question)\n" + table.text)
        let shown = Self.shown(usual, in: names)
        return try dialogue.ask("\(isWide ? "Numbers" : "Number") [\(shown)]:") { line in
            switch PortAnswer(line, among: names, channels: signal.channels) {
            case .usual: return .success(usual)
            case .ports(let ports): return .success(ports)
            case .wrong(let reason): return .failure(.init(reason: "Please try again: \(reason)."))
            }
        }
    }

    /// Asks for the path of the file.
    ///
    /// - Parameters:
    ///   - usual: The path without an answer.
    ///   - isReplacing: Whether an existing file is accepted.
    /// - Returns: The path.
    /// - Throws: `Failure` if the input ends.
    func file(usual: String, isReplacing: Bool) throws -> String {
        dialogue.show("")
        return try dialogue.ask("Save as [\(usual)]:") { line in
            let word = Self.trimmed(line)
            let path = word.isEmpty ? usual : word
            if !isReplacing, StarterFile.exists(path) {
                return .failure(
                    .init(reason: "'\(path)' exists and is not changed. Please type another name."))
            }
            return .success(path)
        }
    }

    /// Returns the default answer as the user would type it.
    private static func shown(_ usual: [String]?, in names: [String]) -> String {
        guard let usual else { return "all" }
        let numbers = usual.compactMap { names.firstIndex(of: $0).map { "\($0 + 1)" } }
        return numbers.isEmpty ? "-" : numbers.joined(separator: " ")
    }

    private static func trimmed(_ line: String) -> String {
        let start = line.drop { $0.isWhitespace }
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
