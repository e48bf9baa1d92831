/// A connection with time limits.
protocol TimedConnection: AnyObject {
    /// The sender of the last request.
    var visitor: Visitor { get }
    /// Closes the connection if it exceeds a limit; called every second.
    func checkTime(nowSeconds: Double)
    /// Closes the connection because the server ends.
    func end()
    /// Closes the connection because its device is no longer paired.
    func revoke()
}
