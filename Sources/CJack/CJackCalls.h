// Calls of libjack that Swift cannot make itself: a variadic function, and the functions of the
// process callback, which need a real-time annotation.
#pragma once

#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/transport.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/// Declares to the `@_noLocks` check of a Swift caller that a function neither allocates, locks nor
/// blocks.
#define JACK_RTSAFE __attribute__((swift_attr("@_noLocks")))

/// Makes the current thread cancellable only at cancellation points, such as a blocking wait.
///
/// Has the signature of a JACK graph-order callback; returns 0.
static inline int jack_end_at_waits(void *_Nullable nothing) {
    (void)nothing;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    return 0;
}

/// `jack_client_open` with the server's name as an argument; NULL for the default server.
///
/// When a client closes, libjack cancels its threads at any point. The thread that receives
/// notifications from the server may hold locks at that moment, one of which belongs to the whole
/// process. The graph-order callback set here runs on that thread with the first notification about
/// the graph, and from then on the thread can be cancelled only at cancellation points.
static inline jack_client_t *_Nullable jack_client_open_at(
    const char *_Nonnull name, jack_options_t options, jack_status_t *_Nonnull status,
    const char *_Nullable server) {
    jack_client_t *client =
        server ? jack_client_open(name, (jack_options_t)(options | JackServerName), status, server)
               : jack_client_open(name, options, status);
    if (client) jack_set_graph_order_callback(client, jack_end_at_waits, NULL);
    return client;
}

/// Whether and when a thread can be cancelled (`pthread_cancel`): its cancellation state and type.
typedef struct {
    int32_t state;
    int32_t type;
} jack_rt_cancel_t;

/// Prevents the cancellation of this thread; returns the value to pass to `jack_rt_allow_cancel`.
///
/// libjack cancels its threads at any point (PTHREAD_CANCEL_ASYNCHRONOUS), even while they hold a
/// lock of the allocator; the next thread that uses the same heap then waits forever. Disabling
/// cancellation is not enough: glibc sends a signal to a thread that it saw enabled, and the
/// signal's handler checks only the type (glibc 2.36, sigcancel_handler). So this function changes
/// the type, too.
JACK_RTSAFE static inline jack_rt_cancel_t jack_rt_hold_cancel(void) {
    int state = PTHREAD_CANCEL_ENABLE;
    int type = PTHREAD_CANCEL_DEFERRED;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    return (jack_rt_cancel_t){state, type};
}

/// Restores the cancellation state and type; a cancellation requested in the meantime takes effect.
JACK_RTSAFE static inline void jack_rt_allow_cancel(jack_rt_cancel_t held) {
    pthread_setcancelstate(held.state, NULL);
    pthread_setcanceltype(held.type, NULL);
}

/// Returns the samples of an audio port (`jack_port_get_buffer`). Real-time safe, as JACK requires.
JACK_RTSAFE static inline float *_Nullable jack_rt_samples(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    return (float *)jack_port_get_buffer(port, frames);
}

/// Returns JACK's time of the first frame of this cycle (`jack_last_frame_time`). Real-time safe.
JACK_RTSAFE static inline uint32_t jack_rt_cycle_time(jack_client_t *_Nonnull client) {
    return jack_last_frame_time(client);
}

/// Returns the events of a MIDI port in this cycle, ordered by frame. Real-time safe.
JACK_RTSAFE static inline void *_Nullable jack_rt_events(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    return jack_port_get_buffer(port, frames);
}

/// Returns the emptied buffer of a MIDI output, whose previous contents are undefined. Real-time
/// safe.
JACK_RTSAFE static inline void *_Nullable jack_rt_empty_events(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    void *buffer = jack_port_get_buffer(port, frames);
    if (buffer) jack_midi_clear_buffer(buffer);
    return buffer;
}

/// Returns the number of events of a MIDI port (`jack_midi_get_event_count`). Real-time safe.
JACK_RTSAFE static inline int32_t jack_rt_event_count(void *_Nonnull buffer) {
    return (int32_t)jack_midi_get_event_count(buffer);
}

/// Reads one event, whose bytes are valid until the end of the cycle (`jack_midi_event_get`).
///
/// Returns false if the event cannot be read or is empty. Real-time safe.
JACK_RTSAFE static inline bool jack_rt_event(
    void *_Nonnull buffer, int32_t place, jack_midi_event_t *_Nonnull event) {
    return jack_midi_event_get(event, buffer, (uint32_t)place) == 0 && event->size > 0 && event->buffer;
}

/// Adds an event to a MIDI output (`jack_midi_event_write`); returns false if it does not fit.
/// Real-time safe.
JACK_RTSAFE static inline bool jack_rt_give_event(
    void *_Nonnull buffer, int32_t frame, const uint8_t *_Nonnull bytes, int32_t byteCount) {
    return jack_midi_event_write(buffer, (jack_nframes_t)frame, bytes, (size_t)byteCount) == 0;
}

/// JACK's transport at the first frame of a cycle.
typedef struct JackTime {
    bool isRolling;
    /// Whether a timebase master provides beats.
    bool hasBeats;
    int64_t frame;
    /// Bars since the start, and beats since the start of the bar.
    int64_t bar;
    double barBeat;
    double beatsPerBar;
    double beatUnit;
    double beatsPerMinute;
} JackTime;

/// Returns JACK's transport (`jack_transport_query`). Real-time safe.
JACK_RTSAFE static inline JackTime jack_rt_time(jack_client_t *_Nonnull client) {
    jack_position_t position;
    JackTime time = {0};
    time.isRolling = jack_transport_query(client, &position) == JackTransportRolling;
    time.frame = position.frame;
    if (!(position.valid & JackPositionBBT)) return time;
    time.hasBeats = true;
    time.bar = position.bar > 0 ? position.bar - 1 : 0;
    double tick = position.tick;
#ifdef JACK_TICK_DOUBLE
    if (position.valid & JackTickDouble) tick = position.tick_double;
#endif
    double ticks = position.ticks_per_beat > 0 ? tick / position.ticks_per_beat : 0;
    time.barBeat = (position.beat > 0 ? position.beat - 1 : 0) + ticks;
    time.beatsPerBar = position.beats_per_bar;
    time.beatUnit = position.beat_type;
    time.beatsPerMinute = position.beats_per_minute;
    return time;
}

/// Returns whether a state of JACK's transport is rolling. Real-time safe.
JACK_RTSAFE static inline bool jack_rt_state_is_rolling(jack_transport_state_t state) {
    return state == JackTransportRolling;
}

/// Returns the frame of a position of JACK's transport. Real-time safe.
JACK_RTSAFE static inline int64_t jack_rt_frame(const jack_position_t *_Nonnull position) {
    return position->frame;
}

/// The ticks of a beat in the positions that this program writes.
#define JACK_RT_TICKS 1920.0

/// Writes beats into a position, as JACK's timebase master.
///
/// - bar: Bars since the start, at most a billion.
/// - barBeat: Beats since the start of the bar, at least 0 and less than `beatsPerBar`.
///
/// Real-time safe.
JACK_RTSAFE static inline void jack_rt_write_beats(
    jack_position_t *_Nonnull position, int32_t bar, double barBeat, double beatsPerBar,
    double beatUnit, double beatsPerMinute) {
    int32_t beat = (int32_t)barBeat;
    double tick = (barBeat - beat) * JACK_RT_TICKS;
    position->bar = bar + 1;
    position->beat = beat + 1;
    position->tick = (int32_t)tick;
    position->bar_start_tick = bar * beatsPerBar * JACK_RT_TICKS;
    position->beats_per_bar = (float)beatsPerBar;
    position->beat_type = (float)beatUnit;
    position->ticks_per_beat = JACK_RT_TICKS;
    position->beats_per_minute = beatsPerMinute;
    int valid = (position->valid & ~JackBBTFrameOffset) | JackPositionBBT;
#ifdef JACK_TICK_DOUBLE
    position->tick_double = tick;
    valid |= JackTickDouble;
#endif
    position->valid = (jack_position_bits_t)valid;
}
