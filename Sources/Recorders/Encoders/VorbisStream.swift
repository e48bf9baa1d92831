internal import CVorbis

/// An encoder made of libvorbis and libogg: frames go in, and pages come out.
final class VorbisStream {
    /// The number of frames in all packets so far.
    private(set) var packedFrames = 0

    private let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
    private let comment = UnsafeMutablePointer<vorbis_comment>.allocate(capacity: 1)
    private let analysis = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
    private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)
    private let pages = UnsafeMutablePointer<ogg_stream_state>.allocate(capacity: 1)

    /// The bytes of a page, and the number of frames up to its end.
    struct Page {
        let bytes: [UInt8]
        let endFrame: Int
    }

    /// Creates a stream; returns `nil` if libvorbis does not support the channels or the rate.
    init?(channelCount: Int, sampleRate: Int, quality: Float, serial: Int) {
        vorbis_info_init(info)
        vorbis_comment_init(comment)
        // Only structures that are initialised here may be cleared in `deinit`.
        analysis.initialize(to: vorbis_dsp_state())
        block.initialize(to: vorbis_block())
        pages.initialize(to: ogg_stream_state())
        guard vorbis_encode_init_vbr(info, channelCount, sampleRate, quality) == 0,
            vorbis_analysis_init(analysis, info) == 0
        else { return nil }
        vorbis_block_init(analysis, block)
        ogg_stream_init(pages, Int32(truncatingIfNeeded: serial))
    }

    deinit {
        ogg_stream_clear(pages)
        vorbis_block_clear(block)
        vorbis_dsp_clear(analysis)
        vorbis_comment_clear(comment)
        vorbis_info_clear(info)
        pages.deallocate()
        block.deallocate()
        analysis.deallocate()
        comment.deallocate()
        info.deallocate()
    }

    /// Adds the three header packets at the start of a file.
    func addHeaders() {
        var (start, tags, tables) = (ogg_packet(), ogg_packet(), ogg_packet())
        vorbis_analysis_headerout(analysis, comment, &start, &tags, &tables)
        ogg_stream_packetin(pages, &start)
        ogg_stream_packetin(pages, &tags)
        ogg_stream_packetin(pages, &tables)
    }

    /// Adds frames from a pointer per channel.
    func add(_ frames: Int, from channels: [UnsafeMutablePointer<Float>]) {
        let room = vorbis_analysis_buffer(analysis, Int32(frames))
        for channel in channels.indices {
            room?[channel]?.update(from: channels[channel], count: frames)
        }
        vorbis_analysis_wrote(analysis, Int32(frames))
    }

    /// Ends the stream; no more frames follow.
    func end() { vorbis_analysis_wrote(analysis, 0) }

    /// Encodes the next packet; returns `false` if there are not enough frames for one.
    func nextPacket() -> Bool {
        var packet = ogg_packet()
        while vorbis_bitrate_flushpacket(analysis, &packet) != 1 {
            guard vorbis_analysis_blockout(analysis, block) == 1 else { return false }
            vorbis_analysis(block, nil)
            vorbis_bitrate_addblock(block)
        }
        ogg_stream_packetin(pages, &packet)
        packedFrames = max(packedFrames, Int(packet.granulepos))
        return true
    }

    /// Returns the next full page, or the partial one if `all` is set; `nil` if no page is ready.
    func nextPage(all: Bool) -> Page? {
        var page = ogg_page()
        let isThere = all ? ogg_stream_flush(pages, &page) : ogg_stream_pageout(pages, &page)
        guard isThere != 0 else { return nil }
        let header = UnsafeBufferPointer(start: page.header, count: page.header_len)
        let body = UnsafeBufferPointer(start: page.body, count: page.body_len)
        return Page(bytes: Array(header) + Array(body), endFrame: Int(ogg_page_granulepos(&page)))
    }
}
