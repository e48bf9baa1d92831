internal import CLinux
internal import Glibc

/// A thread that runs one function.
public final class OwnThread: Sendable {
    /// How much stack a thread has.
    ///
    /// Where all memory is locked, it costs its whole length.
    public enum Stack: Int, Sendable {
        /// 256 KiB, for code of our own.
        case small = 0x4_0000
        /// 1 MiB, for every library we call.
        case usual = 0x10_0000
    }

    private let thread: pthread_t

    /// Starts a thread, which is to be joined; nil where the system has none left.
    ///
    /// - Parameters:
    ///   - name: What process viewers show, at most 15 bytes.
    ///   - stack: Its stack.
    ///   - body: What it does.
    public init?(name: String, stack: Stack = .usual, _ body: @escaping @Sendable () -> Void) {
        guard let thread = Self.create(Work(name: name, body: body), stack) else { return nil }
        self.thread = thread
    }

    /// Starts a thread that nobody waits for.
    ///
    /// - Parameters:
    ///   - name: What process viewers show, at most 15 bytes.
    ///   - body: What it does.
    /// - Returns: Whether the system had a thread left.
    @discardableResult
    public static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = create(Work(name: name, body: body), .usual) else { return false }
        pthread_detach(thread)
        return true
    }

    /// Waits until the function has returned; to be called once.
    public func join() { pthread_join(thread, nil) }

    /// Waits until the function has returned, but not for ever; to be called once.
    ///
    /// - Parameter seconds: How long at most.
    /// - Returns: Whether it returned. Otherwise the thread is left to itself.
    public func join(withinSeconds seconds: Int32) -> Bool {
        if linux_join_thread(thread, seconds) { return true }
        pthread_detach(thread)
        return false
    }

    private static func create(_ work: Work, _ stack: Stack) -> pthread_t? {
        let work = Unmanaged.passRetained(work)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setstacksize(attributes, stack.rawValue)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, attributes,
            { work in
                guard let work else { return nil }
                let owned = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
                linux_name_thread(owned.name)
                owned.body()
                return nil
            }, work.toOpaque())
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
