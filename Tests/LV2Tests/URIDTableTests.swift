import LV2
import Testing

@Suite("The table of URIs")
struct URIDTableTests {
    @Test("a URI keeps its number, and the number its URI")
    func roundTrip() {
        let numbers = (0..<500).map { URIDTable.map("urn:stompline-test:uri-\($0)") }
        #expect(Set(numbers).count == 500)
        #expect(!numbers.contains(0))
        #expect((0..<500).map { URIDTable.map("urn:stompline-test:uri-\($0)") } == numbers)
        #expect(
            numbers.map { URIDTable.unmap($0) } == (0..<500).map { "urn:stompline-test:uri-\($0)" })
    }

    @Test("unassigned numbers have no URI", arguments: [0, UInt32(URIDTable.capacity), .max])
    func unknown(number: UInt32) {
        #expect(URIDTable.unmap(number) == nil)
    }

    @Test("fifty thousand URIs each have a number")
    func many() {
        let numbers = (0..<50_000).map { URIDTable.map("urn:stompline-test:many-\($0)") }
        #expect(Set(numbers).count == 50_000)
        #expect(!numbers.contains(0))
    }

    @Test("threads that map the same URIs at once get the same numbers")
    func threads() async {
        let answers = await withTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<300).map { URIDTable.map("urn:stompline-test:shared-\($0)") } }
            }
            return await group.reduce(into: Set<[UInt32]>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
    }
}
