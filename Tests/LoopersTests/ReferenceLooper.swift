import Loopers

/// A slow and plain looper: whole copies instead of pages, and a list of writes that are due.
///
/// It knows record, overdub, play, stop, undo, redo and clear without quantization, at normal
/// speed.
struct ReferenceLooper {
    private struct Layer {
        var samples: [Float]
        let madeAt: Int
    }

    private struct Voice {
        var position = 0
        var age = 0
    }

    private struct Leaving {
        var voice: Voice
        let samples: [Float]
        var frame = 0
    }

    private struct Write {
        let due: Int
        let time: Int
        var layer: Int
        let apply: (inout [Float], Float) -> Void
    }

    private let fade: FadeLaw
    private let roundTrip: Int
    private let lag: Int
    private let feedback: Float
    private let maximumFrames: Int
    private var layers: [Layer] = []
    private var current = 0
    private var length = 0
    private var start = 0
    private var state = LoopState.empty
    private var voice: Voice?
    private var leaving: [Leaving] = []
    private var writes: [Write] = []
    private var punch = 0
    private var isPunching = false
    private var input: [Float] = []
    private var now = 0

    init(_ looping: Looping) {
        fade = FadeLaw(sampleRate: looping.sampleRate)
        roundTrip = looping.roundTripFrames
        lag = roundTrip + fade.count
        feedback = looping.feedback
        maximumFrames = looping.sizes.maximumFrames
    }

    /// Returns the sound of the loop for an input; commands are in the order of their frames.
    mutating func output(_ input: [Float], _ commands: [(frame: Int, command: LoopCommand)])
        -> [Float]
    {
        self.input = input
        var pending = commands[...]
        var end: (command: LoopCommand, frame: Int)?
        return input.indices.map { frame in
            now = frame
            while let next = pending.first, next.frame <= frame {
                end = nil
                if state == .recording, next.command != .undo, next.command != .clear,
                    next.command != .redo
                {
                    let shortest = start + 2 * (lag + fade.count)
                    end = (next.command, max(frame - roundTrip, shortest))
                } else {
                    perform(next.command)
                }
                pending.removeFirst()
            }
            if let (command, last) = end, frame >= last {
                end = nil
                finish(at: last)
                if command == .overdub { overdub() }
                if command == .stop { stop() }
            }
            if state == .recording, frame - start >= maximumFrames {
                end = nil
                finish(at: frame)
            }
            return run()
        }
    }

    private mutating func perform(_ command: LoopCommand) {
        switch (state, command) {
        case (.empty, .record), (.empty, .overdub), (.playing, .record), (.overdubbing, .record),
            (.stopped, .record):
            record()
        case (.playing, .overdub): overdub()
        case (.overdubbing, .overdub), (.overdubbing, .play):
            isPunching = false
            state = .playing
        case (.playing, .stop), (.overdubbing, .stop): stop()
        case (.stopped, .play), (.stopped, .overdub):
            voice = Voice()
            state = .playing
            if command == .overdub { overdub() }
        case (.recording, .undo), (_, .clear): clear()
        case (.empty, .undo), (.empty, .redo), (.recording, .redo): return
        case (_, .undo): if current > 0 { move(to: current - 1) }
        case (_, .redo): if current + 1 < layers.count { move(to: current + 1) }
        default: return
        }
    }

    private mutating func clear() {
        punch = 0
        release()
        voice = nil
        layers = []
        writes = []
        state = .empty
    }

    private mutating func record() {
        clear()
        current = 0
        // A free recording contains the input since the press, which was played a round trip ago.
        start = now - roundTrip
        layers = [
            Layer(
                samples: [Float](repeating: 0, count: fade.count + maximumFrames + 1), madeAt: now)
        ]
        for time in start - fade.count..<now {
            note(at: time) { [index = fade.count + time - start] in $0[index] = $1 }
        }
        state = .recording
    }

    private mutating func finish(at end: Int) {
        length = end - start
        voice = Voice(position: (now - end) % length)
        state = .playing
    }

    private mutating func overdub() {
        state = .overdubbing
        isPunching = true
        guard punch == 0 else { return }
        layers.removeSubrange((current + 1)...)
        writes.removeAll { $0.layer > current }
        if layers.count == 32 {
            layers.removeFirst()
            current -= 1
            for index in writes.indices { writes[index].layer = max(0, writes[index].layer - 1) }
        }
        layers.append(Layer(samples: layers[current].samples, madeAt: now))
        current += 1
    }

    private mutating func stop() {
        release()
        voice = nil
        state = .stopped
    }

    private mutating func move(to layer: Int) {
        release()
        current = layer
        guard voice != nil else { return }
        voice?.age = 0
        state = .playing
    }

    private mutating func release() {
        if var moving = voice {
            leaving.append(Leaving(voice: moving, samples: layers[current].samples))
            for index in 0..<fade.count {
                let frames = punch - 1 - index
                if frames > 0 { noteOverdub(at: now + index, moving.position, frames) }
                moving.position = (moving.position + 1) % length
            }
        }
        punch = 0
        isPunching = false
    }

    private mutating func note(at time: Int, _ apply: @escaping (inout [Float], Float) -> Void) {
        writes.append(Write(due: time + lag, time: time, layer: current, apply: apply))
    }

    private mutating func noteOverdub(at time: Int, _ position: Int, _ frames: Int) {
        let gain = fade.weight(after: frames)
        let keep = 1 + (feedback - 1) * gain
        let (length, count) = (length, fade.count)
        note(at: time) { samples, input in
            samples[count + position] = samples[count + position] * keep + input * gain
            guard position >= length - count else { return }
            let lead = count + position - length
            samples[lead] = samples[lead] * keep + input * gain
        }
    }

    private func sample(_ position: Int, of samples: [Float]) -> Float {
        let tail = samples[fade.count + position]
        let frame = position - (length - fade.count)
        guard frame >= 0 else { return tail }
        let lead = samples[fade.count + position - length]
        return tail + (lead - tail) * fade.weight(after: frame + 1)
    }

    private mutating func run() -> Float {
        var output: Float = 0
        for index in leaving.indices {
            let voice = leaving[index].voice
            let weight =
                (1 - fade.weight(after: leaving[index].frame + 1))
                * fade.weight(after: voice.age + 1)
            output += sample(voice.position, of: leaving[index].samples) * weight
            leaving[index].voice.position = (voice.position + 1) % length
            leaving[index].voice.age += 1
            leaving[index].frame += 1
        }
        leaving.removeAll { $0.frame == fade.count }
        if let voice {
            output +=
                sample(voice.position, of: layers[current].samples)
                * fade.weight(after: voice.age + 1)
        }
        punch = isPunching ? min(punch + 1, fade.count + 1) : max(0, punch - 1)
        if state == .recording {
            note(at: now) { [count = fade.count, position = now - start] in
                $0[count + position] = $1
            }
        } else if let voice, punch > 0 {
            noteOverdub(at: now, voice.position, punch)
        }
        write()
        if var moving = voice {
            moving.position = (moving.position + 1) % length
            moving.age += 1
            voice = moving
        }
        return output
    }

    /// Carries out the writes that are due, in the layer and in all layers that were copied from it
    /// since the time of the write.
    private mutating func write() {
        let time = now - fade.count
        let sample = time >= 0 ? input[time] : 0
        for write in writes where write.due == now {
            for layer in layers.indices
            where layer == write.layer || layer > write.layer && layers[layer].madeAt > write.time {
                write.apply(&layers[layer].samples, sample)
            }
        }
        writes.removeAll { $0.due <= now }
    }
}

/// The documented law of the fade.
struct FadeLaw {
    let count: Int

    init(sampleRate: Double) { count = max(64, Int((0.005 * sampleRate).rounded())) }

    func weight(after frames: Int) -> Float {
        guard frames > 0 else { return 0 }
        let p = Double(frames) / Double(count + 1)
        return frames > count ? 1 : Float(p * p * (3 - 2 * p))
    }
}
