/// The limits of the server for sizes, times, rates and numbers.
package struct ServerLimits: Sendable {
    /// The largest number of connections.
    package var connections = 200
    /// The largest number of connections of other machines, so that some remain for this machine.
    package var remoteConnections = 150
    /// The largest number of connections of one other machine.
    package var connectionsPerAddress = 32
    /// The largest number of pages: connections that have become WebSockets.
    package var pages = 50
    /// The largest header of a request, in bytes.
    package var headerBytes = 16 << 10
    /// The largest body of a request, in bytes.
    package var bodyBytes = 64 << 10
    /// The largest message of a page, in bytes.
    package var messageBytes = 64 << 10
    /// The longest time from the first byte of a request to the end of its header, in seconds.
    package var headerSeconds = 5.0
    /// The longest time from the end of the header to the end of the body, in seconds.
    package var bodySeconds = 10.0
    /// The longest time between two requests of a connection, in seconds.
    package var idleSeconds = 30.0
    /// The longest time in which a client receives no data although some waits, in seconds.
    package var writeSeconds = 30.0
    /// The longest time for the answer to a request that prepares a song or edits a file, in
    /// seconds.
    package var longAnswerSeconds = 60.0
    /// The longest time for any other answer of the session, in seconds.
    package var answerSeconds = 10.0
    /// The time between two pings of a page, in seconds.
    package var pingSeconds = 20.0
    /// The longest time without a sign of life of a page, in seconds.
    package var silentSeconds = 60.0
    /// The largest number of requests of one connection that wait for the session.
    package var pendingPerConnection = 256
    /// The largest number of requests of all connections that wait for the session.
    package var pending = 1024
    /// The requests per second of a page, on average.
    package var pageRequestsPerSecond = 240.0
    /// The requests per second of any other connection, on average.
    package var plainRequestsPerSecond = 200.0
    /// The largest number of events that wait for a page.
    package var waitingEvents = 128
    /// The bytes that wait for a client, above which nothing more is sent.
    package var waitingBytes = 64 << 10
    /// The changes per second that a page receives of one address, at most.
    package var changesPerSecond = 60.0

    /// Creates the usual limits.
    package init() {}
}
