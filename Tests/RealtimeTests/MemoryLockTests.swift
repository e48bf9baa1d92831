import Glibc
import Realtime
import Testing

@Suite("Memory that is locked")
struct MemoryLockTests {
    private let maps = """
        55d000000000-55d000001000 r--p 00000000 08:01 12   /usr/bin/stompline
        55d000001000-55d000003000 r-xp 00001000 08:01 12   /usr/bin/stompline
        55d000003000-55d000004000 rw-p 00003000 08:01 12   /usr/bin/stompline
        55d100000000-55d100010000 rw-p 00000000 00:00 0    [heap]
        7f0000000000-7f0004000000 ---p 00000000 00:00 0
        7f0004000000-7f0004002000 rw-s 00000000 00:01 7    /dev/shm/jack_1
        7f0005000000-7f0005001000 rw-s 00000000 00:05 8    /dev/snd/pcmC0D0p
        7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0    [stack]
        7ffc00100000-7ffc00104000 r--p 00000000 00:00 0    [vvar]
        7ffc00104000-7ffc00106000 r-xp 00000000 00:00 0    [vdso]
        nonsense
        """

    @Test("is code first, then what is shared with the server, then variables, then constants")
    func order() {
        let found = MemoryMapping.list(maps)
        #expect(found.map(\.purpose) == [.code, .shared, .data, .data, .data, .constants])
        #expect(
            found.map(\.range.start) == [
                0x55d0_0000_1000, 0x7f00_0400_0000, 0x55d0_0000_3000, 0x55d1_0000_0000,
                0x7ffc_0000_0000, 0x55d0_0000_0000,
            ])
        #expect(found.first?.range.byteCount == 0x2000)
    }

    @Test("consists of the pages that the process has used, in RAM or in the swap space")
    func pages() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let (present, swapped): (UInt64, UInt64) = (1 << 63, 1 << 62)
        let ranges = PresentPages.ranges(
            from: 0x10000, [0, present, swapped | 5, 0, 1 << 61, present])
        #expect(
            ranges == [
                AddressRange(start: 0x10000 + UInt(page), byteCount: 2 * page),
                AddressRange(start: 0x10000 + UInt(5 * page), byteCount: page),
            ])
        #expect(PresentPages.ranges(from: 0, []) == [])
    }

    @Test("leaves a page for each client of JACK, but at most a quarter of the limit")
    func part() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        #expect(MemoryLock.freeBytes(ofLimit: 8192 * page) == 256 * page)
        #expect(MemoryLock.freeBytes(ofLimit: 43 * page) == 10 * page)
        #expect(MemoryLock.freeBytes(ofLimit: 0) == 0)
    }
}
