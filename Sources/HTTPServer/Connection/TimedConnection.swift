/// A connection with time limits.
protocol TimedConnection: AnyObject {
    /// Closes the connection if it exceeds a limit; called every second.
    func checkTime(nowSeconds: Double)
    /// Closes the connection because the server ends.
    func end()
}
