import CRealtime
import Engine
import Glibc
import LV2
import Pipelines
import PluginComparison
import Processing
import Realtime
import Testing

/// A pipeline of one plugin with a mono input and output, rendered by the engine in the test's
/// thread.
final class LivePlaying {
    static let blockFrames = 64

    /// The length of each call in frames.
    let blockFrames: Int
    static let sampleRate = 48000.0

    let engine: Engine
    let schedule: Schedule
    private let input: Buffer<Float>
    private let output: Buffer<Float>
    private var frame = 0
    /// The whole output.
    private(set) var sound: [Float] = []
    private(set) var incidents: [Incident] = []
    private(set) var reports: [Report] = []
    /// The input at a frame.
    ///
    /// A block does not contain a whole number of periods, so that each block ends at another
    /// value.
    var signal: (Int) -> Float = {
        0.25 * Float(sin(Double($0) * 2 * .pi * LivePlaying.hertz / 48000))
    }

    private static let hertz = 410.0
    /// The largest allowed step of a sound that changes between the doubled signal and the signal
    /// itself.
    ///
    /// It is the sum of the largest step of the loud sine and that of a crossfade of 20 ms between
    /// the two, whose steepest gain is 1.5 times the mean.
    static let lawfulStep = Float(0.5 * 2 * .pi * hertz / 48000 + 0.75 * 1.5 / 960)

    /// Prepares a plugin whose node has further keys in addition to id, type and URI, written as in
    /// a file.
    init(
        _ uri: String, _ node: String = "", isLive: Bool = true, realtimePriority: Int32? = nil,
        blockFrames: Int = LivePlaying.blockFrames, world: PluginWorld = HostileBundle.world
    ) throws {
        self.blockFrames = blockFrames
        let text = """
            { "version": 1, "inputs": { "in": { "channels": 1 } },
              "outputs": { "out": { "channels": 1, "limiter": false } },
              "nodes": [ { "id": "plugin", "type": "lv2", "uri": "\(uri)" \(node) } ] }
            """
        let catalogue = Catalogue(effects: [], plugins: world)
        let pipeline = try Pipeline(
            decoding: Array(text.utf8), file: "plugin.json", catalogue: catalogue)
        schedule = try Schedule(
            preparing: pipeline, catalogue: catalogue,
            format: AudioFormat(
                sampleRate: Self.sampleRate, maximumBlockFrames: blockFrames, isLive: isLive,
                realtimePriority: realtimePriority))
        engine = Engine(playing: schedule)
        input = Buffer(count: blockFrames, repeating: 0)
        output = Buffer(count: blockFrames, repeating: 0)
    }

    /// Plays blocks; if paced, waits one period after each.
    func play(_ blocks: Int, isPaced: Bool = false) {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        for _ in 0..<blocks {
            for index in 0..<blockFrames { input[index] = signal(frame + index) }
            withUnsafePointer(to: UnsafePointer(input.start)) { inputs in
                withUnsafePointer(to: output.start) { outputs in
                    engine.audio.render(
                        frameCount: blockFrames, inputs: inputs, outputs: outputs)
                }
            }
            frame += blockFrames
            sound += UnsafeBufferPointer(start: output.start, count: blockFrames)
            listen()
            if isPaced { usleep(1_333) }
        }
    }

    /// Plays in real time until an incident of a given kind, for at most `seconds` of sound.
    func play(seconds: Double = 20, until isLast: (Incident) -> Bool) -> Incident? {
        let first = incidents.count
        for _ in 0..<Int(seconds * Self.sampleRate) / blockFrames {
            play(1, isPaced: true)
            if let found = incidents[first...].first(where: isLast) { return found }
        }
        return nil
    }

    func set(_ target: Int32, _ value: Float) {
        _ = engine.send(.set(node: 0, target: target, value: value, frame: 0))
    }

    private func listen() {
        while let report = engine.nextReport() { reports.append(report) }
        while let found = engine.nextIncident() { incidents.append(found.incident) }
    }

    /// Whether the whole output is finite.
    var isFinite: Bool { sound.allSatisfy(\.isFinite) }

    /// The largest difference between neighbouring samples.
    var largestStep: Float { zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0 }

    /// Creates an object with an isolated plugin, and returns the plugin's process too.
    static func host<Made>(of uri: String, _ make: () throws -> Made) throws -> (Made, pid_t) {
        let before = Set(hosts(of: uri))
        let made = try make()
        return (made, try #require(hosts(of: uri).first { !before.contains($0) }))
    }

    /// Returns the processes that run a plugin for this process.
    static func hosts(of uri: String) -> [pid_t] {
        children.filter { TextFile.text(of: "/proc/\($0)/cmdline").hasSuffix("\0\(uri)\0") }
    }

    private static var children: [pid_t] {
        var bytes = [CChar](repeating: 0, count: 65536)
        var all: [pid_t] = []
        for task in names(in: "/proc/self/task") {
            guard let list = fopen("/proc/self/task/\(task)/children", "r") else { continue }
            while fgets(&bytes, Int32(bytes.count), list) != nil {
                let text = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                all += String(decoding: text, as: UTF8.self).split(separator: " ").compactMap {
                    pid_t($0)
                }
            }
            fclose(list)
        }
        return all
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0.first != "." }
    }
}
