import Testing

/// Runs one test at a time: each has its own server and child, and some count processes.
@Suite("Network streams", .serialized)
struct NetworkTests {}
