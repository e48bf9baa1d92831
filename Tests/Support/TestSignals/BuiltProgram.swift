import Glibc

/// Returns the path of a program that the same build put next to the tests.
public func builtProgram(_ name: String) -> String {
    guard let tests = realpath("/proc/self/exe", nil) else { return name }
    defer { free(tests) }
    let parts = String(cString: tests).split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/") + "/" + name
}
