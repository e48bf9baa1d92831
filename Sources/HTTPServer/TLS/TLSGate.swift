internal import NIOCore
internal import NIOSSL

/// The first handler of a connection to a server that speaks TLS: begins TLS, or leads a browser
/// that speaks HTTP without TLS to the URL of the page.
///
/// People type addresses without `https://`.
final class TLSGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The first byte of a connection with TLS.
    private static let handshake: UInt8 = 22

    private let context: NIOSSLContext
    private var isOver = false

    /// Creates the handler of a connection.
    ///
    /// - Parameter context: Creates the TLS session.
    init(_ context: NIOSSLContext) { self.context = context }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver, let first = Self.unwrapInboundIn(data).readableBytesView.first else {
            return
        }
        isOver = true
        guard first == Self.handshake else { return redirect(context) }
        let pipeline = context.pipeline.syncOperations
        do {
            try pipeline.addHandler(
                NIOSSLServerHandler(context: self.context), position: .after(self))
        } catch { return context.close(promise: nil) }
        context.fireChannelRead(data)
        _ = pipeline.removeHandler(context: context)
    }

    /// Answers with the address to which the client has connected, but with TLS.
    private func redirect(_ context: ChannelHandlerContext) {
        let local = context.channel.localAddress
        guard let host = IPAddress(local), let port = local?.port else {
            return context.close(promise: nil)
        }
        let answer =
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: https://\(host):\(port)/\r\n"
            + "Connection: close\r\nContent-Length: 0\r\n\r\n"
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: answer)))
            .whenComplete { _ in bound.value.close(promise: nil) }
    }
}
