// The exported list of plugins. The plugins themselves are written in Swift.
#include <lv2/core/lv2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <lv2/midi/midi.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>

#include "PluginEvents.h"

void plugin_set_terms(LV2_Handle instance, const PluginTerms *terms);
void plugin_connect(LV2_Handle instance, uint32_t port, void *data);
void plugin_activate(LV2_Handle instance);
void plugin_run(LV2_Handle instance, uint32_t frame_count);
void plugin_free(LV2_Handle instance);

LV2_Handle frequency_shift_make(double sample_rate, int32_t channel_count, bool folds);
LV2_Handle music_shift_make(
    double sample_rate, int32_t channel_count, bool is_long, bool keeps_formants);
LV2_Handle fast_shift_make(double sample_rate, int32_t channel_count);
LV2_Handle voice_shift_make(double sample_rate, int32_t channel_count, bool follows_pitch);
LV2_Handle tune_make(double sample_rate, int32_t channel_count);
/// The mode is 0 for the key, 1 for intervals, 2 for MIDI.
LV2_Handle harmony_make(double sample_rate, int32_t mode);
LV2_Handle delay_make(double sample_rate, int32_t channel_count);
LV2_Handle channel_strip_make(double sample_rate, int32_t channel_count);
LV2_Handle time_stretch_make(double sample_rate, int32_t channel_count, bool loops);
LV2_Handle freeze_make(double sample_rate, int32_t channel_count);
LV2_Handle filter_make(double sample_rate, int32_t channel_count);
LV2_Handle feedback_guard_make(double sample_rate, int32_t channel_count);
LV2_Handle tuner_make(double sample_rate, int32_t channel_count);

// One row per plugin: its identifier, the last part of its URI, and the call that creates an
// instance.
#define PLUGINS(PLUGIN) \
    PLUGIN(frequency_shift, "frequency-shift", frequency_shift_make(rate, 1, false)) \
    PLUGIN(frequency_shift_fold, "frequency-shift-fold", frequency_shift_make(rate, 1, true)) \
    PLUGIN(pitch_shift, "pitch-shift", music_shift_make(rate, 1, false, false)) \
    PLUGIN(pitch_shift_stereo, "pitch-shift-stereo", music_shift_make(rate, 2, false, false)) \
    PLUGIN(pitch_shift_fast, "pitch-shift-fast", fast_shift_make(rate, 1)) \
    PLUGIN(pitch_shift_fast_stereo, "pitch-shift-fast-stereo", fast_shift_make(rate, 2)) \
    PLUGIN(pitch_shift_high, "pitch-shift-high", music_shift_make(rate, 1, true, false)) \
    PLUGIN(pitch_shift_high_stereo, "pitch-shift-high-stereo", music_shift_make(rate, 2, true, false)) \
    PLUGIN(pitch_shift_preserve, "pitch-shift-preserve", music_shift_make(rate, 1, false, true)) \
    PLUGIN(pitch_shift_preserve_stereo, "pitch-shift-preserve-stereo", music_shift_make(rate, 2, false, true)) \
    PLUGIN(voice_shift, "voice-shift", voice_shift_make(rate, 1, false)) \
    PLUGIN(tune, "tune", tune_make(rate, 1)) \
    PLUGIN(tune_stereo, "tune-stereo", tune_make(rate, 2)) \
    PLUGIN(harmony, "harmony", harmony_make(rate, 0)) \
    PLUGIN(harmony_interval, "harmony-interval", harmony_make(rate, 1)) \
    PLUGIN(harmony_midi, "harmony-midi", harmony_make(rate, 2)) \
    PLUGIN(time_stretch, "time-stretch", time_stretch_make(rate, 1, false)) \
    PLUGIN(time_stretch_stereo, "time-stretch-stereo", time_stretch_make(rate, 2, false)) \
    PLUGIN(time_stretch_loop, "time-stretch-loop", time_stretch_make(rate, 1, true)) \
    PLUGIN(time_stretch_loop_stereo, "time-stretch-loop-stereo", time_stretch_make(rate, 2, true)) \
    PLUGIN(freeze, "freeze", freeze_make(rate, 1)) \
    PLUGIN(freeze_stereo, "freeze-stereo", freeze_make(rate, 2)) \
    PLUGIN(filter, "filter", filter_make(rate, 1)) \
    PLUGIN(filter_stereo, "filter-stereo", filter_make(rate, 2)) \
    PLUGIN(feedback_guard, "feedback-guard", feedback_guard_make(rate, 1)) \
    PLUGIN(feedback_guard_stereo, "feedback-guard-stereo", feedback_guard_make(rate, 2)) \
    PLUGIN(delay, "delay", delay_make(rate, 1)) \
    PLUGIN(delay_stereo, "delay-stereo", delay_make(rate, 2)) \
    PLUGIN(channel_strip, "channel-strip", channel_strip_make(rate, 1)) \
    PLUGIN(channel_strip_stereo, "channel-strip-stereo", channel_strip_make(rate, 2)) \
    PLUGIN(tuner, "tuner", tuner_make(rate, 1))

/// Passes the host's numbers for the types of events to a new instance. Without `urid:map`, the
/// plugin ignores its events.
static LV2_Handle with_terms(LV2_Handle instance, const LV2_Feature *const *features) {
    const LV2_URID_Map *map = NULL;
    for (; features && *features; features += 1) {
        if (!strcmp((*features)->URI, LV2_URID__map)) map = (*features)->data;
    }
    if (!instance || !map) return instance;
    const PluginTerms terms = {
        .sequence = map->map(map->handle, LV2_ATOM__Sequence),
        .midiEvent = map->map(map->handle, LV2_MIDI__MidiEvent),
        .object = map->map(map->handle, LV2_ATOM__Object),
        .blank = map->map(map->handle, LV2_ATOM__Blank),
        .position = map->map(map->handle, LV2_TIME__Position),
        .beatsPerMinute = map->map(map->handle, LV2_TIME__beatsPerMinute),
        .floatType = map->map(map->handle, LV2_ATOM__Float),
        .doubleType = map->map(map->handle, LV2_ATOM__Double),
        .intType = map->map(map->handle, LV2_ATOM__Int),
        .longType = map->map(map->handle, LV2_ATOM__Long),
    };
    plugin_set_terms(instance, &terms);
    return instance;
}

#define MAKE(NAME, URI, CALL) \
    static LV2_Handle make_##NAME( \
        const LV2_Descriptor *descriptor, double rate, const char *bundle, \
        const LV2_Feature *const *features) { \
        return with_terms(CALL, features); \
    }
PLUGINS(MAKE)

#define DESCRIPTOR(NAME, URI, CALL) \
    {"urn:stompline:" URI, make_##NAME, plugin_connect, plugin_activate, plugin_run, NULL, \
     plugin_free, NULL},
static const LV2_Descriptor descriptors[] = {PLUGINS(DESCRIPTOR)};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof descriptors / sizeof descriptors[0] ? &descriptors[index] : NULL;
}
