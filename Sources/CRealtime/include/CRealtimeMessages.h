#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CRealtimeAttributes.h"

/// A MIDI message at a frame. Its bytes, however many, stay where whoever gives it has them.
typedef struct RTMessage {
    int32_t frame;
    int32_t byteCount;
    const uint8_t *_Nonnull bytes;
} RTMessage;

/// MIDI messages in the order of their frames.
typedef struct RTMessages {
    const RTMessage *_Nullable first;
    int32_t count;
    /// The frame of the messages at which the block begins.
    int32_t startFrame;
} RTMessages;

/// Takes a message at a frame; false where it has no room for it. Real-time safe.
typedef bool (*RTTakeMessage)(
    void *_Nonnull context, int32_t frame, const uint8_t *_Nonnull bytes, int32_t byteCount);

/// Where MIDI messages go, given in the order of their frames.
typedef struct RTMessageSink {
    RTTakeMessage _Nullable take;
    void *_Nullable context;
    /// What is added to a block's frames.
    int32_t startFrame;
} RTMessageSink;

/// Where time stands at a block's first frame, for what plays in time.
typedef struct RTTransport {
    /// Becomes another one with every change save that time goes on; never 0.
    uint32_t revision;
    /// Whether time goes on.
    bool isRolling;
    /// Whether nobody waits for the sound.
    bool isFreewheeling;
    /// Whether what is said of beats and bars is somebody's; the engine fills it in where it is not.
    bool hasBeats;
    /// The note that is a beat: 4 for a quarter.
    int32_t beatUnit;
    int64_t frame;
    /// Whole bars since the beginning.
    int64_t bar;
    /// Beats since the bar began.
    double barBeat;
    double beatsPerBar;
    double beatsPerMinute;
} RTTransport;

/// What comes from outside and goes there beside the sound of a call; frames count from the call's first.
typedef struct RTOutside {
    /// One a MIDI input of the pipeline, in its order.
    const RTMessages *_Nullable messages;
    int32_t inputCount;
    /// One a MIDI output of the pipeline, in its order.
    const RTMessageSink *_Nullable sinks;
    int32_t sinkCount;
    /// Whether nobody waits for the sound.
    bool isFreewheeling;
    /// The transport that others steer; NULL where there is none.
    const RTTransport *_Nullable transport;
} RTOutside;

/// What one run of a processor gets and gives beside its sound.
typedef struct RTSurroundings {
    /// MIDI that comes in.
    RTMessages messages;
    /// Where MIDI goes.
    RTMessageSink sink;
    const RTTransport *_Nonnull transport;
} RTSurroundings;

/// What a processor tells beside its sound; its run writes it.
typedef struct RTNews {
    /// How late it is now.
    int32_t latencyFrames;
    /// How many messages it had no room for since it was made.
    uint32_t droppedMessages;
} RTNews;

RTSAFE static inline void rt_copy_bytes(
    void *_Nonnull to, const void *_Nonnull from, int64_t byteCount) {
    memcpy(to, from, (size_t)byteCount);
}

/// Hands a message on; true also where nobody wants it.
RTSAFE static inline bool rt_give_message(
    RTMessageSink sink, int32_t frame, const uint8_t *_Nonnull bytes, int32_t byteCount) {
    if (!sink.take || !sink.context) return true;
    return sink.take(sink.context, sink.startFrame + frame, bytes, byteCount);
}
