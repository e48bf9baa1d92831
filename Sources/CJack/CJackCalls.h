// Calls of libjack that Swift cannot make itself: a variadic one, and those of the process callback.
#pragma once

#include <jack/jack.h>
#include <jack/midiport.h>

/// Lets the `@_noLocks` check of a Swift caller pass: the function neither allocates, locks nor blocks.
#define JACK_RTSAFE __attribute__((swift_attr("@_noLocks")))

/// `jack_client_open` with the server's name as an argument; NULL for the default server.
static inline jack_client_t *_Nullable jack_client_open_at(
    const char *_Nonnull name, jack_options_t options, jack_status_t *_Nonnull status,
    const char *_Nullable server) {
    if (!server) return jack_client_open(name, options, status);
    return jack_client_open(name, (jack_options_t)(options | JackServerName), status, server);
}

/// `jack_port_get_buffer` of an audio port. Real-time safe, as JACK demands of it.
JACK_RTSAFE static inline float *_Nullable jack_rt_samples(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    return (float *)jack_port_get_buffer(port, frames);
}

/// Leaves a MIDI output without events in this cycle: what its buffer holds before is undefined. Real-time safe.
JACK_RTSAFE static inline void jack_rt_clear_events(
    jack_port_t *_Nonnull port, jack_nframes_t frames) {
    void *buffer = jack_port_get_buffer(port, frames);
    if (buffer) jack_midi_clear_buffer(buffer);
}
