internal import CVorbis

/// Sound on its way through libvorbis and libogg: frames in, pages out.
final class VorbisStream {
    /// Frames in the packets that were made.
    private(set) var packedFrames = 0

    private let info = UnsafeMutablePointer<vorbis_info>.allocate(capacity: 1)
    private let comment = UnsafeMutablePointer<vorbis_comment>.allocate(capacity: 1)
    private let analysis = UnsafeMutablePointer<vorbis_dsp_state>.allocate(capacity: 1)
    private let block = UnsafeMutablePointer<vorbis_block>.allocate(capacity: 1)
    private let pages = UnsafeMutablePointer<ogg_stream_state>.allocate(capacity: 1)

    /// A page's bytes, and how many frames there are up to its end.
    struct Page {
        let bytes: [UInt8]
        let endFrame: Int
    }

    /// Nil where libvorbis has no such sound.
    init?(channelCount: Int, sampleRate: Int, quality: Float, serial: Int) {
        vorbis_info_init(info)
        vorbis_comment_init(comment)
        // Only what is set up below may be cleared.
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

    /// Adds the three packets that a file begins with.
    func addHeaders() {
        var (start, tags, tables) = (ogg_packet(), ogg_packet(), ogg_packet())
        vorbis_analysis_headerout(analysis, comment, &start, &tags, &tables)
        ogg_stream_packetin(pages, &start)
        ogg_stream_packetin(pages, &tags)
        ogg_stream_packetin(pages, &tables)
    }

    /// Takes frames, a pointer for each channel.
    func add(_ frames: Int, from channels: [UnsafeMutablePointer<Float>]) {
        let room = vorbis_analysis_buffer(analysis, Int32(frames))
        for channel in channels.indices {
            room?[channel]?.update(from: channels[channel], count: frames)
        }
        vorbis_analysis_wrote(analysis, Int32(frames))
    }

    /// Says that no more frames come.
    func end() { vorbis_analysis_wrote(analysis, 0) }

    /// Makes the next packet of what was added; false where there is too little for one.
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

    /// The next page that is full, or what there is of one; nil where there is none.
    func nextPage(all: Bool) -> Page? {
        var page = ogg_page()
        let isThere = all ? ogg_stream_flush(pages, &page) : ogg_stream_pageout(pages, &page)
        guard isThere != 0 else { return nil }
        let header = UnsafeBufferPointer(start: page.header, count: page.header_len)
        let body = UnsafeBufferPointer(start: page.body, count: page.body_len)
        return Page(bytes: Array(header) + Array(body), endFrame: Int(ogg_page_granulepos(&page)))
    }
}
