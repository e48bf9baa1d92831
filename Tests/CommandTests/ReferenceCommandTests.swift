import FoundationEssentials
import Testing

@Suite("stompline reference")
struct ReferenceCommandTests {
    private let program = Program()

    private static let names = [
        "addresses": "address", "osc": "path", "http": "name", "events": "event",
        "error-codes": "code", "exit-codes": "status",
    ]

    @Test(
        "prints each entry of the JSON in the table too",
        arguments: ["addresses", "osc", "http", "events", "error-codes", "exit-codes"])
    func topics(topic: String) throws {
        let json = program("reference", topic, "--json")
        #expect(json.status == 0 && json.errors == "")
        let entries = try JSONDecoder().decode(
            [[String: Field]].self, from: Data(json.output.utf8))
        let key = try #require(Self.names[topic])
        let table = program("reference", topic).output
        #expect(!entries.isEmpty)
        for entry in entries {
            let name = try #require(entry[key]?.text)
            #expect(table.contains(name), "\(name)")
            #expect(entry["meaning"]?.text.isEmpty == false, "\(name)")
        }
    }

    @Test("every exit code is in the help of the program, and no other one is")
    func exitCodes() throws {
        let json = program("reference", "exit-codes", "--json").output
        let entries = try JSONDecoder().decode([[String: Field]].self, from: Data(json.utf8))
        let help = program("--help").output
        let section = try #require(help.split(separator: "Exit status: ").last)
        let numbers = section.prefix { $0 != "." }.split { !$0.isNumber }.map(String.init)
        #expect(numbers == entries.compactMap { $0["status"]?.text })
    }

    @Test("an unknown topic is wrong usage")
    func unknown() { #expect(program("reference", "colours").status == 64) }
}

/// A member of an entry, as text.
private struct Field: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let number = try? value.decode(Int.self) {
            text = String(number)
        } else {
            text = ""
        }
    }
}
