import Testing

/// One after another: each has its own server and child, and some count processes.
@Suite("Streams of the network", .serialized)
struct NetworkTests {}
