internal import CLinux
internal import Glibc

/// A thread that runs one function, and is waited for.
public final class OwnThread: Sendable {
    private let thread: pthread_t

    /// Starts a thread; nil where the system has none left.
    ///
    /// - Parameters:
    ///   - name: What process viewers show, at most 15 bytes.
    ///   - body: What it does.
    public init?(name: String, _ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(name: name, body: body))
        var thread = pthread_t()
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        // Where all memory is locked, a stack costs its whole length.
        pthread_attr_setstacksize(attributes, 1 << 20)
        let status = pthread_create(
            &thread, attributes,
            { work in
                guard let work else { return nil }
                let owned = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
                linux_name_thread(owned.name)
                owned.body()
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            work.release()
            return nil
        }
        self.thread = thread
    }

    /// Waits until the function has returned; to be called once.
    public func join() { pthread_join(thread, nil) }

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
