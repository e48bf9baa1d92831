#pragma once

#include <stdint.h>

#include "CRealtimeAttributes.h"
#include "CRealtimeMessages.h"

/// The buffers of one processor run: one pointer per channel, each to `frameCount` frames.
///
/// No output overlaps an input or another output. Only processors that use MIDI or transport get the
/// context.
typedef struct RTBlock {
    int32_t frameCount;
    int32_t inputCount;
    int32_t outputCount;
    const float *_Nonnull const *_Nonnull inputs;
    float *_Nonnull const *_Nonnull outputs;
    /// The MIDI and transport of the run; NULL if it has only sound.
    const RTContext *_Nullable context;
} RTBlock;

/// Makes a block that has only sound.
RTSAFE static inline RTBlock rt_sound_block(
    int32_t frameCount, int32_t inputCount, int32_t outputCount,
    const float *_Nonnull const *_Nonnull inputs, float *_Nonnull const *_Nonnull outputs)
    __attribute__((swift_name("RTBlock.init(frameCount:inputCount:outputCount:inputs:outputs:)")));

RTSAFE static inline RTBlock rt_sound_block(
    int32_t frameCount, int32_t inputCount, int32_t outputCount,
    const float *_Nonnull const *_Nonnull inputs, float *_Nonnull const *_Nonnull outputs) {
    RTBlock block = {frameCount, inputCount, outputCount, inputs, outputs, NULL};
    return block;
}

/// Acts on a state.
typedef void (*RTAction)(void *_Nonnull state);

/// A change of one value of a node at a frame of the cycle.
typedef struct RTEvent {
    /// Frames from the start of the cycle.
    int32_t frame;
    /// The index of a parameter, or a value of `RTTarget`.
    int32_t target;
    float value;
    /// The index of the node's next event of this cycle; -1 after the last.
    int32_t next;
} RTEvent;

/// One cycle of the engine, which every step of a schedule receives.
typedef struct RTCycle {
    /// The number of frames to render, at most the number that the schedule was prepared for.
    int32_t frameCount;
    /// The changes due in this cycle; each node knows the index of its first.
    const RTEvent *_Nonnull events;
    /// The MIDI of each input; NULL if no MIDI arrives.
    const RTMessages *_Nullable messages;
    /// The MIDI destination of each output; NULL if there are no destinations.
    const RTMessageSink *_Nullable sinks;
    const RTTransport *_Nonnull transport;
    /// The runner of the step: 0 for the callback, n for the n-th worker.
    int32_t runner;
} RTCycle;

/// Values of a node that are not parameters of its processor.
enum RTTarget {
    RTTargetMix = -1,
    RTTargetBypass = -2,
    /// Beats per minute, for processors that follow the tempo; it has no address.
    RTTargetTempo = -3,
    /// The frames from playback until the sound that was played with it arrives at the inputs, for
    /// processors that follow the tempo; it has no address.
    RTTargetRoundTrip = -4,
};

/// Performs one step of a schedule.
///
/// Real-time safe.
typedef void (*RTStep)(void *_Nonnull state, const RTCycle *_Nonnull cycle);

RTSAFE static inline void rt_act(RTAction _Nonnull action, void *_Nonnull state) {
    action(state);
}

RTSAFE static inline void rt_step(
    RTStep _Nonnull step, void *_Nonnull state, const RTCycle *_Nonnull cycle) {
    step(state, cycle);
}
