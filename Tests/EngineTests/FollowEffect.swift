import CRealtime
import Processing

/// An effect that follows changes of one of its settings, `level`.
///
/// Its output is the number of frames that it has run, divided by 1,000,000, plus the level; a new
/// processor therefore starts again at 0.
enum FollowEffect {
    static let effect = Effect(
        description: description,
        settingsRule: SettingsRule(
            allows: { $0["fixed"] == $1["fixed"] },
            memoryBytes: { Int(($1.settings["bytes"]?.number ?? 0) - ($0["bytes"]?.number ?? 0)) }
        )
    ) { request in
        let level = Level(request.settings)
        return Processor(
            FollowKernel(level: level.value), owner: level, inputCount: request.inputChannels,
            outputCount: request.outputChannels, settingsFollower: level)
    }

    static let description = NodeDescription(
        name: "follow", label: "Follow", summary: "",
        settings: [
            SettingDescription("level", kind: .number(-1000...1000)),
            SettingDescription("fixed", kind: .number(0...1)),
            SettingDescription("bytes", kind: .number(0...1e12)),
        ])

    /// The level, which cannot become negative.
    private final class Level: SettingsFollower {
        let value: UnsafeMutablePointer<Float>

        init(_ settings: [String: SettingValue]) {
            value = .allocate(capacity: 1)
            value.initialize(to: Float(settings["level"]?.number ?? 0))
        }

        deinit { value.deallocate() }

        func prepareChange(
            to request: ProcessorRequest
        ) throws(PluginError) -> any SettingsChange {
            let level = Float(request.settings["level"]?.number ?? 0)
            if level < 0 { throw PluginError("the level is negative") }
            return Change(self, level)
        }
    }

    private final class Change: SettingsChange {
        private let level: Level
        private let value: Float

        init(_ level: Level, _ value: Float) {
            self.level = level
            self.value = value
        }

        func commit() { level.value.pointee = value }
    }
}

private struct FollowKernel: Kernel {
    let level: UnsafeMutablePointer<Float>
    var frameCount = 0

    var latencyFrames: Int { 0 }
    var tailFrames: Int? { 0 }

    init(level: UnsafeMutablePointer<Float>) { self.level = level }

    mutating func set(_ parameter: Int32, to value: Float) {}

    mutating func reset() { frameCount = 0 }

    mutating func run(_ block: UnsafePointer<RTBlock>) {
        for frame in 0..<Int(block.pointee.frameCount) {
            block.pointee.outputs[0][frame] = Float(frameCount) / 1e6 + level.pointee
            frameCount += 1
        }
    }
}
