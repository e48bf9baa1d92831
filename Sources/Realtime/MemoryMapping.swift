/// A part of the address space of a process, as Linux lists it in `/proc/self/maps`.
package struct MemoryMapping: Sendable, Equatable {
    /// The purpose of memory, in the order in which it is locked if the limit is too small for all.
    package enum Purpose: Int, Sendable, Comparable, CaseIterable {
        /// Code: Linux removes it from RAM first, because it can read it from its file again.
        case code
        /// Memory that is shared with the server, such as the samples of the ports.
        case shared
        /// Variables, heaps and stacks: Linux can remove them from RAM only if there is swap.
        case data
        /// Constants and files that are only read.
        case constants

        package static func < (left: Purpose, right: Purpose) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The name of the file of a black box.
    package static let blackBoxName = "stompline-black-box"

    package let range: AddressRange
    package let purpose: Purpose

    /// The mappings of this process that can be locked, in the order in which they are locked.
    static var ofProcess: [MemoryMapping] {
        list(ProcessFile.text(of: "/proc/self/maps"))
    }

    /// Returns the mappings that can be locked, in the order in which they are locked.
    ///
    /// - Parameter text: The text of `/proc/self/maps`.
    /// - Returns: The mappings; lines of another form are ignored.
    package static func list(_ text: String) -> [MemoryMapping] {
        let mappings = text.split(separator: "\n").compactMap { MemoryMapping(line: $0) }
        return Purpose.allCases.flatMap { purpose in mappings.filter { $0.purpose == purpose } }
    }

    /// Reads a line: addresses, rights, offset, device, inode and possibly a name.
    private init?(line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count >= 2, let range = AddressRange(fields[0]) else { return nil }
        let rights = Array(fields[1].utf8)
        let name = fields.count > 5 ? fields[5].drop { $0 == " " } : ""
        guard rights.count == 4, let purpose = Self.purpose(rights, name: name) else { return nil }
        self.range = range
        self.purpose = purpose
    }

    /// Returns the purpose of memory with rights such as `r-xp`; `nil` if it cannot be used or
    /// locked.
    private static func purpose(_ rights: [UInt8], name: Substring) -> Purpose? {
        let (isReadable, isWritable) = (rights[0] == letter("r"), rights[1] == letter("w"))
        guard isReadable || isWritable, !isOfKernel(name) else { return nil }
        if rights[3] == letter("s") { return .shared }
        if rights[2] == letter("x") { return .code }
        return isWritable ? .data : .constants
    }

    private static func letter(_ character: Character) -> UInt8? { character.asciiValue }

    /// Returns whether the memory belongs to the kernel or to a device, or is a black box, which
    /// locks the part of it that the audio thread uses.
    private static func isOfKernel(_ name: Substring) -> Bool {
        name.hasPrefix("[v") || name.hasSuffix("/\(blackBoxName)")
            || (name.hasPrefix("/dev/") && !name.hasPrefix("/dev/shm/"))
    }
}

/// A range of addresses.
package struct AddressRange: Sendable, Equatable {
    package let start: UInt
    package let byteCount: Int

    package init(start: UInt, byteCount: Int) {
        self.start = start
        self.byteCount = byteCount
    }

    /// Reads hexadecimal addresses such as `7f00-7f80`.
    init?(_ text: Substring) {
        let ends = text.split(separator: "-").map { UInt($0, radix: 16) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], end > start else {
            return nil
        }
        self.start = start
        byteCount = Int(clamping: end - start)
    }

    /// The first address.
    var address: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: start) }

    /// Returns the beginning of the range with at most a number of bytes, in whole pages.
    func first(bytes: Int) -> AddressRange {
        let page = PresentPages.pageBytes
        return AddressRange(start: start, byteCount: min(byteCount, max(0, bytes) / page * page))
    }
}
