import LV2
import PluginComparison
import Testing

@Suite("Output compared with the bare host")
struct EqualityTests {
    static let world = PluginWorld()

    @Test(
        "plugins with default controls give the same bits for noise and sines as in a bare C host",
        arguments: amplifiers + calf + lsp + mda + swh + zam + x42 + invada)
    func equality(uri: String) {
        #expect(Comparison(of: uri, in: Self.world, blocks: 150) == .equal)
    }

    static let amplifiers = [
        "http://lv2plug.in/plugins/eg-amp", "http://lv2plug.in/plugins/eg-scope#Mono",
        "http://lv2plug.in/plugins/eg-metro",
    ]
    static let calf = [
        "Reverb", "Compressor", "SidechainCompressor", "Equalizer5Band", "VintageDelay", "Flanger",
        "MonoInput", "RotarySpeaker", "Saturator", "Pulsator", "ReverseDelay",
    ].map { "http://calf.sourceforge.net/plugins/" + $0 }
    static let lsp = [
        "para_equalizer_x16_mono", "graph_equalizer_x16_stereo", "compressor_stereo",
        "sc_compressor_stereo", "gate_mono", "limiter_stereo", "mb_compressor_stereo",
        "comp_delay_mono", "loud_comp_stereo", "art_delay_stereo",
        // With 2 inputs and 18 or 98 outputs, and with 1082 ports.
        "crossover_lr", "multisampler_x48_do", "sc_mb_dyna_processor_ms",
    ].map { "http://lsp-plug.in/plugins/lv2/" + $0 }
    static let mda = [
        "Delay", "DubDelay", "Leslie", "Limiter", "Overdrive", "RezFilter", "Vocoder",
    ].map {
        "http://drobilla.net/plugins/mda/" + $0
    }
    static let swh = [
        "gverb", "plate", "flanger", "sc4", "hardLimiter", "fastLookaheadLimiter", "amPitchshift",
        "bodeShifter", "tapeDelay",
    ].map { "http://plugin.org.uk/swh-plugins/" + $0 }
    static let zam = ["ZamComp", "ZamEQ2", "ZamTube", "ZamDelay"].map { "urn:zamaudio:" + $0 }
    static let x42 = ["fil4#stereo", "fat1", "darc#mono", "dpl#stereo", "phaserotate", "nodelay"]
        .map {
            "http://gareus.org/oss/lv2/" + $0
        }
    static let invada = [
        "compressor/stereo", "delay/mono", "filter/lpf/stereo", "phaser/sum", "tube/mono",
        "erreverb/mono",
    ].map { "http://invadarecords.com/plugins/lv2/" + $0 }
}
