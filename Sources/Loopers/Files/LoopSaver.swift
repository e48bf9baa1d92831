internal import Glibc
internal import Platform
internal import Processing
internal import Realtime
internal import SoundFiles
internal import Synchronization

/// Writes the saved loops of one looper on a separate thread.
final class LoopSaver: @unchecked Sendable {
    // SAFETY: only the thread that writes uses the non-atomic state.

    private let exchangeMemory: Buffer<SaveExchange>
    var exchange: UnsafeMutablePointer<SaveExchange> { exchangeMemory.start }
    /// Completed and failed saves, for the session's thread.
    let incidents = IncidentLog()
    /// Whether the looper has been removed.
    private let isLeft = Atomic<Bool>(false)

    private let file: LoopFile
    private let sampleRate: Double
    private var loop: UnfinishedLoop?
    private var frameCount = 0
    private var peak: Float = 0
    private var failure: SoundFileError?

    /// - Parameters:
    ///   - file: The file.
    ///   - channelCount: The number of channels.
    ///   - sampleRate: The sample rate in Hz.
    init(_ file: LoopFile, channelCount: Int, sampleRate: Double) {
        self.file = file
        self.sampleRate = sampleRate
        exchangeMemory = Buffer(containing: SaveExchange(channelCount: channelCount))
    }

    /// Starts the thread, which lives until `leave`.
    ///
    /// - Returns: Whether the system had a thread left.
    func start() -> Bool {
        OwnThread.start(name: "looper") {
            while !self.isLeft.load(ordering: .acquiring) {
                self.work()
                usleep(20_000)
            }
            // Complete a save if all its frames have arrived.
            self.work()
        }
    }

    /// Lets the thread end; the audio thread no longer uses the exchange.
    func leave() { isLeft.store(true, ordering: .releasing) }

    /// Writes the frames that have arrived, and ends each complete save.
    func work() {
        let phase = exchange.pointee.phase
        guard phase != .none else { return }
        if loop == nil, failure == nil { begin() }
        exchange.pointee.drain { samples, frames in write(frames, from: samples) }
        switch phase {
        case .none, .running: return
        case .complete: finish()
        case .givenUp: failure = nil
        }
        loop = nil
        failure = nil
        exchange.pointee.close()
    }

    private func begin() {
        (frameCount, peak) = (0, 0)
        do throws(SoundFileError) {
            loop = try UnfinishedLoop(
                path: file.path, channelCount: exchange.pointee.channelCount,
                sampleRate: sampleRate)
        } catch {
            failure = error
        }
    }

    private func write(_ frames: Int, from samples: UnsafePointer<Float>) {
        guard let loop, failure == nil else { return }
        do throws(SoundFileError) {
            try loop.write(frames, from: samples)
        } catch {
            return failure = error
        }
        frameCount += frames
        for index in 0..<frames * exchange.pointee.channelCount {
            peak = max(peak, abs(samples[index]))
        }
    }

    private func finish() {
        if failure == nil, let loop {
            do throws(SoundFileError) {
                try loop.finish()
                return incidents.add(
                    .takeFinished(
                        path: file.path, seconds: Double(frameCount) / sampleRate,
                        peak: max(-160, Decibels(amplitude: Double(peak)).value)))
            } catch {
                failure = error
            }
        }
        incidents.add(
            .takeStopped(
                path: file.path, reason: failure?.reason ?? "it could not be written",
                readableSeconds: 0))
    }
}
