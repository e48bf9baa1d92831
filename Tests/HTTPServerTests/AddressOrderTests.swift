import HTTPServer
import Testing

@Suite("The order of addresses")
struct AddressOrderTests {
    @Test("some of them come in the order of the session, without unknown ones")
    func some() {
        let order = AddressOrder(["c.gain", "a.gain", "b.gain"])
        #expect(order.sorted(["b.gain", "c.gain", "x.gain"]) == ["c.gain", "b.gain"])
        #expect(order.sorted([]) == [])
    }

    @Test("an address that is added again keeps its place")
    func again() {
        var order = AddressOrder(["c.gain", "a.gain", "c.gain"])
        order.add("c.gain")
        order.add("b.gain")
        #expect(order.all == ["c.gain", "a.gain", "b.gain"])
        #expect(order.sorted(["b.gain", "c.gain"]) == ["c.gain", "b.gain"])
    }
}
