import Realtime
import Testing

@Suite("Sample buffer")
struct SampleBufferTests {
    @Test("is silent at first, on a cache line of its own", arguments: [1, 3, 64, 4097])
    func fresh(_ count: Int) {
        let buffer = SampleBuffer(count: count)
        #expect(buffer.count == count)
        #expect(UInt(bitPattern: buffer.samples) % 64 == 0)
        #expect((0..<count).allSatisfy { buffer.samples[$0] == 0 })
    }

    @Test("has room for one sample at least")
    func empty() {
        let buffer = SampleBuffer(count: 0)
        #expect(buffer.count == 1)
    }

    @Test("is silent again once cleared")
    func clear() {
        let buffer = SampleBuffer(count: 100)
        for index in 0..<100 { buffer.samples[index] = Float(index) - 50.5 }
        buffer.clear()
        #expect((0..<100).allSatisfy { buffer.samples[$0] == 0 })
    }
}
