internal import CLinux
internal import Glibc

/// A thread that runs one function.
public final class OwnThread: Sendable {
    /// The size of a thread's stack.
    ///
    /// If all memory is locked, the thread costs the whole size.
    public enum Stack: Int, Sendable {
        /// 256 KiB, for our own code.
        case small = 0x4_0000
        /// 1 MiB, for any library that we call.
        case standard = 0x10_0000
    }

    private let thread: pthread_t

    /// Starts a thread that must be joined; `nil` if the system has none left.
    ///
    /// - Parameters:
    ///   - name: The name in process viewers, at most 15 bytes.
    ///   - stack: The size of its stack.
    ///   - body: The function that the thread runs.
    public init?(name: String, stack: Stack = .standard, _ body: @escaping @Sendable () -> Void) {
        guard let thread = Self.create(Work(name: name, body: body), stack) else { return nil }
        self.thread = thread
    }

    /// Starts a thread that is not joined.
    ///
    /// - Parameters:
    ///   - name: The name in process viewers, at most 15 bytes.
    ///   - stack: The size of its stack.
    ///   - body: The function that the thread runs.
    /// - Returns: Whether the system had a thread left.
    @discardableResult
    public static func start(
        name: String, stack: Stack = .standard, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let thread = create(Work(name: name, body: body), stack) else { return false }
        pthread_detach(thread)
        return true
    }

    /// Waits until the function has returned; must be called only once.
    public func join() { pthread_join(thread, nil) }

    /// Waits for a limited time until the function has returned; must be called only once.
    ///
    /// - Parameter seconds: The longest wait, in seconds.
    /// - Returns: Whether the function returned. Otherwise the thread is detached and continues.
    public func join(withinSeconds seconds: Int32) -> Bool {
        if linux_join_thread(thread, seconds) { return true }
        pthread_detach(thread)
        return false
    }

    private static func create(_ work: Work, _ stack: Stack) -> pthread_t? {
        let work = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let status = linux_start_thread(
            stack.rawValue,
            { work in
                guard let work else { return nil }
                let owned = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
                linux_name_thread(owned.name)
                owned.body()
                return nil
            }, work.toOpaque(), &thread)
        if status != 0 { work.release() }
        return status == 0 ? thread : nil
    }

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
