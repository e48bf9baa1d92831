import Glibc
import JackHost
import Testing
import TestSignals

@Suite("A turn among all instances")
struct InstanceLockTests {
    private let folder = ScratchFolder()
    private var path: String { folder.file("turn.lock") }

    @Test("a second instance waits until the first has finished its turn")
    func exclusive() {
        var hasRun = false
        let isDone = InstanceLock.run(withinSeconds: 5, path: path) { _ in
            let isInTime = InstanceLock.run(withinSeconds: 0.05, path: path) { _ in
                hasRun = true
            }
            #expect(!isInTime)
        }
        #expect(isDone)
        #expect(!hasRun)
        #expect(InstanceLock.run(withinSeconds: 0, path: path) { _ in })
    }

    @Test("an instance stops waiting when its work is no longer wanted")
    func notWanted() {
        var hasRun = false
        _ = InstanceLock.run(withinSeconds: 5, path: path) { _ in
            let isInTime = InstanceLock.run(withinSeconds: 3600, path: path, while: { false }) {
                _ in
                hasRun = true
            }
            #expect(!isInTime)
        }
        #expect(!hasRun)
    }

    @Test("the limit counts from the last step of the holder")
    func progress() {
        // The holder needs four seconds in all.
        let steps = "for step in $(seq 40); do sleep 0.1; touch \(path); done"
        let holder = startProgram(["flock", "--no-fork", path, "sh", "-c", steps])
        let isHeld = waitUntil {
            InstanceLock.run(withinSeconds: 0, path: path) { _ in } ? nil : true
        }
        #expect(isHeld == true)
        #expect(InstanceLock.run(withinSeconds: 2, path: path) { _ in })
        waitpid(holder, nil, 0)
    }

    @Test("the turn of a killed instance passes to the next")
    func killed() {
        let holder = startProgram(["flock", "--no-fork", path, "sleep", "1000"])
        let isHeld = waitUntil {
            InstanceLock.run(withinSeconds: 0, path: path) { _ in } ? nil : true
        }
        #expect(isHeld == true)
        kill(holder, SIGKILL)
        #expect(InstanceLock.run(withinSeconds: 60, path: path) { _ in })
        waitpid(holder, nil, 0)
    }

    @Test("a symbolic link is not followed, and the work runs without the lock")
    func link() {
        let target = folder.file("target")
        #expect(symlink(target, path) == 0)
        #expect(InstanceLock.run(withinSeconds: 0, path: path) { _ in })
        #expect(access(target, F_OK) != 0)
    }

    @Test("without its folder, the work runs without the lock")
    func noFolder() {
        #expect(InstanceLock.run(withinSeconds: 0, path: folder.file("none/turn.lock")) { _ in })
    }

    @Test("other users cannot open the file")
    func mode() {
        #expect(InstanceLock.run(withinSeconds: 0, path: path) { _ in })
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }
}
