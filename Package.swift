// swift-tools-version: 6.2
import PackageDescription

// The targets of the project, from the lowest layer to the highest. docs/architecture.md describes
// the layers and the way of data through them. Each entry states its purpose, and lists all modules
// that it imports.
let package = Package(
    name: "stompline",
    products: [.executable(name: "stompline", targets: ["stompline"])],
    dependencies: packages,
    targets: libraries + modules + programs + support + tools + suites
)

/// The Swift packages of the program.
///
/// The source archive has them, and those that they need, in a folder. Its build sets
/// `STOMPLINE_PACKAGES` to that folder, and needs no network.
var packages: [Package.Dependency] {
    if let folder = Context.environment["STOMPLINE_PACKAGES"] {
        return [
            "swift-argument-parser", "swift-atomics", "swift-collections", "swift-nio",
            "swift-nio-ssl", "swift-system",
        ].map { .package(path: "\(folder)/\($0)") }
    }
    return [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ]
}

/// The libraries of the system, and C that cannot be expressed in Swift.
var libraries: [Target] {
    [
        // The client interface of JACK.
        system("CJack", pkgConfig: "jack", debian: "libjack-jackd2-dev"),
        // LV2 plugins and their descriptions.
        system("CLilv", pkgConfig: "lv2", debian: "liblilv-dev"),
        // Sound files.
        system("CSndfile", pkgConfig: "sndfile", debian: "libsndfile1-dev"),
        // Loudness.
        system("CEbur128", pkgConfig: "libebur128", debian: "libebur128-dev"),
        // OSC messages.
        system("CLiblo", pkgConfig: "liblo", debian: "liblo-dev"),
        // TLS for streams, and hashes of keys.
        system("CGnuTLS", pkgConfig: "gnutls", debian: "libgnutls28-dev"),
        // Takes in FLAC.
        system("CFLAC", pkgConfig: "flac", debian: "libflac-dev"),
        // Takes in Ogg Vorbis.
        system("CVorbis", pkgConfig: "vorbisenc", debian: "libvorbis-dev"),
        // Compression of the page's files.
        system("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),

        // Child processes and their sandboxes; only Platform imports it.
        .target(
            name: "CLinux", publicHeadersPath: ".",
            cSettings: Settings.baselineC + Settings.fuzzedC),
        // Mathematics, flush-to-zero, calls through function pointers, for the audio thread.
        .target(name: "CRealtime", cSettings: Settings.baselineC + Settings.fuzzedC),
        // Records the blocking calls of a plugin that is tried, and its floating-point flags.
        .target(name: "CCallWatch", cSettings: Settings.fuzzedC),
        // The files of the page in the browser.
        .target(name: "CPage", exclude: ["Assets"]),
    ]
}

/// The modules of the program.
var modules: [Target] {
    [
        // Rings, ramps, buffers with one owner, decibels, memory locking.
        module("Realtime", imports: ["CRealtime"]),

        // The operating system: threads, mailboxes, blocking tasks, child processes, sandboxes.
        module("Platform", imports: ["CLinux", "Realtime", "CRealtime"]),

        // The settings of a machine that make it late, and the latency of its wake-ups.
        module("Doctor", imports: ["CZlib", "Platform", "CRealtime"]),

        // Filters, transforms, pitch trackers, stretch engine, resampler.
        module("DSP", imports: ["Realtime", "CRealtime"]),
        // Sound files: read from any frame, written piece by piece, converted.
        module("SoundFiles", imports: ["CEbur128", "CSndfile", "DSP", "Platform", "Realtime"]),

        // The contract between the engine and all processors.
        module("Processing", imports: ["Realtime", "CRealtime"]),
        // The built-in effects.
        module("Effects", imports: ["DSP", "Processing", "Realtime", "CRealtime"]),
        // LV2 plugins as processors, inside the program or in a child process.
        module(
            "LV2",
            imports: ["CLilv", "CCallWatch", "Platform", "Processing", "Realtime", "CRealtime"]),
        // The `player` node: sound files and network streams as sources.
        module(
            "Players",
            imports: [
                "CGnuTLS", "DSP", "Platform", "Processing", "Realtime", "SoundFiles", "CRealtime",
            ]),
        // The `recorder` node and its takes.
        module(
            "Recorders",
            imports: ["CFLAC", "CVorbis", "DSP", "Platform", "Processing", "Realtime", "CRealtime"]),
        // The `looper` node and the WAV files of its loops.
        module(
            "Loopers",
            imports: ["DSP", "Platform", "Processing", "Realtime", "SoundFiles", "CRealtime"]),
        // The built-in effects as LV2 plugins: the description of the bundle in `plugins`.
        // `scripts/build/plugins.sh` builds its binary.
        module("PluginBundle", imports: ["Processing"]),

        // From the text of a file to checked values.
        module("Pipelines", imports: ["Platform", "Processing", "Realtime"]),
        // From checked values to a schedule that the audio thread runs.
        module("Engine", imports: ["Pipelines", "Processing", "Realtime", "CRealtime"]),
        // The session: songs, scenes, values, edited files.
        module(
            "SessionCore",
            imports: [
                "DSP", "Engine", "Pipelines", "Platform", "Processing", "Realtime", "CRealtime",
            ]),

        // The session on a JACK server.
        module(
            "JackHost",
            imports: [
                "CJack", "Engine", "Pipelines", "Platform", "Processing", "Realtime", "SessionCore",
                "CRealtime",
            ]),
        // A pipeline without JACK: `render` and `bench`.
        module(
            "OfflineHost",
            imports: [
                "Engine", "Pipelines", "Platform", "Processing", "Realtime", "SoundFiles",
                "CRealtime",
            ]),
        // The last minutes of a session, kept for a report, and their replay.
        module(
            "BlackBox",
            imports: [
                "Engine", "Pipelines", "Platform", "Processing", "Realtime", "SoundFiles",
                "CRealtime",
            ]),
        // Remote control: OSC, session managers, editors that save a file.
        module(
            "Control", imports: ["CLiblo", "CRealtime", "Pipelines", "Platform", "SessionCore"]),
        // Events as text and JSON, and numbers as text.
        module(
            "SessionTexts",
            imports: ["Engine", "Pipelines", "Platform", "Processing", "SessionCore"]),
        // A whole night, played and examined without JACK: `prove`.
        module(
            "Proof",
            imports: [
                "Engine", "OfflineHost", "Pipelines", "Platform", "Processing", "Realtime",
                "SessionCore", "SessionTexts", "SoundFiles", "CRealtime",
            ]),
        // The page in the browser: HTTP, WebSockets, and the files of the page.
        module(
            "HTTPServer",
            imports: [
                "CGnuTLS", "CPage", "CZlib", "Pipelines", "Platform", "Processing", "SessionCore",
                "SessionTexts", "SoundFiles", nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                nio("NIOWebSocket"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        // The terminal view of a session, and its keys.
        module(
            "Terminal",
            imports: ["Platform", "Processing", "SessionCore", "SessionTexts", "CRealtime"]),
        // A pipeline as a picture.
        module("Drawing", imports: ["Pipelines", "Platform", "Processing"]),
    ]
}

/// The programs in `Sources`.
var programs: [Target] {
    [
        // The program that users run: one file per command.
        .executableTarget(
            name: "stompline",
            dependencies: [
                "BlackBox", "Control", "Doctor", "Drawing", "Effects", "Engine", "HTTPServer",
                "JackHost", "LV2", "Loopers", "OfflineHost", "Pipelines", "Platform", "Players",
                "Processing", "Proof", "Recorders", "SessionCore", "SessionTexts", "SoundFiles",
                "Terminal",
                "CRealtime", argumentParser,
            ],
            swiftSettings: Settings.swift,
            // The installed program then needs no Swift toolchain on the machine, and starts
            // faster.
            linkerSettings: [
                .unsafeFlags(["-static-stdlib"]),
                .linkedLibrary("_FoundationCShims"),
                .linkedLibrary("_FoundationCollections"),
            ]),
        // Prints the description of the bundle in `plugins`.
        .executableTarget(
            name: "describe-plugins", dependencies: ["Effects", "PluginBundle"],
            swiftSettings: Settings.swift),
    ]
}

/// The libraries that test suites and tools share, in `Tests/Support`.
var support: [Target] {
    [
        // Signals, measurements, scratch folders.
        module(
            "TestSignals", in: "Tests/Support",
            imports: ["DSP", "Processing", "SoundFiles", "CRealtime"]),
        // Clients of the server of the page.
        module("TestPages", in: "Tests/Support", imports: ["Pipelines"]),
        // A session manager under a test's control.
        module("TestSessions", in: "Tests/Support", imports: ["CLiblo"]),
        // A session with random changes and faults, which a black box watches.
        module(
            "TestNights", in: "Tests/Support",
            imports: [
                "BlackBox", "CRealtime", "Effects", "Engine", "Loopers", "OfflineHost", "Pipelines",
                "Players", "Processing", "Realtime", "SessionCore", "SoundFiles", "TestSignals",
            ]),
        // A plugin in the engine and in the plain C host.
        module(
            "PluginComparison", in: "Tests/Support",
            imports: [
                "LV2", "Engine", "Pipelines", "Processing", "Realtime", "CRealtime", "TestSignals",
            ]),
    ]
}

/// The programs that tests and scripts start, in `Tests/Tools`.
var tools: [Target] {
    [
        // Runs pipelines with random changes, for scripts/sanitize/sanitize.sh.
        tool(
            "stress", in: "Stress",
            imports: [
                "BlackBox", "CJack", "Engine", "Platform", "CRealtime", "Effects", "JackHost",
                "LV2", "Loopers", "Pipelines", "Players", "Processing", "Recorders", "SessionCore",
                "SessionTexts", argumentParser,
            ],
            exclude: ["bundled.json", "hosted.json", "hostile.json", "isolated.json"]),
        // The other JACK clients of scripts/endurance/soak.sh.
        tool("soak-partner", in: "SoakPartner", imports: ["CJack", "CRealtime"]),
        // The musician and the audience of scripts/endurance/gig.sh.
        tool("gig-partner", in: "GigPartner", imports: ["CJack"]),
        // The terminal view of a simulated session, for its tests.
        tool(
            "terminal-rehearsal", in: "TerminalRehearsal",
            imports: ["Platform", "SessionCore", "Terminal"]),
        // Runs a session with random changes and measures how audible they are, for
        // docs/on-stage.md.
        tool(
            "click-meter", in: "ClickMeter",
            imports: [
                "DSP", "Effects", "Engine", "LV2", "Loopers", "Pipelines", "Processing",
                "Realtime", "SessionCore", "SoundFiles", "TestSignals", argumentParser,
            ]),
        // Plays random nights with faults, and compares their replays to the bit.
        tool(
            "random-nights", in: "RandomNights",
            imports: ["BlackBox", "TestNights", argumentParser]),
        // Benchmarks our transform and others, for docs/measurements/transforms.md.
        tool("transform-bench", in: "TransformBench", imports: ["DSP"]),
        // Benchmarks our resampler and others, for docs/measurements/resampler.md.
        tool("resampler-bench", in: "ResamplerBench", imports: ["DSP", "TestSignals"]),
        // Plays a sound file at another speed, for scripts/measure/quality.py.
        tool("stretch-file", in: "StretchFile", imports: ["SoundFiles", "TestSignals"]),
        // Reads a stream in a separate process, for a test of its memory.
        tool("stream-reader", in: "StreamReader", imports: ["Players"]),
        // Records until it is terminated, for tests of the remaining files.
        tool(
            "take-maker", in: "TakeMaker",
            imports: ["Recorders", "SlowDisk", "Processing", "CRealtime"]),
        // A disk that take-maker can make slow.
        .target(name: "SlowDisk", path: "Tests/Tools/SlowDisk"),
        // A host in plain C, as the reference for tests and the benchmark.
        .executableTarget(
            name: "bare-lv2-host", dependencies: ["CLilv"], path: "Tests/Tools/BareHost",
            linkerSettings: [.linkedLibrary("lilv-0")]),
        // Compares every installed plugin, for scripts/check/survey-plugins.sh.
        tool(
            "plugin-survey", in: "PluginSurvey", imports: ["LV2", "PluginComparison", "Processing"]),
    ]
}

/// The test suites, in the order of the modules.
var suites: [Target] {
    [
        tests("RealtimeTests", imports: ["Realtime"]),
        tests(
            "PlatformTests", imports: ["Platform", "TestSignals"], exclude: ["Sandbox/Programs"]),
        tests("DoctorTests", imports: ["Doctor", "TestSignals"]),
        tests("DSPTests", imports: ["DSP", "TestSignals"]),
        tests("SoundFilesTests", imports: ["SoundFiles", "TestSignals"]),
        tests(
            "EffectsTests",
            imports: ["Effects", "Processing", "Realtime", "CRealtime", "TestSignals"]),
        tests(
            "LV2Tests",
            imports: [
                "LV2", "Engine", "OfflineHost", "Pipelines", "Platform", "PluginComparison",
                "Processing", "Realtime", "SoundFiles", "CRealtime", "TestSignals",
            ],
            exclude: ["Hostile"]),
        tests(
            "PlayersTests", imports: ["Players", "TestSignals"],
            exclude: ["Network/Server/server.py"]),
        tests(
            "RecordersTests",
            imports: [
                "Recorders", "Pipelines", "SoundFiles", "Processing", "CRealtime", "TestSignals",
            ]),
        tests(
            "LoopersTests",
            imports: [
                "Loopers", "DSP", "Engine", "Pipelines", "Processing", "Realtime", "SoundFiles",
                "CRealtime", "TestNights", "TestSignals",
            ]),
        tests(
            "PluginBundleTests",
            imports: ["PluginBundle", "Effects", "Processing", "CRealtime", "TestSignals"]),
        tests(
            "PipelinesTests", imports: ["Pipelines", "Effects", "Processing", "TestSignals"],
            exclude: ["Broken", "Valid", "Golden"]),
        tests(
            "EngineTests",
            imports: [
                "Engine", "Pipelines", "Platform", "Processing", "CRealtime", "TestSignals",
            ]),
        tests(
            "SessionCoreTests",
            imports: [
                "SessionCore", "Engine", "Effects", "Pipelines", "Processing", "CRealtime",
                "TestSignals",
            ]),
        tests(
            "JackHostTests",
            imports: [
                "JackHost", "CJack", "Engine", "Effects", "Pipelines", "Platform", "Processing",
                "SessionCore", "SoundFiles", "CRealtime", "TestPages", "TestSessions",
                "TestSignals",
            ],
            exclude: ["WaitingDriver"]),
        tests(
            "OfflineHostTests",
            imports: [
                "OfflineHost", "Engine", "Effects", "Pipelines", "Processing", "SoundFiles",
                "TestSignals",
            ]),
        tests(
            "BlackBoxTests",
            imports: [
                "BlackBox", "CRealtime", "Engine", "Pipelines", "Processing", "TestNights",
                "TestSignals",
            ]),
        tests(
            "ControlTests",
            imports: [
                "Control", "CLiblo", "Effects", "Pipelines", "Processing", "SessionCore",
                "TestSessions",
                "TestSignals",
            ]),
        tests(
            "HTTPServerTests",
            imports: [
                "HTTPServer", "CPage", "Effects", "Engine", "Pipelines", "Platform",
                "Processing", "SessionCore", "SessionTexts", "SoundFiles", "TestPages",
                "TestSignals",
            ]),
        tests(
            "SessionTextsTests",
            imports: ["SessionTexts", "Engine", "Pipelines", "Processing", "SessionCore"]),
        tests(
            "TerminalTests",
            imports: ["Terminal", "Engine", "Pipelines", "SessionCore", "TestSignals"]),
        tests("DrawingTests", imports: ["Drawing", "Pipelines", "Processing"]),
        tests(
            "ProofTests",
            imports: [
                "Proof", "Effects", "Engine", "Pipelines", "Processing", "SessionCore",
                "TestSignals", "CRealtime",
            ]),
        tests("CommandTests", imports: ["Control", "SessionCore", "SoundFiles", "TestSignals"]),
    ]
}

// The products of scripts/fuzz/fuzz.sh: the fuzz targets, which import the program as a module and
// share sources with a test.
if Context.environment["STOMPLINE_FUZZ"] != nil,
    let program = package.targets.first(where: { $0.name == "stompline" })
{
    package.products = [.executable(name: "fuzz", targets: ["fuzz"])]
    package.targets.removeAll { $0.type == .test || $0.name == "stompline" }
    package.targets += [
        .target(
            name: "stompline", dependencies: program.dependencies,
            swiftSettings: Settings.swift + [
                .unsafeFlags(["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "program"])
            ]),
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer", "CRealtime", "Control", "Doctor", "Drawing", "Effects", "Engine",
                "HTTPServer", "LV2", "Loopers", "OfflineHost", "Pipelines", "Players",
                "Processing", "Proof", "Realtime", "SessionCore", "SoundFiles", "Terminal",
                "stompline",
                argumentParser, nio("NIOCore"), nio("NIOEmbedded"),
            ],
            path: "Tests", exclude: ["Fuzz/CLibFuzzer", "Fuzz/Corpus", "Fuzz/pipeline.dict"],
            sources: [
                "Fuzz", "PipelinesTests/FakeCatalogue.swift", "PipelinesTests/FakePlugins.swift",
            ],
            swiftSettings: Settings.swift),
    ]
}

/// The settings of all code.
enum Settings {
    static let swift: [SwiftSetting] =
        baselineSwift + fuzzedSwift + [
            .swiftLanguageMode(.v6),
            .treatAllWarnings(as: .error),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            // `@_noLocks` follows calls only if it sees the whole module.
            .unsafeFlags(["-wmo"], .when(configuration: .debug)),
        ]

    // For scripts/fuzz/fuzz.sh: the fuzzer looks for new code in our modules, not in the packages.
    private static let isFuzzed = Context.environment["STOMPLINE_FUZZ"] != nil
    private static let undefinedBehaviour = [
        "-fsanitize=undefined", "-fno-sanitize=function,vptr", "-fno-sanitize-recover=undefined",
    ]
    static let fuzzedC: [CSetting] = isFuzzed ? [.unsafeFlags(undefinedBehaviour)] : []
    // C code in headers becomes a part of the Swift modules.
    private static let fuzzedSwift: [SwiftSetting] =
        isFuzzed
        ? [
            .unsafeFlags(
                [
                    "-sanitize-coverage="
                        + "edge,inline-8bit-counters,pc-table,trace-cmp,indirect-calls",
                    "-enable-testing",
                ] + undefinedBehaviour.flatMap { ["-Xcc", $0] })
        ] : []

    // Kernels are several times slower on plain x86-64; every processor since 2009 has v2.
    #if arch(x86_64)
        static let baselineC: [CSetting] = [.unsafeFlags(["-march=x86-64-v2"])]
        static let baselineSwift: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-march=x86-64-v2"])]
    #else
        static let baselineC: [CSetting] = []
        static let baselineSwift: [SwiftSetting] = []
    #endif
}

/// The parser of the command line.
var argumentParser: Target.Dependency {
    .product(name: "ArgumentParser", package: "swift-argument-parser")
}

/// Returns a library of SwiftNIO.
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

/// Returns a library of the system, which pkg-config finds.
func system(_ name: String, pkgConfig: String, debian package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Returns a module in `Sources`, or in another folder.
func module(_ name: String, in folder: String? = nil, imports: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: imports, path: folder.map { "\($0)/\(name)" },
        swiftSettings: Settings.swift)
}

/// Returns a program in `Tests/Tools`.
func tool(
    _ name: String, in folder: String, imports: [Target.Dependency], exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: imports, path: "Tests/Tools/\(folder)", exclude: exclude,
        swiftSettings: Settings.swift)
}

/// Returns the tests of a module, in `Tests`.
func tests(_ name: String, imports: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: imports, exclude: exclude, swiftSettings: Settings.swift)
}
