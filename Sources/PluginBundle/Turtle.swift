internal import Processing

/// The descriptions of the bundle's plugins in Turtle, the language of LV2 descriptions.
///
/// All names, ranges and defaults come from the effects' descriptions.
public struct BundleDescription {
    private let plugins: [BundledPlugin]
    /// The shared object in the same folder.
    private static let binary = "stompline.so"

    /// Creates the descriptions of these plugins.
    public init(of plugins: [BundledPlugin]) { self.plugins = plugins }

    /// The contents of `manifest.ttl`, the list of plugins.
    public var manifest: String {
        let entries = plugins.map { plugin in
            """
            <\(plugin.uri)>
                a lv2:Plugin ;
                lv2:binary <\(BundleDescription.binary)> ;
                rdfs:seeAlso <stompline.ttl> .

            """
        }
        return """
            @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
            @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .


            """ + (entries + plugins.flatMap(\.presets.entries)).joined(separator: "\n")
    }

    /// The contents of `presets.ttl`, the values of the presets.
    public var presets: String {
        """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .


        """ + plugins.flatMap(\.presets.contents).joined(separator: "\n")
    }

    /// The contents of `stompline.ttl`, the descriptions of the plugins.
    public var plugin: String {
        """
        @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
        @prefix doap: <http://usefulinc.com/ns/doap#> .
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix midi: <http://lv2plug.in/ns/ext/midi#> .
        @prefix pg: <http://lv2plug.in/ns/ext/port-groups#> .
        @prefix pprops: <http://lv2plug.in/ns/ext/port-props#> .
        @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix time: <http://lv2plug.in/ns/ext/time#> .
        @prefix units: <http://lv2plug.in/ns/extensions/units#> .
        @prefix urid: <http://lv2plug.in/ns/ext/urid#> .


        """ + plugins.map(\.turtle).joined(separator: "\n")
    }
}

extension BundledPlugin {
    /// One audio port per input and output channel, the parameters in order, `enabled`, `latency`,
    /// the reports in order, and the event port.
    private var ports: [PluginPort] {
        AudioChannel.all(of: channelCount).map { .audio(isInput: true, $0) }
            + AudioChannel.all(of: outputCount).map { .audio(isInput: false, $0) }
            + description.parameters.map(PluginPort.parameter) + [.enabled, .latency]
            + description.reports.map(PluginPort.report)
            + (events.map { [.events($0)] } ?? [])
    }

    /// The statements about the plugin.
    var turtle: String {
        let statements = ports.enumerated().map { index, port in
            "[\n" + port.turtle(index: index, of: uri).map { "        \($0) ;\n" }.joined()
                + "    ]"
        }
        return """
            <\(uri)>
                a lv2:Plugin , \(pluginClass) ;
                doap:name \(quoted("Stompline \(label)")) ;
                doap:license <http://opensource.org/licenses/mit> ;
                rdfs:comment \(quoted(description.summary)) ;
                lv2:minorVersion 4 ;
                lv2:microVersion 0 ;
                lv2:optionalFeature \(features) ;
                lv2:port \(statements.joined(separator: " , ")) .

            """ + groups.map { "\n" + $0.turtle(of: uri) }.joined()
    }

    private var features: String {
        events == nil ? "lv2:hardRTCapable" : "lv2:hardRTCapable , urid:map"
    }

    /// The groups of the ports, in the order of their first ports.
    private var groups: [PortGroup] {
        var known: Set<PortGroup> = []
        return ports.compactMap(\.group).filter { known.insert($0).inserted }
    }

    private var label: String {
        let remarks = [variant, channelCount == 1 ? "" : "stereo"].filter { !$0.isEmpty }
        return description.label + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
    }

    private var pluginClass: String {
        switch description.category {
        case "Pitch": "lv2:PitchPlugin"
        case "Filter": "lv2:FilterPlugin"
        case "Delay": "lv2:DelayPlugin"
        case "Time": "lv2:SpectralPlugin"
        case "Analysis": "lv2:AnalyserPlugin"
        case "Mixer": "lv2:MixerPlugin"
        case "Level": "lv2:AmplifierPlugin"
        default: "lv2:UtilityPlugin"
        }
    }
}

/// Returns a string literal in Turtle.
func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
        switch character {
        case "\"", "\\": result += "\\\(character)"
        case "\n": result += "\\n"
        default: result.append(character)
        }
    }
    return result + "\""
}
