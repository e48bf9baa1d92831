/// How ffmpeg is called for a stream: a list of arguments that no address can add to.
package struct StreamCommand {
    /// Where the sound comes from.
    let url: NetworkURL
    /// The form of the sound that it gives.
    let format: StreamFormat
    /// Where it begins.
    let start: StreamStart
    /// Whether it is a list of parts (HLS), which are cut by their time stamps.
    var isPlaylist = false
    /// Whether it is to tell where the address leads, instead of giving sound.
    var asksWhereItLeads = false

    /// A call for the sound from a frame on.
    package init(_ url: NetworkURL, format: StreamFormat, frame: Int = 0, hasPlaces: Bool = true) {
        self.url = url
        self.format = format
        start = StreamStart(frame: frame, sampleRate: format.sampleRate, hasPlaces: hasPlaces)
    }

    /// What may be read, by the names of ffmpeg's demultiplexers: sound, and video that has sound.
    ///
    /// There are no lists of further addresses but HLS, and nothing that reads text as pictures.
    private static let formats = [
        "aac", "ac3", "aiff", "amr", "ape", "asf", "au", "caf", "eac3", "flac", "flv", "hls",
        "latm", "loas",
        "matroska", "webm", "mov", "mp4", "m4a", "mp3", "mpeg", "mpegts", "ogg", "tta", "w64",
        "wav", "wv",
    ].joined(separator: ",")

    /// With http, ffmpeg takes no option that has it check a certificate: so it must not go on to https by itself.
    private var protocols: String {
        url.isEncrypted ? "https,tls,http,tcp,crypto,httpproxy" : "http,tcp,crypto,httpproxy"
    }

    /// The program's name and its arguments.
    package var arguments: [String] {
        let certificate = url.isEncrypted ? ["-tls_verify", "1"] : []
        return [
            "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-loglevel",
            "repeat+level+" + (asksWhereItLeads ? "trace" : "verbose"), "-threads", "1",
            "-protocol_whitelist", protocols, "-format_whitelist", Self.formats,
        ] + certificate + seek + [
            "-i", url.text, "-map", "0:a:0", "-ac", "\(format.channels)", "-af", filters, "-c:a",
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
