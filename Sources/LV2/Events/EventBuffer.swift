internal import CLilv
internal import CRealtime

/// The buffer of one event port: a sequence of atoms.
struct EventBuffer {
    private let sequence: UnsafeMutablePointer<LV2_Atom_Sequence>
    /// Bytes of the buffer.
    let capacity: UInt32
    private let isInput: Bool
    private let sequenceType: UInt32
    private let chunkType: UInt32

    /// A buffer of at least the bytes that the plugin asks for.
    init(isInput: Bool, minimumBytes: Int) {
        let bytes = max(PluginOptions.sequenceBytes, (minimumBytes + 7) & ~7)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
        sequence = memory.bindMemory(to: LV2_Atom_Sequence.self, capacity: 1)
        capacity = UInt32(clamping: bytes)
        self.isInput = isInput
        sequenceType = URIDTable.map(Namespace.atom("Sequence"))
        chunkType = URIDTable.map(Namespace.atom("Chunk"))
        clear()
    }

    /// What the port is connected to.
    var memory: UnsafeMutableRawPointer { UnsafeMutableRawPointer(sequence) }

    func deallocate() { sequence.deallocate() }

    /// Makes the buffer ready for the next run: an input empty, an output a chunk that says how much fits.
    @_noLocks
    func clear() {
        let header = UInt32(MemoryLayout<LV2_Atom>.size)
        sequence.pointee.atom.type = isInput ? sequenceType : chunkType
        sequence.pointee.atom.size =
            isInput ? UInt32(MemoryLayout<LV2_Atom_Sequence_Body>.size) : capacity - header
        sequence.pointee.body.unit = 0
        sequence.pointee.body.pad = 0
    }
}
