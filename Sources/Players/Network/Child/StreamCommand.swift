/// The arguments of ffmpeg for a stream; they contain no network address.
package struct StreamCommand {
    /// The local port through which ffmpeg fetches everything.
    let gatewayPort: UInt16
    /// The address that ffmpeg requests first.
    let input: String
    /// The format of the sound that ffmpeg delivers.
    let format: StreamFormat
    /// The position where ffmpeg starts.
    let start: StreamStart
    /// Whether the stream is an HLS playlist, whose segments are cut by their time stamps.
    var isPlaylist = false

    /// Creates the arguments for the sound from a frame on.
    package init(
        _ input: String, gatewayPort: UInt16, format: StreamFormat, frame: Int = 0,
        isSeekable: Bool = true
    ) {
        self.input = input
        self.gatewayPort = gatewayPort
        self.format = format
        start = StreamStart(frame: frame, sampleRate: format.sampleRate, isSeekable: isSeekable)
    }

    /// The allowed formats, by the names of ffmpeg's demultiplexers: audio, and video with audio.
    ///
    /// HLS is the only format with further addresses, and no format reads text as pictures.
    private static let formats = [
        "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "caf", "eac3", "flac", "flv", "hls",
        "latm", "loas",
        "matroska", "webm", "mov", "mp4", "m4a", "mp3", "mpeg", "mpegts", "ogg", "tta", "w64",
        "wav", "wv",
    ].joined(separator: ",")

    /// The protocols that ffmpeg may use.
    ///
    /// With `https` or `httpproxy`, a playlist could make ffmpeg bypass the gateway.
    private static let protocols = "http,tcp,crypto"

    /// The name of the program and its arguments.
    package var arguments: [String] {
        [
            "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-loglevel", "repeat+level+verbose",
            "-threads", "1", "-protocol_whitelist", Self.protocols, "-format_whitelist",
            Self.formats, "-http_proxy", "http://127.0.0.1:\(gatewayPort)",
        ] + seek + [
            "-i", input, "-map", "0:a:0", "-ac", "\(format.channels)", "-af", filters, "-c:a",
            "pcm_f32le", "-f",
            "f32le", "pipe:1",
        ]
    }

    private var seek: [String] {
        guard start.microseconds > 0 else { return [] }
        return (isPlaylist ? ["-copyts", "-start_at_zero"] : []) + [
            "-ss", "\(start.microseconds)us",
        ]
    }

    private var filters: String {
        let resampling = "aresample=\(format.sampleRate):resampler=soxr:precision=28:osf=flt"
        guard isPlaylist, start.microseconds > 0 else { return resampling }
        return resampling + ",aresample=first_pts=\(start.beginFrame)"
    }
}
