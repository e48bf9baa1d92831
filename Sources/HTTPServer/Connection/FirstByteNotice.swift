internal import NIOCore

/// Notices the first bytes of a request, before its header is complete.
final class FirstByteNotice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let notify: () -> Void

    /// Creates a handler that calls a function whenever bytes arrive.
    init(_ notify: @escaping () -> Void) { self.notify = notify }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        notify()
        context.fireChannelRead(data)
    }
}
