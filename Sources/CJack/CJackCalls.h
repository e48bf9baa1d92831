// Calls of libjack that Swift cannot make itself: a variadic one, and those of the process callback.
#pragma once

#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/transport.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/// Lets the `@_noLocks` check of a Swift caller pass: the function neither allocates, locks nor blocks.
#define JACK_RTSAFE __attribute__((swift_attr("@_noLocks")))

/// Has the present thread be ended by another only where it waits.
static inline int jack_end_at_waits(void *_Nullable nothing) {
    (void)nothing;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    return 0;
}

/// `jack_client_open` with the server's name as an argument; NULL for the default server.
///
/// When a client closes, libjack ends its threads wherever they are. The one that hears from the server does so with locks in
/// hand, one of them the whole process's: here it is told to end only where it waits, by its first news of the graph.
static inline jack_client_t *_Nullable jack_client_open_at(
    const char *_Nonnull name, jack_options_t options, jack_status_t *_Nonnull status,
    const char *_Nullable server) {
    jack_client_t *client =
        server ? jack_client_open(name, (jack_options_t)(options | JackServerName), status, server)
               : jack_client_open(name, options, status);
    if (client) jack_set_graph_order_callback(client, jack_end_at_waits, NULL);
    return client;
}

/// Whether and when a thread may be ended by another (`pthread_cancel`).
typedef struct {
    int32_t state;
    int32_t type;
} jack_rt_cancel_t;

/// Holds back what would end this thread in the middle of something; what to give to `jack_rt_allow_cancel` afterwards.
///
/// libjack cancels its threads wherever they are (PTHREAD_CANCEL_ASYNCHRONOUS), also with a lock of the allocator in hand,
/// and the next thread that gets the same heap waits for ever. To disable it is not enough: glibc sends a signal to a thread
/// that it saw enabled, and the signal's handler asks for the type alone (glibc 2.36, sigcancel_handler).
JACK_RTSAFE static inline jack_rt_cancel_t jack_rt_hold_cancel(void) {
    int state = PTHREAD_CANCEL_ENABLE;
    int type = PTHREAD_CANCEL_DEFERRED;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    return (jack_rt_cancel_t){state, type};
}

/// Ends the thread where it was to be ended meanwhile.
JACK_RTSAFE static inline void jack_rt_allow_cancel(jack_rt_cancel_t held) {
    pthread_setcancelstate(held.state, NULL);
    pthread_setcanceltype(held.type, NULL);
}

/// `jack_port_get_buffer` of an audio port. Real-time safe, as JACK demands of it.
JACK_RTSAFE static inline float *_Nullable jack_rt_samples(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    return (float *)jack_port_get_buffer(port, frames);
}

/// The events of a MIDI port in this cycle, in the order of their frames. Real-time safe.
JACK_RTSAFE static inline void *_Nullable jack_rt_events(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    return jack_port_get_buffer(port, frames);
}

/// The events of a MIDI output, none so far: what its buffer holds before is undefined. Real-time safe.
JACK_RTSAFE static inline void *_Nullable jack_rt_empty_events(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    void *buffer = jack_port_get_buffer(port, frames);
    if (buffer) jack_midi_clear_buffer(buffer);
    return buffer;
}

/// How many events a MIDI port has: `jack_midi_get_event_count`. Real-time safe.
JACK_RTSAFE static inline int32_t jack_rt_event_count(void *_Nonnull buffer) {
    return (int32_t)jack_midi_get_event_count(buffer);
}

/// One event, whose bytes last as long as the cycle: `jack_midi_event_get`. Real-time safe.
JACK_RTSAFE static inline bool jack_rt_event(
    void *_Nonnull buffer, int32_t place, jack_midi_event_t *_Nonnull event) {
    return jack_midi_event_get(event, buffer, (uint32_t)place) == 0 && event->size > 0 && event->buffer;
}

/// Adds an event to a MIDI output; false where it does not fit: `jack_midi_event_write`. Real-time safe.
JACK_RTSAFE static inline bool jack_rt_give_event(
    void *_Nonnull buffer, int32_t frame, const uint8_t *_Nonnull bytes, int32_t byteCount) {
    return jack_midi_event_write(buffer, (jack_nframes_t)frame, bytes, (size_t)byteCount) == 0;
}

/// JACK's transport at the first frame of a cycle.
typedef struct JackTime {
    bool isRolling;
    /// Whether a timebase master tells of beats.
    bool hasBeats;
    int64_t frame;
    /// Bars since the beginning, and beats since the bar began.
    int64_t bar;
    double barBeat;
    double beatsPerBar;
    double beatUnit;
    double beatsPerMinute;
} JackTime;

/// `jack_transport_query`. Real-time safe.
JACK_RTSAFE static inline JackTime jack_rt_time(jack_client_t *_Nonnull client) {
    jack_position_t position;
    JackTime time = {0};
    time.isRolling = jack_transport_query(client, &position) == JackTransportRolling;
    time.frame = position.frame;
    if (!(position.valid & JackPositionBBT)) return time;
    time.hasBeats = true;
    time.bar = position.bar > 0 ? position.bar - 1 : 0;
    double ticks = position.ticks_per_beat > 0 ? position.tick / position.ticks_per_beat : 0;
    time.barBeat = (position.beat > 0 ? position.beat - 1 : 0) + ticks;
    time.beatsPerBar = position.beats_per_bar;
    time.beatUnit = position.beat_type;
    time.beatsPerMinute = position.beats_per_minute;
    return time;
}
