#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CRealtimeAttributes.h"

/// A MIDI message at a frame.
///
/// The sender owns the bytes, of any number.
typedef struct RTMessage {
    int32_t frame;
    int32_t byteCount;
    const uint8_t *_Nonnull bytes;
} RTMessage;

/// MIDI messages, ordered by frame.
typedef struct RTMessages {
    const RTMessage *_Nullable first;
    int32_t count;
    /// The message frame at which the block begins. In a part of a cycle, it is also the number of
    /// frames since the context's transport.
    int32_t startFrame;
} RTMessages;

/// Receives a message at a frame.
///
/// Returns false if there is no room for it. Real-time safe.
typedef bool (*RTReceiveMessage)(
    void *_Nonnull context, int32_t frame, const uint8_t *_Nonnull bytes, int32_t byteCount);

/// The destination of MIDI messages, which arrive ordered by frame.
typedef struct RTMessageSink {
    RTReceiveMessage _Nullable receive;
    void *_Nullable context;
    /// The offset added to the frames of a block.
    int32_t startFrame;
} RTMessageSink;

/// The transport position at a block's first frame, for processors that play in time.
typedef struct RTTransport {
    /// Changes whenever anything but the passing of time changes the transport; never 0.
    uint32_t revision;
    /// Whether the transport is rolling.
    bool isRolling;
    /// Whether the sound is rendered without a real-time deadline.
    bool isFreewheeling;
    /// Whether another client provides beats and bars; if not, the engine fills them in.
    bool hasBeats;
    /// The note value of a beat: 4 for a quarter.
    int32_t beatUnit;
    int64_t frame;
    /// Whole bars since the beginning.
    int64_t bar;
    /// Beats since the bar began.
    double barBeat;
    double beatsPerBar;
    double beatsPerMinute;
} RTTransport;

/// The engine's MIDI ports and transport during one call; frames count from the first frame of the
/// call.
typedef struct RTEngineCall {
    /// One element per MIDI input of the pipeline, in the pipeline's order.
    const RTMessages *_Nullable messages;
    int32_t inputCount;
    /// One element per MIDI output of the pipeline, in the pipeline's order.
    const RTMessageSink *_Nullable sinks;
    int32_t sinkCount;
    /// Whether the sound is rendered without a real-time deadline.
    bool isFreewheeling;
    /// The transport that another client controls; NULL if no client does.
    const RTTransport *_Nullable transport;
} RTEngineCall;

/// The input and output of one processor run in addition to its sound.
typedef struct RTContext {
    /// The incoming MIDI messages.
    RTMessages messages;
    /// The destination of outgoing MIDI messages.
    RTMessageSink sink;
    const RTTransport *_Nonnull transport;
} RTContext;

/// The state that a processor reports in addition to its sound; its run writes it.
typedef struct RTStatus {
    /// The processor's current latency, in frames.
    int32_t latencyFrames;
    /// The number of messages that the processor dropped for lack of room since it was created.
    uint32_t droppedMessages;
} RTStatus;

RTSAFE static inline void rt_copy_bytes(
    void *_Nonnull to, const void *_Nonnull from, int64_t byteCount) {
    memcpy(to, from, (size_t)byteCount);
}

/// Passes a message to a sink.
///
/// Returns true also if the sink has no receiver.
RTSAFE static inline bool rt_give_message(
    RTMessageSink sink, int32_t frame, const uint8_t *_Nonnull bytes, int32_t byteCount) {
    if (!sink.receive || !sink.context) return true;
    return sink.receive(sink.context, sink.startFrame + frame, bytes, byteCount);
}
