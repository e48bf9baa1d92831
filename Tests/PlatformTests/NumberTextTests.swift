import Testing
import Platform

@Suite("A number as text")
struct NumberTextTests {
    @Test("has a fixed number of digits")
    func fixed() {
        #expect((2.666).fixed(1) == "2.7")
        #expect((-0.04).fixed(1) == "0.0")
        #expect((-12.0).fixed(0) == "-12")
        #expect((0.05).fixed(3) == "0.050")
    }

    @Test("has no trailing zeros")
    func trimmed() {
        #expect((2.5).trimmed(2) == "2.5")
        #expect((-2.0).trimmed(2) == "-2")
        #expect((-0.001).trimmed(2) == "0")
    }

    @Test("reads back as the same number")
    func plain() {
        #expect((3.0).plain == "3")
        #expect(Float(0.1).plain == "0.1")
        #expect((-0.25).plain == "-0.25")
    }
}
