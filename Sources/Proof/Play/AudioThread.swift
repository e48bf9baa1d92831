internal import CRealtime
internal import Engine
internal import Platform
internal import Realtime

/// One block for an engine.
struct EngineBlock {
    let audio: EngineAudio
    let frames: Int
    let inputs: UnsafePointer<UnsafePointer<Float>>
    let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
    let call: UnsafePointer<RTEngineCall>

    /// Renders the block.
    ///
    /// - Returns: The time that it took, in ticks.
    func render() -> UInt64 {
        let start = rt_ticks()
        audio.render(frameCount: frames, inputs: inputs, outputs: outputs, engineCall: call)
        return rt_ticks() - start
    }
}

/// A thread that renders one block each time it is woken, as JACK's thread of a client does.
///
/// It sleeps between blocks, so each block begins as it does live: after a wake-up, perhaps on
/// another core, and with caches that other threads have used.
final class AudioThread {
    private let turn = Turn()
    private let thread: OwnThread

    /// The block to render, and its time.
    private final class Turn: @unchecked Sendable {
        // SAFETY: the thread uses both only between the signals `begin` and `end`, and others only
        // outside of them.
        var block: EngineBlock?
        var ticks: UInt64 = 0
        let begin = Semaphore()
        let end = Semaphore()
    }

    /// Starts the thread, with real-time priority if that is permitted; `nil` if the system has no
    /// thread left.
    init?(_ scheduling: RealtimeThread) {
        let thread = OwnThread(name: "audio") { [turn] in
            scheduling.enter()
            rt_flush_denormals()
            turn.begin.wait()
            while let block = turn.block {
                turn.ticks = block.render()
                turn.end.signal()
                turn.begin.wait()
            }
        }
        guard let thread else { return nil }
        self.thread = thread
    }

    deinit {
        turn.block = nil
        turn.begin.signal()
        thread.join()
    }

    /// Wakes the thread, and waits until it has rendered a block.
    ///
    /// - Returns: The time that the block took, in ticks.
    func render(_ block: EngineBlock) -> UInt64 {
        turn.block = block
        turn.begin.signal()
        turn.end.wait()
        return turn.ticks
    }
}
