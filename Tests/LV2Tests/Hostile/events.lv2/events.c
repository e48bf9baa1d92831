// Plugins that turn the data from their host into audible signals.

#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { longestDelay = 1024 };

typedef struct Instance {
    void *ports[16];
    LV2_URID_Map *map;
    float told, tempo, speed, frame, barBeat, bar;
    float runsDisabled;
    float ring[longestDelay];
    uint32_t written;
} Instance;

static LV2_Handle make(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path;
    Instance *instance = calloc(1, sizeof(Instance));
    for (; *features; features += 1)
        if (!strcmp((*features)->URI, LV2_URID__map)) instance->map = (*features)->data;
    return instance;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *place) {
    ((Instance *)handle)->ports[port] = place;
}

static LV2_URID urid(Instance *instance, const char *uri) {
    return instance->map->map(instance->map->handle, uri);
}

// Outputs an impulse for each message at its frame, and sends the messages on.
//
// The impulse is a 24-bit fraction from the first three bytes; for longer messages it is their
// length.
static void echo(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    const LV2_Atom_Sequence *in = instance->ports[0];
    LV2_Atom_Sequence *out = instance->ports[1];
    float *sound = instance->ports[2];
    LV2_URID midi = urid(instance, LV2_MIDI__MidiEvent);
    uint32_t room = out->atom.size;
    memset(sound, 0, count * sizeof(float));
    lv2_atom_sequence_clear(out);
    out->atom.type = urid(instance, LV2_ATOM__Sequence);
    out->body.unit = out->body.pad = 0;
    LV2_ATOM_SEQUENCE_FOREACH(in, event) {
        if (event->body.type != midi || event->time.frames >= count) continue;
        const uint8_t *bytes = (const uint8_t *)(event + 1);
        float shown = (float)event->body.size;
        if (event->body.size == 3) shown = (float)(bytes[0] << 16 | bytes[1] << 8 | bytes[2]);
        sound[event->time.frames] += shown / 16777216.0f;
        lv2_atom_sequence_append_event(out, room, event);
    }
}

static float number(const LV2_Atom *atom) {
    if (!atom) return -1;
    if (atom->size == 4) {
        // Only the unit of beats is an integer, and that is not shown.
        return ((const LV2_Atom_Float *)atom)->body;
    }
    return (float)((const LV2_Atom_Long *)atom)->body;
}

// Outputs how often the host sent the time, and the time itself.
static void showTime(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    LV2_URID position = urid(instance, LV2_TIME__Position);
    LV2_ATOM_SEQUENCE_FOREACH((const LV2_Atom_Sequence *)instance->ports[0], event) {
        const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
        if (object->body.otype != position) continue;
        const LV2_Atom *tempo = NULL, *speed = NULL, *frame = NULL, *barBeat = NULL, *bar = NULL;
        lv2_atom_object_get(
            object, urid(instance, LV2_TIME__beatsPerMinute), &tempo, urid(instance, LV2_TIME__speed), &speed,
            urid(instance, LV2_TIME__frame), &frame, urid(instance, LV2_TIME__barBeat), &barBeat,
            urid(instance, LV2_TIME__bar), &bar, 0);
        instance->told += 1;
        instance->tempo = number(tempo);
        instance->speed = number(speed);
        instance->frame = number(frame);
        instance->barBeat = number(barBeat);
        instance->bar = number(bar);
    }
    float shown[] = {
        instance->told,    instance->tempo, instance->speed,
        instance->frame,   instance->barBeat, instance->bar,
        *(float *)instance->ports[9], *(float *)instance->ports[10],
    };
    for (int port = 0; port < 8; port += 1)
        for (uint32_t k = 0; k < count; k += 1) ((float *)instance->ports[1 + port])[k] = shown[port];
}

// Multiplies the input by the control voltage; outputs the voltage plus one as another voltage.
static void applyVoltage(LV2_Handle handle, uint32_t count) {
    float **ports = (float **)((Instance *)handle)->ports;
    for (uint32_t k = 0; k < count; k += 1) {
        ports[3][k] = ports[1][k] * ports[0][k];
        ports[2][k] = ports[0][k] + 1;
    }
}

// Halves the input; while the plugin is disabled, outputs a signal that must not be heard.
static void halve(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    float **ports = (float **)instance->ports;
    int isEnabled = *ports[2] > 0;
    for (uint32_t k = 0; k < count; k += 1) ports[1][k] = isEnabled ? ports[0][k] / 2 : -0.9f;
    if (!isEnabled) instance->runsDisabled += 1;
    *ports[3] = instance->runsDisabled;
}

// Delays the input by its reported latency, and reports a value that is not a number.
static void hold(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    float **ports = (float **)instance->ports;
    uint32_t delay = (uint32_t)*ports[2];
    for (uint32_t k = 0; k < count; k += 1) {
        instance->ring[instance->written % longestDelay] = ports[0][k];
        ports[1][k] = instance->ring[(instance->written - delay) % longestDelay];
        instance->written += 1;
    }
    *ports[3] = (float)delay;
    *ports[4] = NAN;
}

static void cleanup(LV2_Handle handle) { free(handle); }

#define PLUGIN(name, run) {"urn:stompline-test:" name, make, connectPort, NULL, run, NULL, cleanup, NULL}

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    static const LV2_Descriptor plugins[] = {
        PLUGIN("echo", echo),      PLUGIN("roomy", echo),  PLUGIN("greedy", echo), PLUGIN("clock", showTime),
        PLUGIN("voltage", applyVoltage), PLUGIN("switch", halve), PLUGIN("late", hold),
    };
    return index < sizeof plugins / sizeof *plugins ? &plugins[index] : NULL;
}
