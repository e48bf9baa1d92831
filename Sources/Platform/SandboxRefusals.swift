internal import CLinux
internal import Glibc
internal import Synchronization

/// The calls and file accesses that the sandbox of a process has refused, in memory that the
/// process may share with another one.
///
/// The process can overwrite everything here, so a reader copies and checks each value.
package struct SandboxRefusals: BitwiseCopyable {
    /// The size of the memory in bytes; it must be aligned to 8 bytes, and zero at first.
    package static let byteCount = MemoryLayout<linux_sandbox_refusals>.size
    /// The maximum numbers of different refused calls and file accesses that are recorded.
    package static let callCount = Int(linux_sandbox_call_count)
    package static let fileCount = Int(linux_sandbox_file_count)

    private let memory: UnsafeMutableRawPointer

    /// Creates a view of memory that outlives it.
    package init(_ memory: UnsafeMutableRawPointer) { self.memory = memory }

    /// A refused access to a file.
    package struct File: Hashable, Sendable {
        /// The kind of access.
        package let action: Action
        /// The absolute path; a path that was too long to record ends with "…".
        package let path: String
    }

    /// A kind of access to a file.
    package enum Action: UInt32, Sendable {
        case read = 1
        /// Writes to a file, creates it, or creates a folder or a link.
        case write
        case remove
        /// Moves a file or a folder to the path.
        case move
    }

    /// The names of the refused calls.
    package var calls: [String] {
        (0..<Self.callCount).compactMap { index in
            let note = word(at: MemoryLayout<UInt32>.stride * index)
            guard note != 0 else { return nil }
            return linux_sandbox_name(note - 1).map { String(cString: $0) }
                ?? "number \(note - 1)"
        }
    }

    /// The refused accesses to files.
    package var files: [File] {
        let stride = MemoryLayout<linux_sandbox_refused_file>.stride
        let first = Self.byteCount - stride * Self.fileCount
        return (0..<Self.fileCount).compactMap { file(at: first + stride * $0) }
    }

    private func file(at offset: Int) -> File? {
        typealias Record = linux_sandbox_refused_file
        func member(_ member: PartialKeyPath<Record>) -> Int {
            offset + (MemoryLayout<Record>.offset(of: member) ?? 0)
        }
        guard word(at: member(\.isWritten)) != 0,
            let action = Action(rawValue: word(at: member(\.action)))
        else { return nil }
        let isCut = word(at: member(\.isCut)) != 0
        // A private copy: the bytes may change while they are decoded.
        let bytes = [UInt8](
            UnsafeRawBufferPointer(
                start: memory + member(\.path), count: Int(linux_sandbox_path_bytes)))
        let path = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        return File(action: action, path: isCut ? path + "…" : path)
    }

    private func word(at offset: Int) -> UInt32 {
        (memory + offset).assumingMemoryBound(to: Atomic<UInt32>.self).pointee
            .load(ordering: .acquiring)
    }

    /// Removes all records.
    package func clear() { memset(memory, 0, Self.byteCount) }

    /// Calls a function with the memory in which this process records its refusals.
    func record<Result>(
        _ body: (UnsafeMutablePointer<linux_sandbox_refusals>) -> Result
    ) -> Result {
        body(memory.bindMemory(to: linux_sandbox_refusals.self, capacity: 1))
    }
}
