// swift-tools-version: 6.2
import PackageDescription

// Kernels are several times slower on plain x86-64; every processor since 2009 has v2.
#if arch(x86_64)
    let baselineC: [CSetting] = [.unsafeFlags(["-march=x86-64-v2"])]
    let baselineSwift: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-march=x86-64-v2"])]
#else
    let baselineC: [CSetting] = []
    let baselineSwift: [SwiftSetting] = []
#endif

let swiftSettings: [SwiftSetting] =
    baselineSwift + [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        // `@_noLocks` follows calls only if it sees the whole module.
        .unsafeFlags(["-wmo"], .when(configuration: .debug)),
    ]

/// Returns a module of the project, in `Sources`.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// Returns the tests of a module, in `Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

let package = Package(
    name: "stompline",
    products: [.executable(name: "stompline", targets: ["stompline"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // System libraries, and C that cannot be expressed in Swift.
        .systemLibrary(
            name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
        .systemLibrary(name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
        .systemLibrary(
            name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(
            name: "CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
        .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
        .systemLibrary(
            name: "CVorbis", pkgConfig: "vorbisenc", providers: [.apt(["libvorbis-dev"])]),
        .target(name: "CRealtime", cSettings: baselineC),
        .target(name: "CCallWatch"),

        // Threads, and the means to wake them.
        module("Threads", ["CLinux", "CRealtime"]),

        // Audio code that runs in the callback.
        module("Realtime", ["CRealtime"]),
        module("DSP", ["Realtime", "CRealtime"]),
        module("Processing", ["CRealtime"]),
        module("Effects", ["DSP", "Processing", "Realtime", "CRealtime"]),
        module(
            "LV2",
            ["CLilv", "CCallWatch", "CLinux", "Processing", "Realtime", "Threads", "CRealtime"]),
        module("SoundFiles", ["CSndfile", "CLinux", "DSP"]),
        module("Conversion", ["CEbur128", "SoundFiles"]),
        module(
            "Recorders",
            [
                "CFLAC", "CVorbis", "DSP", "Processing", "Realtime", "Threads", "CRealtime",
            ]),

        // The built-in effects as LV2 plugins: the description of the bundle in `plugins`.
        // `scripts/build/plugins.sh` builds its binary.
        module("PluginBundle", ["Processing"]),
        .executableTarget(
            name: "describe-plugins", dependencies: ["Effects", "PluginBundle"],
            swiftSettings: swiftSettings),

        // Sound files and network streams as sources.
        module(
            "Players",
            [
                "CGnuTLS", "CLinux", "DSP", "Processing", "Realtime", "SoundFiles", "Threads",
                "CRealtime",
            ]),

        // From a file to a schedule for the engine.
        module("Pipelines", ["Processing"]),
        module("Engine", ["Pipelines", "Processing", "Realtime", "CRealtime"]),

        // The session: songs, scenes, values, and the edited files.
        module("Show", ["Engine", "Pipelines", "Processing", "Realtime", "Threads", "CRealtime"]),

        // Remote control: other programs, session managers, editors that save a file.
        module("Control", ["CLiblo", "CLinux", "Pipelines", "Show", "Threads"]),

        // A pipeline as a drawing.
        module("Drawing", ["Pipelines", "Processing"]),

        // The hosts that run a schedule.
        module(
            "JackHost",
            [
                "CJack", "Engine", "Pipelines", "Processing", "Realtime", "Show", "Threads",
                "CRealtime",
            ]),
        module(
            "OfflineHost",
            [
                "Engine", "Pipelines", "Processing", "SoundFiles", "CRealtime",
            ]),

        // Events as text and JSON, and numbers as text.
        module("SessionTexts", ["Engine", "Pipelines", "Processing", "Show"]),

        // The session in a terminal, and its keys.
        module("Terminal", ["Processing", "SessionTexts", "Show", "Threads", "CRealtime"]),
        .executableTarget(
            name: "stompline",
            dependencies: [
                "Control", "Conversion", "Drawing", "Effects", "Engine", "JackHost", "LV2",
                "OfflineHost", "Pipelines", "Players", "Processing", "Recorders", "SessionTexts",
                "Show", "SoundFiles", "Terminal", "Threads", "CRealtime",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings,
            // The installed program then needs no Swift toolchain on the machine, and starts
            // faster.
            linkerSettings: [
                .unsafeFlags(["-static-stdlib"]), .linkedLibrary("_FoundationCShims"),
                .linkedLibrary("_FoundationCollections"),
            ]),

        // Runs pipelines with random changes, for scripts/sanitize/sanitize.sh.
        .executableTarget(
            name: "stress",
            dependencies: [
                "CJack", "CRealtime", "Effects", "JackHost", "LV2", "Pipelines", "Players",
                "Processing", "Recorders", "SessionTexts", "Show", "Threads",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Tools/Stress", exclude: ["hosted.json", "hostile.json", "isolated.json"],
            swiftSettings: swiftSettings),

        // The other JACK clients of scripts/endurance/soak.sh.
        .executableTarget(
            name: "soak-partner", dependencies: ["CJack", "CRealtime"],
            path: "Tests/Tools/SoakPartner", swiftSettings: swiftSettings),

        // The terminal view of a simulated session, for its tests.
        .executableTarget(
            name: "terminal-rehearsal", dependencies: ["Show", "Terminal", "Threads"],
            path: "Tests/Tools/TerminalRehearsal", swiftSettings: swiftSettings),

        // Runs a session with random changes and measures how audible they are, for
        // docs/on-stage.md.
        .executableTarget(
            name: "click-meter",
            dependencies: [
                "DSP", "Effects", "Engine", "LV2", "Pipelines", "Processing", "Show", "SoundFiles",
                "TestSignals",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Tools/ClickMeter", swiftSettings: swiftSettings),

        // Benchmarks our transform and others, for docs/transforms.md.
        .executableTarget(
            name: "transform-bench", dependencies: ["DSP"], path: "Tests/Tools/TransformBench",
            swiftSettings: swiftSettings),
        // Benchmarks our resampler and others, for docs/resampler.md.
        .executableTarget(
            name: "resampler-bench", dependencies: ["DSP", "TestSignals"],
            path: "Tests/Tools/ResamplerBench", swiftSettings: swiftSettings),
        // Plays a sound file at another speed, for scripts/measure/quality.py.
        .executableTarget(
            name: "stretch-file", dependencies: ["SoundFiles", "TestSignals"],
            path: "Tests/Tools/StretchFile", swiftSettings: swiftSettings),

        // The tests mirror the modules.
        .target(
            name: "TestSignals", dependencies: ["DSP", "Processing", "SoundFiles", "CRealtime"],
            path: "Tests/Support/TestSignals",
            swiftSettings: swiftSettings),
        // A session manager under a test's control.
        .target(
            name: "TestSessions", dependencies: ["CLiblo"], path: "Tests/Support/TestSessions",
            swiftSettings: swiftSettings),
        tests("CLinuxTests", ["CLinux", "TestSignals"], exclude: ["Programs"]),
        tests("ThreadsTests", ["Threads", "TestSignals"]),
        tests("RealtimeTests", ["Realtime"]),
        tests("DSPTests", ["DSP", "TestSignals"]),
        tests(
            "EffectsTests",
            ["Effects", "Processing", "CRealtime", "TestSignals"]),
        tests(
            "PluginBundleTests", ["PluginBundle", "Effects", "Processing", "TestSignals"]),
        tests(
            "PlayersTests", ["Players", "TestSignals"],
            exclude: ["Network/Server/server.py"]),
        // Reads a stream in a process of its own, for a test of its memory.
        .executableTarget(
            name: "stream-reader", dependencies: ["Players"], path: "Tests/Tools/StreamReader",
            swiftSettings: swiftSettings),
        tests("SoundFilesTests", ["SoundFiles", "TestSignals"]),
        tests("ConversionTests", ["Conversion", "SoundFiles", "TestSignals"]),
        .target(name: "SlowDisk", path: "Tests/Tools/SlowDisk"),
        // Records until it is terminated, for tests of the remaining files.
        .executableTarget(
            name: "take-maker",
            dependencies: ["Recorders", "SlowDisk", "Processing", "CRealtime"],
            path: "Tests/Tools/TakeMaker", swiftSettings: swiftSettings),
        tests(
            "RecordersTests",
            ["Recorders", "Pipelines", "SoundFiles", "Processing", "CRealtime", "TestSignals"]),
        // A host in plain C, as the reference for tests and the benchmark.
        .executableTarget(
            name: "bare-lv2-host", dependencies: ["CLilv"], path: "Tests/Tools/BareHost"),
        .target(
            name: "PluginComparison",
            dependencies: ["LV2", "Engine", "Pipelines", "Processing", "CRealtime", "TestSignals"],
            path: "Tests/Support/PluginComparison", swiftSettings: swiftSettings),
        .executableTarget(
            name: "plugin-survey", dependencies: ["LV2", "PluginComparison", "Processing"],
            path: "Tests/Tools/PluginSurvey", swiftSettings: swiftSettings),
        tests(
            "LV2Tests",
            [
                "LV2", "Engine", "OfflineHost", "Pipelines", "PluginComparison", "Processing",
                "Realtime", "SoundFiles", "CRealtime", "TestSignals",
            ],
            exclude: ["Hostile"]),
        tests(
            "PipelinesTests", ["Pipelines", "Effects", "Processing", "TestSignals"],
            exclude: ["Broken", "Valid", "Golden"]),
        tests(
            "EngineTests",
            [
                "Engine", "Pipelines", "Processing", "CRealtime",
                "TestSignals",
            ]),
        tests(
            "ShowTests",
            [
                "Show", "Engine", "Effects", "Pipelines", "Processing", "CRealtime", "TestSignals",
            ]),
        tests(
            "OfflineHostTests",
            [
                "OfflineHost", "Engine", "Effects", "Pipelines", "Processing", "SoundFiles",
                "TestSignals",
            ]),
        tests(
            "JackHostTests",
            [
                "JackHost", "CJack", "Engine", "Effects", "Pipelines", "Processing", "Show",
                "SoundFiles", "Threads", "CRealtime", "TestSessions", "TestSignals",
            ]),
        tests(
            "ControlTests",
            [
                "Control", "CLiblo", "Effects", "Pipelines", "Processing", "Show", "TestSessions",
                "TestSignals",
            ]),
        tests("DrawingTests", ["Drawing", "Pipelines", "Processing"]),
        tests("SessionTextsTests", ["SessionTexts", "Engine", "Processing", "Show"]),
        tests("TerminalTests", ["Terminal", "Engine", "Show", "TestSignals"]),
        tests("CommandTests", ["Control", "Show", "SoundFiles", "TestSignals"]),
    ]
)

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
            swiftSettings: swiftSettings + [
                .unsafeFlags(["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "program"])
            ]),
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer", "CRealtime", "Control", "Drawing", "Effects", "Engine", "LV2",
                "OfflineHost", "Pipelines", "Players", "Processing", "Show", "SoundFiles",
                "Terminal", "stompline",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests", exclude: ["Fuzz/CLibFuzzer", "Fuzz/Corpus", "Fuzz/pipeline.dict"],
            sources: [
                "Fuzz", "PipelinesTests/FakeCatalogue.swift", "PipelinesTests/FakePlugins.swift",
            ],
            swiftSettings: swiftSettings),
    ]
}
