import CRealtime
import Engine
import Glibc
import LV2
import Pipelines
import PluginComparison
import Processing

/// A pipeline of one plugin with a mono input and output, played by the engine in the test's own thread.
final class LivePlaying {
    static let blockFrames = 64
    static let sampleRate = 48000.0

    let engine: Engine
    let schedule: Schedule
    private let input: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<Float>
    private var frame = 0
    /// All that came out.
    private(set) var sound: [Float] = []
    private(set) var incidents: [Incident] = []
    private(set) var reports: [Report] = []
    /// What goes in at a frame.
    ///
    /// A block does not hold whole periods of it, so that each ends at another height.
    var signal: (Int) -> Float = {
        0.25 * Float(sin(Double($0) * 2 * .pi * LivePlaying.hertz / 48000))
    }

    private static let hertz = 410.0
    /// The largest lawful step of a sound that is twice the signal or the signal itself: those of the loud sine, and those
    /// of a crossfade of 20 ms between the two, whose steepest gain is half again the mean.
    static let lawfulStep = Float(0.5 * 2 * .pi * hertz / 48000 + 0.75 * 1.5 / 960)

    /// Prepares a plugin whose node has more than id, type and URI, written as in a file.
    init(
        _ uri: String, _ node: String = "", isLive: Bool = true,
        world: PluginWorld = HostileBundle.world
    ) throws {
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
                sampleRate: Self.sampleRate, maximumBlockFrames: Self.blockFrames, isLive: isLive))
        engine = Engine(playing: schedule)
        input = .allocate(capacity: Self.blockFrames)
        input.initialize(repeating: 0, count: Self.blockFrames)
        output = .allocate(capacity: Self.blockFrames)
        output.initialize(repeating: 0, count: Self.blockFrames)
    }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// Plays blocks; paced ones are each followed by a period's time.
    func play(_ blocks: Int, isPaced: Bool = false) {
        let control = rt_float_control()
        defer { rt_restore_float_control(control) }
        for _ in 0..<blocks {
            for place in 0..<Self.blockFrames { input[place] = signal(frame + place) }
            withUnsafePointer(to: UnsafePointer(input)) { inputs in
                withUnsafePointer(to: output) { outputs in
                    engine.audio.render(
                        frameCount: Self.blockFrames, inputs: inputs, outputs: outputs)
                }
            }
            frame += Self.blockFrames
            sound += UnsafeBufferPointer(start: output, count: Self.blockFrames)
            listen()
            if isPaced { usleep(1_333) }
        }
    }

    /// Plays until an incident of such a kind, at most so many seconds of sound, at the clock's pace.
    func play(seconds: Double = 20, until isLast: (Incident) -> Bool) -> Incident? {
        let first = incidents.count
        for _ in 0..<Int(seconds * Self.sampleRate) / Self.blockFrames {
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
        while let (_, incident) = engine.nextIncident() { incidents.append(incident) }
    }

    /// Whether nothing but numbers came out.
    var isFinite: Bool { sound.allSatisfy(\.isFinite) }

    /// The largest difference of one sample to the next.
    var largestStep: Float { zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0 }

    /// The process of a plugin that this very process plays, where it plays it once.
    static func host(of uri: String) -> pid_t? { children.first { words(of: $0).contains(uri) } }

    private static func words(of process: pid_t) -> [String] {
        guard let file = fopen("/proc/\(process)/cmdline", "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes.prefix(count).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
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
