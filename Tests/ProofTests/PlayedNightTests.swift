import Glibc
import Proof
import Testing

@Suite("A played night")
struct PlayedNightTests {
    private static let pass =
        "\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": { \"limiter\": false } }"

    private func song(gain: Double) -> String {
        Self.pass
            + ", \"nodes\": [{ \"id\": \"a\", \"type\": \"gain\", \"parameters\": { \"gain\": \(gain) } }]"
    }

    @Test("all steps are played, and each block has a time in each step")
    func allSteps() throws {
        let night = try Night(song(gain: 0), song(gain: -1)).play()
        #expect(night.findings(of: "steps").map(\.state) == [.good])
        for step in night.steps.indices {
            let loads = night.loads(ofStep: step)
            #expect(loads.count >= (night.steps[step].isLong ? 40 : 10))
            #expect(loads.mean > 0)
            #expect(loads.quantile(0.5) <= loads.worst)
        }
        #expect(night.nodeLoads.map(\.place.song).sorted() == ["song 1", "song 2"])
        #expect(night.nodeLoads.allSatisfy { $0.place.node == "a" })
    }

    @Test("after the first pass, the costliest steps or all are measured in real time")
    func realTime() throws {
        let songs = try Night(song(gain: 0), song(gain: -1))
        let usual = try songs.play(passes: 2)
        let steps = usual.steps.indices
        let rehearsed = steps.filter { usual.times[$0].isInRealTime }
        #expect(steps.count > 4)
        #expect(rehearsed.count == 4)
        #expect(steps.allSatisfy { usual.loads(ofStep: $0).count > 0 })
        let first = try songs.play(passes: 1)
        #expect(steps.allSatisfy { !first.times[$0].isInRealTime })
        let paced = try songs.play(passes: 1, isPaced: true)
        #expect(steps.allSatisfy { paced.times[$0].isInRealTime })
        #expect(paced.findings(of: "steps").map(\.state) == [.good])
    }

    @Test("without pauses the shortest time of a block counts, in real time the middle measurement")
    func times() {
        func note(_ times: [Float], _ isInRealTime: Bool, in step: inout StepTimes) {
            if isInRealTime { step.beginRehearsal() }
            for (block, time) in times.enumerated() {
                step.note(
                    BlockTime(nanoseconds: time, part: 0, partNanoseconds: time), block: block,
                    isInRealTime: isInRealTime)
            }
        }
        var step = StepTimes()
        note([5, 9, 7], false, in: &step)
        note([6, 4, 8], false, in: &step)
        #expect(step.blocks.map(\.nanoseconds) == [5, 4, 7])
        note([10, 30, 10], true, in: &step)
        #expect(step.blocks.map(\.nanoseconds) == [10, 30, 10])
        note([11, 12, 11], true, in: &step)
        note([13, 13, 20], true, in: &step)
        #expect(step.blocks.map(\.nanoseconds) == [13, 13, 20])
        #expect(step.worst?.nanoseconds == 20)
        #expect(step.longestNanoseconds == 30)
    }

    @Test("a song that is 6 dB louder than its neighbour is a jump")
    func jump() throws {
        let night = try Night(song(gain: -10), song(gain: -4)).play(seconds: 2)
        let jumps = night.findings(of: "loudness").filter { $0.state == .notice }
        #expect(jumps.count == 1)
        #expect(jumps.first?.place?.song == "song 2")
        #expect(abs((jumps.first?.figure?.value ?? 0) - 6) < 0.11)
    }

    @Test("a jump on the second output is found too, and the output is named")
    func jumpOfSecondOutput() throws {
        let text = """
            "inputs": { "in": {} }, "outputs": { "main": { "from": "a" }, "ears": { "from": "b" } },
            "nodes": [{ "id": "a", "type": "gain" }, { "id": "b", "type": "gain", "from": "in" }],
            "scenes": { "loud": {}, "quiet": { "b.gain": -12 } }, "scene": "loud"
            """
        let findings = try Night(text).play(seconds: 2).findings(of: "loudness")
        #expect(findings.map(\.state) == [.notice, .good, .good])
        #expect(findings.first?.finding.contains("on the output ears") == true)
        #expect(findings.first?.place?.scene == "quiet")
    }

    @Test("songs of nearly the same loudness have no jump")
    func noJump() throws {
        let night = try Night(song(gain: -10), song(gain: -8)).play(seconds: 2)
        #expect(night.findings(of: "loudness").map(\.state) == [.good])
    }

    @Test("an output beyond full scale is bad, and the node is named")
    func clipping() throws {
        let loud = try Night(song(gain: 24)).play()
        let findings = loud.findings(of: "clipping")
        #expect(findings.contains { $0.state == .bad && $0.place?.song == "song 1" })
        #expect(findings.contains { $0.state == .notice && $0.place?.node == "a" })
        let quiet = try Night(song(gain: 0)).play()
        #expect(quiet.findings(of: "clipping").map(\.state) == [.good])
    }

    @Test("a limiter at work is noticed instead")
    func limiter() throws {
        let text =
            "\"inputs\": { \"in\": {} }, \"outputs\": { \"out\": {} }, \"nodes\": [{ \"id\": \"a\", \"type\": \"gain\", \"parameters\": { \"gain\": 24 } }]"
        let findings = try Night(text).play().findings(of: "clipping")
        #expect(!findings.contains { $0.state == .bad })
        #expect(findings.contains { $0.state == .notice && $0.finding.contains("limiter") })
    }

    @Test("a given sound is played instead of the test signal")
    func sounds() throws {
        let night = try Night(song(gain: 0)).play(
            sounds: ["in": [[Float](repeating: 0.5, count: 480)]])
        let peak = night.levels[0].outputs[0].peakDecibels
        #expect(abs(peak + 6.02) < 0.01)
    }

    @Test("equal scenes are equally loud with a recording that is loud, then quiet")
    func sameSound() throws {
        let sound = (0..<192_000).map { frame -> Float in
            (frame / 96_000 == 0 ? 0.05 : 0.4) * (frame % 100 < 50 ? 1 : -1)
        }
        let text = song(gain: 0) + ", \"scenes\": { \"x\": {}, \"y\": {}, \"z\": {} }"
        let night = try Night(text).play(seconds: 2, sounds: ["in": [sound]])
        #expect(night.findings(of: "loudness").map(\.state) == [.good])
        #expect(SceneGain.all(of: night).isEmpty)
        // The loudest part counts.
        let peaks = night.songsAndScenes.compactMap(\.peakDecibels)
        #expect(peaks.allSatisfy { abs($0 - 20 * log10(0.4)) < 0.01 })
        #expect(night.songsAndScenes.compactMap(\.loudness).min() ?? -70 > -12)
    }

    @Test("infinity in a node is bad, and is found once")
    func nonFinite() throws {
        let night = try Night(song(gain: 24)).play(sounds: ["in": [[3e38]]])
        let findings = night.findings(of: "non-finite")
        #expect(findings.map(\.state) == [.bad])
        #expect(findings.first?.place?.node == "a")
    }

    @Test("gains bring all songs to the median loudness, and spare their peaks")
    func gains() throws {
        let night = try Night(song(gain: -10), song(gain: -4), song(gain: -14)).play(seconds: 2)
        let gains = SongGain.all(of: night)
        #expect(gains.map(\.name) == ["song 2", "song 3"])
        #expect(gains.map(\.change.decibels) == [-6, 4])
        #expect(gains.allSatisfy { $0.change.former == 0 && !$0.change.isLimited })
        // A short peak that the loudness hardly contains leaves no room.
        var sound = [Float](repeating: 0.05, count: 96_000).enumerated().map {
            $1 * ($0 % 100 < 50 ? 1 : -1)
        }
        sound[10] = 0.99
        let peaks = try Night(song(gain: 0), song(gain: 0), song(gain: -12)).play(
            seconds: 2, sounds: ["in": [sound]])
        let last = SongGain.all(of: peaks).last
        #expect(last?.name == "song 3")
        #expect(last?.change.isLimited == true)
        #expect(abs((last?.change.decibels ?? 0) - 11) < 0.2)
    }

    /// A song with two outputs, which have the gains of their nodes.
    private func twoOutputs(left: Double, right: Double) -> String {
        func node(_ id: String, _ gain: Double) -> String {
            """
            { "id": "\(id)", "type": "gain", "from": "in", "parameters": { "gain": \(gain) } }
            """
        }
        return """
            "inputs": { "in": {} },
            "outputs": { "left": { "from": "a", "limiter": false },
                         "right": { "from": "b", "limiter": false } },
            "nodes": [\(node("a", left)), \(node("b", right))]
            """
    }

    @Test("the loudness of a song is that of all outputs together, or of the named ones")
    func severalOutputs() throws {
        // The first output is silent in the second song, and both are equal in the third one.
        let texts = [
            twoOutputs(left: -10, right: -60), twoOutputs(left: -60, right: -4),
            twoOutputs(left: -10, right: -10),
        ]
        let night = try Night(texts[0], texts[1]).play(seconds: 2)
        #expect(SongGain.all(of: night).map(\.name) == ["song 2"])
        #expect(SongGain.all(of: night).map(\.change.decibels) == [-6])
        let sum = try Night(texts[0], texts[2]).play(seconds: 2)
        #expect(SongGain.all(of: sum).map(\.change.decibels) == [-3])
        let parts = sum.songsAndScenes.compactMap(\.loudness)
        #expect(parts.count == 2 && abs(parts[1] - parts[0] - 3.01) < 0.05)
        let left = try Night(texts[0], texts[2]).play(seconds: 2, outputs: ["left"])
        #expect(SongGain.all(of: left).isEmpty)
    }

    @Test("gains bring scenes that jump to the loudness of the beginning, and are heard")
    func sceneGains() throws {
        func text(_ gains: [String: Double]) -> String {
            let scenes = [("x", -6), ("y", 2), ("z", -20), ("w", -8)].map { name, gain in
                let own = gains[name].map { ", \"gain\": \($0)" } ?? ""
                return "\"\(name)\": { \"a.gain\": \(gain)\(own) }"
            }
            return song(gain: 0) + ", \"scenes\": { \(scenes.joined(separator: ", ")) }, "
                + "\"scene\": \"x\""
        }
        let before = try Night(text([:])).play(seconds: 2)
        let gains = SceneGain.all(of: before)
        #expect(gains.map(\.scene) == ["y", "z"])
        #expect(gains.map(\.change.decibels) == [-8, 14])
        let after = try Night(
            text(Dictionary(uniqueKeysWithValues: gains.map { ($0.scene, $0.change.decibels) }))
        ).play(seconds: 2)
        #expect(SceneGain.all(of: after).isEmpty)
        let parts = after.songsAndScenes
        let first = try #require(parts.first { $0.place.scene == "x" }?.loudness)
        for name in ["y", "z"] {
            let loudness = try #require(parts.first { $0.place.scene == name }?.loudness)
            #expect(abs(loudness - first) < 0.5, "\(name)")
        }
        #expect(after.findings(of: "clicks").map(\.state) == [.good])
    }

    @Test("a scene that mutes is not raised")
    func mutedScene() throws {
        let text =
            song(gain: 0)
            + ", \"scenes\": { \"x\": { \"a.mute\": false }, \"y\": { \"a.mute\": true } }, \"scene\": \"x\""
        let night = try Night(text).play(seconds: 2)
        #expect(SceneGain.all(of: night).isEmpty)
    }

    @Test("a scene is raised no further than its peaks permit")
    func scenePeaks() throws {
        var sound = (0..<96_000).map { Float($0 % 100 < 50 ? 0.05 : -0.05) }
        sound[10] = 0.99
        let text =
            song(gain: 0)
            + ", \"scenes\": { \"x\": { \"a.gain\": 0 }, \"y\": { \"a.gain\": -6 } }, \"scene\": \"x\""
        let night = try Night(text).play(seconds: 2, sounds: ["in": [sound]])
        let gain = try #require(SceneGain.all(of: night).first)
        #expect(gain.scene == "y" && gain.change.isLimited)
        #expect(gain.change.decibels > 4.8 && gain.change.decibels <= 5.1)
    }

    @Test("a song and its scenes are listed once")
    func songsAndScenes() throws {
        let text = song(gain: 0) + ", \"scenes\": { \"x\": { \"a.gain\": -6 }, \"y\": {} }"
        let night = try Night(text).play(seconds: 2)
        let parts = night.songsAndScenes
        #expect(parts.map(\.place.scene) == [nil, "x", "y"])
        #expect(parts.allSatisfy { $0.worstLoad >= $0.meanLoad && $0.meanLoad > 0 })
    }

    @Test("changes that crossfade have no clicks")
    func noClicks() throws {
        let text =
            song(gain: 0)
            + ", \"scenes\": { \"x\": { \"a.gain\": -60 }, \"y\": { \"a.gain\": 20 } }"
        let night = try Night(text, song(gain: -20)).play(seconds: 2)
        #expect(night.findings(of: "clicks").map(\.state) == [.good])
        // The measurement is not blind: each change but the first has a step.
        let loudest = night.edges.dropFirst().map(\.share).max() ?? 0
        #expect(loudest > 0.2 && loudest < 1.2)
    }

    @Test("an effect that jumps is noticed, with its song, scene and output")
    func clicks() throws {
        let text =
            Self.pass
            + ", \"nodes\": [{ \"id\": \"a\", \"type\": \"late\" }], \"scenes\": { \"x\": { \"a.factor\": 0.1 }, \"y\": { \"a.factor\": 1 } }"
        let night = try Night(text).play(seconds: 2)
        let clicks = night.findings(of: "clicks")
        #expect(clicks.contains { $0.state == .notice && $0.place?.scene == "x" })
        #expect(clicks.allSatisfy { $0.finding.contains("out") })
    }

    @Test("denormals are stated for each plugin, and protection that is switched off is to notice")
    func denormals() throws {
        var night = try Night(song(gain: 0)).play()
        #expect(night.findings(of: "denormals").isEmpty)
        night.denormalTrials = [.init(song: "song 1", node: "a", facts: [])]
        #expect(night.findings(of: "denormals").map(\.state) == [.good])
        night.denormalTrials = [
            .init(
                song: "song 1", node: "a",
                facts: [.arise(seconds: 0.31, slowdown: 4.26), .protectionDisabled]),
            .init(song: "song 1", node: "b", facts: [.flagsChanged]),
            .init(song: "song 1", node: "c", facts: [.untried]),
        ]
        let findings = night.findings(of: "denormals")
        #expect(findings.map(\.state) == [.notice, .notice, .unknown, .good])
        #expect(findings.map(\.place?.node) == ["a", "b", "c", "a"])
        #expect(findings.last?.figure?.value == 4.3)
        #expect(findings.last?.finding.contains("0.31 s") == true)
        #expect(findings.dropLast().allSatisfy { $0.fix != nil })
    }

    @Test("a fault that occurs only while loads are measured is found too, once")
    func liveFault() throws {
        let text = Self.pass + ", \"nodes\": [{ \"id\": \"a\", \"type\": \"live-fault\" }]"
        let songs = try Night(text)
        #expect(try songs.play().findings(of: "non-finite").map(\.state) == [.good])
        let live = try songs.play(isPaced: true).findings(of: "non-finite")
        #expect(live.map(\.state) == [.bad])
        #expect(live.first?.place?.node == "a")
    }

    @Test("the latency of each output is listed, with the nodes that cause it")
    func latencies() throws {
        let late =
            Self.pass
            + ", \"nodes\": [{ \"id\": \"a\", \"type\": \"late\", \"settings\": { \"frames\": 96 } }]"
        let latencies = try Night(late, song(gain: 0)).play().outputLatencies
        #expect(latencies.map(\.song) == ["song 1", "song 2"])
        #expect(latencies.map(\.output) == ["out", "out"])
        #expect(latencies.map(\.frames) == [96, 0])
        #expect(latencies.map(\.milliseconds) == [2, 0])
        #expect(latencies.first?.path.map(\.node) == ["a"])
        #expect(latencies.last?.path.isEmpty == true)
    }

    /// Returns the times of a step, as shares of the period.
    private func times(_ shares: [Double], _ night: PlayedNight) -> StepTimes {
        var times = StepTimes()
        let period = 1e9 * Double(night.request.blockFrames) / night.request.sampleRate
        for (block, share) in shares.enumerated() {
            let time = Float(share * period)
            times.note(
                BlockTime(nanoseconds: time, part: -1, partNanoseconds: time), block: block,
                isInRealTime: false)
        }
        return times
    }

    @Test("the first late block is named with its own time, and the worst one")
    func firstLateBlock() throws {
        var night = try Night(song(gain: 0)).play()
        night.times = night.steps.map { _ in times([0.1, 0.2], night) }
        night.times[1] = times([0.5, 1.5, 3, 1.25], night)
        let findings = night.findings(of: "load").filter { $0.state == .bad }
        // A period lasts 2.667 ms.
        let first = try #require(findings.first)
        #expect(first.finding.hasPrefix("The first block that would be late is here"))
        #expect(first.finding.contains("by 1.33 ms; 3 blocks of this step are late"))
        #expect(first.finding.contains("the worst by 5.33 ms"))
        #expect(first.figure?.value == 1.33)
    }

    @Test("the worst of many late steps is always listed")
    func manyLateSteps() throws {
        let text =
            Self.pass
            + ", \"nodes\": [{ \"id\": \"a\", \"type\": \"gain\" }, { \"id\": \"b\", \"type\": \"gain\" }, { \"id\": \"c\", \"type\": \"gain\" }]"
        var night = try Night(text).play()
        #expect(night.steps.count > 9)
        night.times = night.steps.indices.map { step in
            times([1.5 + (step == night.steps.count - 1 ? 1 : 0)], night)
        }
        let findings = night.findings(of: "load").filter { $0.finding.contains("would be late") }
        #expect(findings.count == 8)
        #expect(findings.first?.finding.hasPrefix("The first block") == true)
        #expect(findings.last?.figure?.value == 4)
    }

    @Test("a plugin that could not be tried is unknown, and not free of faults")
    func untriedPlugin() throws {
        var night = try Night(song(gain: 0)).play()
        night.pluginFaults = []
        let untroubled = night.findings(of: "plugins")
        #expect(untroubled.map(\.state) == [.good])
        // Isolated plugins have no trial.
        let text = try #require(untroubled.first?.finding)
        #expect(text.hasPrefix("No plugin inside the program allocates"))
        night.pluginFaults = [.init(song: "song 1", node: "a", .untried)]
        #expect(night.findings(of: "plugins").map(\.state) == [.unknown])
        night.pluginFaults = [
            .init(song: "song 1", node: "a", .late("allocates memory in its run")),
            .init(song: "song 1", node: "b", .crash("crashes")),
        ]
        #expect(night.findings(of: "plugins").map(\.state) == [.bad, .notice])
    }

    @Test("a plugin that hangs is bad at each of its nodes, with one trial for all")
    func hangingPlugin() throws {
        var night = try Night(song(gain: 0)).play()
        night.pluginFaults = [
            .init(song: "song 1", node: "a", .hang("urn:x hangs in its run", isRepeated: false)),
            .init(song: "song 1", node: "b", .hang("urn:x hangs in its run", isRepeated: true)),
        ]
        let findings = night.findings(of: "plugins")
        #expect(findings.map(\.state) == [.bad, .bad])
        #expect(findings.map(\.place?.node) == ["a", "b"])
        #expect(findings.allSatisfy { $0.finding.hasPrefix("The plugin urn:x hangs in its run.") })
        #expect(findings.map { $0.finding.contains("not tried again") } == [false, true])
    }

    @Test("a plugin that hangs with the values of a node is bad, and its other nodes are unknown")
    func hangingTrial() throws {
        var night = try Night(song(gain: 0)).play()
        night.denormalTrials = [
            .init(song: "song 1", node: "a", facts: [.hang("in its run")]),
            .init(song: "song 1", node: "b", facts: [.untriedAfterHang]),
        ]
        let findings = night.findings(of: "denormals")
        #expect(findings.map(\.state) == [.bad, .unknown])
        #expect(findings.first?.finding.contains("hangs in its run") == true)
    }

    @Test("findings are ordered from bad to good")
    func order() throws {
        let states = try Night(song(gain: 24)).play().findings.map(\.state)
        let ranks = states.map { Finding.State.allCases.firstIndex(of: $0) ?? 0 }
        #expect(ranks == ranks.sorted())
        #expect(states.first == .bad)
    }
}
