internal import Glibc

/// The pages of memory that are in RAM.
package enum PresentPages {
    /// The size of a page, in bytes.
    static let pageBytes = sysconf(Int32(_SC_PAGESIZE))
    /// The bits of an entry for a page in RAM or in the swap space.
    private static let isUsed: UInt64 = 3 << 62

    /// Returns the ranges of pages that this process has used, in the order of the mappings.
    static func ofProcess(in mappings: [MemoryMapping]) -> [AddressRange] {
        let file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return mappings.map(\.range) }
        defer { close(file) }
        return mappings.flatMap { mapping in
            ranges(from: mapping.range.start, entries(of: mapping.range, in: file))
        }
    }

    /// Returns the entries of the pages of a range: 8 bytes for each (`proc_pid_pagemap(5)`).
    private static func entries(of range: AddressRange, in file: Int32) -> [UInt64] {
        var entries = [UInt64](repeating: 0, count: range.byteCount / pageBytes)
        let offset = Int(clamping: range.start / UInt(pageBytes) * 8)
        let count = pread(file, &entries, entries.count * 8, offset)
        return Array(entries.prefix(max(0, count) / 8))
    }

    /// Joins the pages that are in use to ranges.
    ///
    /// - Parameters:
    ///   - start: The address of the first page.
    ///   - entries: The entries of the pages in `/proc/self/pagemap`.
    /// - Returns: The ranges, in the order of their addresses.
    package static func ranges(from start: UInt, _ entries: [UInt64]) -> [AddressRange] {
        var ranges: [AddressRange] = []
        var first: Int?
        for (index, entry) in (entries + [0]).enumerated() {
            if entry & isUsed != 0 {
                first = first ?? index
            } else if let begin = first {
                ranges.append(
                    AddressRange(
                        start: start + UInt(begin * pageBytes),
                        byteCount: (index - begin) * pageBytes))
                first = nil
            }
        }
        return ranges
    }
}

/// Files in `/proc`.
enum ProcessFile {
    /// Returns the whole text of a file; empty if it cannot be read.
    static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &part, part.count), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
