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
    /// The largest sound file or model that a client may send, in bytes.
    package var uploadBytes = 512 << 20
    /// The largest pipeline that a client may send, in bytes: that of an edit.
    package var pipelineBytes = 1 << 20
    /// The bytes of the disk that must stay free, for the takes of recorders.
    package var reservedDiskBytes = 256 << 20
    /// The largest number of files that clients send at once.
    package var uploads = 4
    /// The bytes per second that a client must send on average, after the first seconds.
    package var uploadBytesPerSecond = 16.0 * 1024
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
