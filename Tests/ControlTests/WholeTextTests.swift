import Control
import Testing

@Suite("Texts that are completely written")
struct WholeTextTests {
    private func isWhole(_ text: some StringProtocol) -> Bool {
        WholeText.isWhole(Array(text.utf8))
    }

    @Test("an object is whole only at its end")
    func prefixes() {
        let text = #"{ "a": [1, { "b": "}\"}\\" }], "c": "]" }"#
        #expect(isWhole(text))
        #expect(isWhole(" \n" + text + "\n\n"))
        for count in 0..<text.count {
            #expect(!isWhole(text.prefix(count)), "after \(count) characters")
        }
    }

    @Test(
        "a text that is no object, or has something behind it, is not whole",
        arguments: ["", "one", "\"a\"", "3", "}", "{}{}", "{} x", "{} \"x\"", "{}]", "x {}"])
    func others(text: String) { #expect(!isWhole(text)) }
}
