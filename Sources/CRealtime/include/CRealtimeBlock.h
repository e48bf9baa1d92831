#pragma once

#include <stdint.h>

#include "CRealtimeAttributes.h"
#include "CRealtimeMessages.h"

/// What one run of a processor works on: one pointer a channel, `frameCount` frames behind each.
///
/// No output overlaps an input or another output. The surroundings are there for processors that say that they
/// play in time.
typedef struct RTBlock {
    int32_t frameCount;
    int32_t inputCount;
    int32_t outputCount;
    const float *_Nonnull const *_Nonnull inputs;
    float *_Nonnull const *_Nonnull outputs;
    /// What comes and goes beside the sound; NULL where there is nothing.
    const RTSurroundings *_Nullable surroundings;
} RTBlock;

/// A block of sound alone.
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

/// Renders one block. Real-time safe.
typedef void (*RTRun)(void *_Nonnull state, const RTBlock *_Nonnull block);

/// Moves a parameter to a value, smoothly where it is continuous. Real-time safe; takes effect from the next run's first frame on.
typedef void (*RTSet)(void *_Nonnull state, int32_t parameter, float value);

/// Acts on a processor's state: resets or frees it.
typedef void (*RTAction)(void *_Nonnull state);

/// A change of one value of a node at a frame of the cycle.
typedef struct RTEvent {
    /// Frames from the start of the cycle.
    int32_t frame;
    /// A parameter's index, or one of `RTTarget`.
    int32_t target;
    float value;
    /// The node's next event of this cycle, by its place; -1 after the last.
    int32_t next;
} RTEvent;

/// One cycle of the engine, as every step of a schedule is handed it.
typedef struct RTCycle {
    /// Frames to render, at most what the schedule was prepared for.
    int32_t frameCount;
    /// The changes due in this cycle; each node knows the place of its first.
    const RTEvent *_Nonnull events;
    /// The MIDI of each input; NULL where none comes in.
    const RTMessages *_Nullable messages;
    /// Where the MIDI of each output goes; NULL where none does.
    const RTMessageSink *_Nullable sinks;
    const RTTransport *_Nonnull transport;
} RTCycle;

/// Values of a node that are not its processor's parameters.
enum RTTarget {
    RTTargetMix = -1,
    RTTargetBypass = -2,
    /// Beats a minute, for processors that follow the tempo; no address leads to it.
    RTTargetTempo = -3,
};

/// One step of a schedule. Real-time safe.
typedef void (*RTStep)(void *_Nonnull state, const RTCycle *_Nonnull cycle);

RTSAFE static inline void rt_run(
    RTRun _Nonnull run, void *_Nonnull state, const RTBlock *_Nonnull block) {
    run(state, block);
}

RTSAFE static inline void rt_set(
    RTSet _Nonnull set, void *_Nonnull state, int32_t parameter, float value) {
    set(state, parameter, value);
}

RTSAFE static inline void rt_act(RTAction _Nonnull action, void *_Nonnull state) {
    action(state);
}

RTSAFE static inline void rt_step(
    RTStep _Nonnull step, void *_Nonnull state, const RTCycle *_Nonnull cycle) {
    step(state, cycle);
}
