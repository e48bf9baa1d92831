internal import CVorbis
internal import Realtime

/// An encoder made of libvorbis and libogg: frames go in, and pages come out.
final class VorbisStream {
    /// The number of frames in all packets so far.
    private(set) var packedFrames = 0

    /// The number of channels that `add` reads.
    private let channelCount: Int
    // The structures refer to one another, so they must not move.
    private let info = Buffer(count: 1, repeating: vorbis_info())
    private let comment = Buffer(count: 1, repeating: vorbis_comment())
    private let analysis = Buffer(count: 1, repeating: vorbis_dsp_state())
    private let block = Buffer(count: 1, repeating: vorbis_block())
    private let pages = Buffer(count: 1, repeating: ogg_stream_state())

    /// The bytes of a page, and the number of frames up to its end.
    struct Page {
        let bytes: [UInt8]
        let endFrame: Int
    }

    /// Creates a stream; returns `nil` if libvorbis does not support the channels or the rate.
    init?(channelCount: Int, sampleRate: Int, quality: Float, serial: Int) {
        self.channelCount = channelCount
        vorbis_info_init(info.start)
        vorbis_comment_init(comment.start)
        guard vorbis_encode_init_vbr(info.start, channelCount, sampleRate, quality) == 0,
            vorbis_analysis_init(analysis.start, info.start) == 0
        else { return nil }
        vorbis_block_init(analysis.start, block.start)
        ogg_stream_init(pages.start, Int32(truncatingIfNeeded: serial))
    }

    deinit {
        ogg_stream_clear(pages.start)
        vorbis_block_clear(block.start)
        vorbis_dsp_clear(analysis.start)
        vorbis_comment_clear(comment.start)
        vorbis_info_clear(info.start)
    }

    /// Adds the three header packets at the start of a file.
    func addHeaders() {
        var (start, tags, tables) = (ogg_packet(), ogg_packet(), ogg_packet())
        vorbis_analysis_headerout(analysis.start, comment.start, &start, &tags, &tables)
        ogg_stream_packetin(pages.start, &start)
        ogg_stream_packetin(pages.start, &tags)
        ogg_stream_packetin(pages.start, &tables)
    }

    /// Adds frames; the channels are `stride` samples apart.
    func add(_ frames: Int, from samples: UnsafePointer<Float>, stride: Int) {
        let room = vorbis_analysis_buffer(analysis.start, Int32(frames))
        for channel in 0..<channelCount {
            room?[channel]?.update(from: samples + channel * stride, count: frames)
        }
        vorbis_analysis_wrote(analysis.start, Int32(frames))
    }

    /// Ends the stream; no more frames follow.
    func end() { vorbis_analysis_wrote(analysis.start, 0) }

    /// Encodes the next packet; returns `false` if there are not enough frames for one.
    func nextPacket() -> Bool {
        var packet = ogg_packet()
        while vorbis_bitrate_flushpacket(analysis.start, &packet) != 1 {
            guard vorbis_analysis_blockout(analysis.start, block.start) == 1 else { return false }
            vorbis_analysis(block.start, nil)
            vorbis_bitrate_addblock(block.start)
        }
        ogg_stream_packetin(pages.start, &packet)
        packedFrames = max(packedFrames, Int(packet.granulepos))
        return true
    }

    /// Returns the next full page, or the partial one if `all` is set; `nil` if no page is ready.
    func nextPage(all: Bool) -> Page? {
        var page = ogg_page()
        let isThere =
            all ? ogg_stream_flush(pages.start, &page) : ogg_stream_pageout(pages.start, &page)
        guard isThere != 0 else { return nil }
        let header = UnsafeBufferPointer(start: page.header, count: page.header_len)
        let body = UnsafeBufferPointer(start: page.body, count: page.body_len)
        return Page(bytes: Array(header) + Array(body), endFrame: Int(ogg_page_granulepos(&page)))
    }
}
