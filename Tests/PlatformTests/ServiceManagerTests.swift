import Glibc
import Platform
import TestSignals
import Testing

@Suite("Messages to the service manager", .serialized)
struct ServiceManagerTests {
    @Test("arrive at a socket with a path, one datagram each")
    func path() throws {
        let folder = ScratchFolder()
        let socket = ManagerSocket(path: folder.file("notify"))
        let manager = try #require(ServiceManager(path: folder.file("notify")))
        #expect(manager.send("READY=1\nSTATUS=playing"))
        #expect(manager.send("WATCHDOG=1"))
        #expect(socket.next() == "READY=1\nSTATUS=playing")
        #expect(socket.next() == "WATCHDOG=1")
        #expect(socket.next() == nil)
    }

    @Test("arrive at a socket without a file")
    func abstractName() throws {
        let name = "stompline-test-\(getpid())"
        let socket = ManagerSocket(path: "\0" + name)
        let manager = try #require(ServiceManager(path: "@" + name))
        #expect(manager.send("READY=1"))
        #expect(socket.next() == "READY=1")
    }

    @Test("are lost without a wait if the manager does not read")
    func fullSocket() throws {
        let folder = ScratchFolder()
        let socket = ManagerSocket(path: folder.file("notify"))
        let manager = try #require(ServiceManager(path: folder.file("notify")))
        var sent = 0
        while sent < 100_000, manager.send("WATCHDOG=1") { sent += 1 }
        #expect(sent < 100_000)
        #expect(socket.next() == "WATCHDOG=1")
    }

    @Test("are not sent to paths that are relative, too long or without a socket")
    func wrongPaths() {
        let long = "/" + String(repeating: "a", count: 200)
        for path in ["", "relative", long, "/nonexistent/notify"] {
            #expect(ServiceManager(path: path) == nil)
        }
    }

    @Test("go to the manager in the environment, which child programs do not get")
    func environment() throws {
        let folder = ScratchFolder()
        let socket = ManagerSocket(path: folder.file("notify"))
        setenv("NOTIFY_SOCKET", folder.file("notify"), 1)
        setenv("WATCHDOG_USEC", "2500000", 1)
        setenv("WATCHDOG_PID", "\(getpid())", 1)
        let manager = try #require(ServiceManager.join())
        #expect(manager.watchdogSeconds == 2.5)
        #expect(getenv("NOTIFY_SOCKET") == nil && getenv("WATCHDOG_USEC") == nil)
        #expect(manager.send("READY=1"))
        #expect(socket.next() == "READY=1")
        #expect(ServiceManager.join() == nil)
    }

    @Test("ignore a watchdog of another process, and one without a positive interval")
    func otherWatchdogs() throws {
        let folder = ScratchFolder()
        let socket = ManagerSocket(path: folder.file("notify"))
        defer { withExtendedLifetime(socket) {} }
        for (microseconds, process) in [
            ("1000000", "1"), ("0", "\(getpid())"), ("-1", ""), ("x", ""),
        ] {
            setenv("NOTIFY_SOCKET", folder.file("notify"), 1)
            setenv("WATCHDOG_USEC", microseconds, 1)
            if process.isEmpty {
                unsetenv("WATCHDOG_PID")
            } else {
                setenv("WATCHDOG_PID", process, 1)
            }
            #expect(try #require(ServiceManager.join()).watchdogSeconds == nil)
        }
    }
}
