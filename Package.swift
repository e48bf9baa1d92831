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
        // `@_noLocks` follows calls only where it sees the whole module.
        .unsafeFlags(["-wmo"], .when(configuration: .debug)),
    ]

/// A module of the project, in `Sources`.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// The tests of a module, in `Tests`.
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
        // System libraries and the C that Swift cannot say.
        .systemLibrary(
            name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
        .systemLibrary(name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
        .systemLibrary(
            name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(
            name: "CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
        .systemLibrary(
            name: "CVorbis", pkgConfig: "vorbisenc", providers: [.apt(["libvorbis-dev"])]),
        .target(name: "CRealtime", cSettings: baselineC),
        .target(name: "CCallWatch"),

        // Threads of our own, and what wakes them.
        module("Threads", ["CLinux", "CRealtime"]),

        // Sound: what runs in the callback.
        module("Realtime", ["CRealtime"]),
        module("DSP", ["Realtime", "CRealtime"]),
        module("Processing", ["CRealtime"]),
        module("Effects", ["DSP", "Processing", "Realtime", "CRealtime"]),
        module(
            "LV2", ["CLilv", "CCallWatch", "Processing", "Realtime", "Threads", "CRealtime"]),
        module("SoundFiles", ["CSndfile", "CLinux", "DSP"]),
        module("Conversion", ["CEbur128", "SoundFiles"]),
        module(
            "Recorders",
            [
                "CFLAC", "CVorbis", "DSP", "Processing", "Realtime", "Threads", "CRealtime",
            ]),

        // Our own effects as LV2 plugins: what the bundle in `plugins` says of them. `scripts/build-plugins.sh` builds its binary.
        module("PluginBundle", ["Processing"]),
        .executableTarget(
            name: "describe-plugins", dependencies: ["Effects", "PluginBundle"],
            swiftSettings: swiftSettings),

        // Sound of files and of the network as sources.
        module(
            "Players",
            [
                "CLinux", "DSP", "Processing", "Realtime", "SoundFiles", "Threads", "CRealtime",
            ]),

        // From a file to a schedule that plays.
        module("Pipelines", ["Processing"]),
        module("Engine", ["Pipelines", "Processing", "Realtime", "CRealtime"]),

        // What plays tonight: songs, scenes, values, and what the file says now.
        module("Show", ["Engine", "Pipelines", "Processing", "Threads", "CRealtime"]),

        // Hands beside the keyboard: other programs, session managers, editors that save a file.
        module("Control", ["CLiblo", "CLinux", "Pipelines", "Show", "Threads"]),

        // A pipeline as a picture.
        module("Drawing", ["Pipelines", "Processing"]),

        // Where the schedule plays.
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

        // What plays, shown in a terminal, and its keys.
        module("Terminal", ["JackHost", "Pipelines", "Show", "Threads"]),
        .executableTarget(
            name: "stompline",
            dependencies: [
                "Control", "Conversion", "Drawing", "Effects", "Engine", "JackHost", "LV2",
                "OfflineHost", "Pipelines", "Players", "Processing", "Recorders", "Show",
                "SoundFiles", "Terminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings,
            // The installed program needs no Swift toolchain beside it, and starts faster.
            linkerSettings: [
                .unsafeFlags(["-static-stdlib"]), .linkedLibrary("_FoundationCShims"),
                .linkedLibrary("_FoundationCollections"),
            ]),

        // Plays a pipeline while all of it moves, for scripts/sanitize.sh.
        .executableTarget(
            name: "stress",
            dependencies: [
                "CJack", "CRealtime", "Effects", "JackHost", "LV2", "Pipelines", "Players",
                "Processing", "Recorders", "Show",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Stress", exclude: ["hosted.json", "hostile.json", "isolated.json"],
            swiftSettings: swiftSettings),

        // The other JACK client of scripts/soak.sh.
        .executableTarget(
            name: "soak-partner", dependencies: ["CJack", "CRealtime"], path: "Tests/SoakPartner",
            swiftSettings: swiftSettings),

        // The terminal view before a show that is none, for its tests.
        .executableTarget(
            name: "terminal-rehearsal", dependencies: ["Pipelines", "Show", "Terminal"],
            path: "Tests/TerminalRehearsal", swiftSettings: swiftSettings),

        // Plays a show while all of it changes and measures what is heard of that, for docs/on-stage.md.
        .executableTarget(
            name: "click-meter",
            dependencies: [
                "DSP", "Effects", "Engine", "LV2", "Pipelines", "Processing", "Show", "SoundFiles",
                "TestSignals",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/ClickMeter", swiftSettings: swiftSettings),

        // Times our transform beside others, for docs/transforms.md.
        .executableTarget(
            name: "transform-bench", dependencies: ["DSP"], path: "Tests/TransformBench",
            swiftSettings: swiftSettings),
        // Times and measures our resampler beside others, for docs/resampler.md.
        .executableTarget(
            name: "resampler-bench", dependencies: ["DSP", "TestSignals"],
            path: "Tests/ResamplerBench", swiftSettings: swiftSettings),
        // Plays a sound file at another speed, for scripts/quality.py.
        .executableTarget(
            name: "stretch-file", dependencies: ["SoundFiles", "TestSignals"],
            path: "Tests/StretchFile", swiftSettings: swiftSettings),

        // The tests mirror the modules.
        .target(
            name: "TestSignals", dependencies: ["DSP", "Processing", "SoundFiles", "CRealtime"],
            path: "Tests/TestSignals",
            swiftSettings: swiftSettings),
        // A session manager that says what a test wants.
        .target(
            name: "TestSessions", dependencies: ["CLiblo"], path: "Tests/TestSessions",
            swiftSettings: swiftSettings),
        tests("ThreadsTests", ["Threads"]),
        tests("RealtimeTests", ["Realtime"]),
        tests("DSPTests", ["DSP", "TestSignals"]),
        tests(
            "EffectsTests",
            ["Effects", "Processing", "TestSignals"]),
        tests(
            "PluginBundleTests", ["PluginBundle", "Effects", "Processing", "TestSignals"]),
        tests(
            "PlayersTests", ["Players", "TestSignals"],
            exclude: ["Network/Server/server.py"]),
        tests("SoundFilesTests", ["SoundFiles", "TestSignals"]),
        tests("ConversionTests", ["Conversion", "SoundFiles", "TestSignals"]),
        .target(name: "SlowDisk", path: "Tests/SlowDisk"),
        // Records until it is ended, for tests of what is left then.
        .executableTarget(
            name: "take-maker",
            dependencies: ["Recorders", "SlowDisk", "Processing", "CRealtime"],
            path: "Tests/TakeMaker", swiftSettings: swiftSettings),
        tests(
            "RecordersTests",
            ["Recorders", "Pipelines", "SoundFiles", "Processing", "CRealtime", "TestSignals"]),
        // A host in plain C that the tests and the benchmark compare with.
        .executableTarget(
            name: "bare-lv2-host", dependencies: ["CLilv"], path: "Tests/BareHost"),
        .target(
            name: "PluginComparison",
            dependencies: ["LV2", "Engine", "Pipelines", "Processing", "CRealtime", "TestSignals"],
            path: "Tests/PluginComparison", swiftSettings: swiftSettings),
        .executableTarget(
            name: "plugin-survey", dependencies: ["LV2", "PluginComparison", "Processing"],
            path: "Tests/PluginSurvey", swiftSettings: swiftSettings),
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
        tests("ControlTests", ["Control", "CLiblo", "Show", "TestSessions", "TestSignals"]),
        tests("DrawingTests", ["Drawing", "Pipelines", "Processing"]),
        tests(
            "TerminalTests", ["Terminal", "Engine", "JackHost", "Pipelines", "Show", "TestSignals"]),
        tests("CommandTests", ["Control", "Show", "SoundFiles", "TestSignals"]),
    ]
)
