#include "plugin.h"

#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "features.h"
#include "position.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

void fail(const char *what, const char *which) {
    fprintf(stderr, "bare-lv2-host: %s %s\n", what, which);
    exit(1);
}

void flush_denormals(void) {
#if defined(__SSE2__)
    _mm_setcsr(0x9fc0);
#endif
}

static void *zeroed(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (!memory) fail("out of", "memory");
    return memset(memory, 0, bytes);
}

/// Creates the buffer of an event port and returns it.
static void *add_event_port(Plugin *plugin, LilvWorld *world, const LilvPort *port, int isInput) {
    LilvNode *minimumSize = lilv_new_uri(world, LV2_RESIZE_PORT__minimumSize);
    LilvNode *wanted = lilv_port_get(plugin->description, port, minimumSize);
    int bytes = wanted && lilv_node_is_int(wanted) ? lilv_node_as_int(wanted) : 0;
    if (bytes < 8192) bytes = 8192;
    int place = plugin->eventCount;
    if (place == maximumPorts) fail("too many", "event ports");
    plugin->eventCount += 1;
    plugin->events[place] = zeroed((size_t)bytes);
    plugin->eventBytes[place] = (unsigned)bytes;
    plugin->eventIsInput[place] = isInput;
    plugin->eventTakesTime[place] =
        isInput && lilv_port_supports_event(
                       plugin->description, port, lilv_new_uri(world, LV2_TIME__Position));
    return plugin->events[place];
}

/// Sets a control with a standard designation: a plugin is enabled, and time has its current value.
static void designate(Plugin *plugin, LilvWorld *world, const LilvPort *port, float *control) {
    LilvNode *node = lilv_port_get(plugin->description, port, lilv_new_uri(world, LV2_CORE__designation));
    if (!node || !lilv_node_is_uri(node)) return;
    const char *designation = lilv_node_as_uri(node);
    if (strcmp(designation, LV2_CORE__enabled) == 0) *control = 1;
    Position start = {0};
    if (!position_value(start, designation, control) || plugin->timeCount == maximumPorts) return;
    plugin->times[plugin->timeCount] = control;
    plugin->timeDesignations[plugin->timeCount] = designation;
    plugin->timeCount += 1;
}

/// Returns the memory to which a port is connected.
static void *place_for(Plugin *plugin, LilvWorld *world, int index, float *control) {
    const LilvPlugin *description = plugin->description;
    const LilvPort *port = lilv_plugin_get_port_by_index(description, (uint32_t)index);
    int isInput = lilv_port_is_a(description, port, lilv_new_uri(world, LV2_CORE__InputPort));
    if (lilv_port_is_a(description, port, lilv_new_uri(world, LV2_CORE__ControlPort))) {
        if (isInput) designate(plugin, world, port, control);
        return control;
    }
    if (lilv_port_is_a(description, port, lilv_new_uri(world, LV2_CORE__AudioPort))) {
        if (plugin->inputCount == maximumPorts || plugin->outputCount == maximumPorts)
            fail("too many", "audio ports");
        // Some plugins read slightly past the end of a buffer; as in the engine, that part is
        // silent.
        float *buffer = zeroed((blockFrames + 16) * sizeof(float));
        if (isInput) {
            plugin->inputPorts[plugin->inputCount] = index;
            plugin->inputs[plugin->inputCount] = buffer;
            plugin->inputCount += 1;
        } else {
            plugin->outputs[plugin->outputCount] = buffer;
            plugin->outputCount += 1;
        }
        return buffer;
    }
    if (lilv_port_is_a(description, port, lilv_new_uri(world, LV2_CORE__CVPort))) {
        float *voltage = zeroed((blockFrames + 16) * sizeof(float));
        for (int f = 0; isInput && f < blockFrames + 16; f += 1) voltage[f] = *control;
        return voltage;
    }
    if (lilv_port_is_a(description, port, lilv_new_uri(world, LV2_ATOM__AtomPort)))
        return add_event_port(plugin, world, port, isInput);
    return NULL;
}

/// Restores a plugin's default state if the plugin supports it.
static void load_default_state(
    Plugin *plugin, LilvWorld *world, const LV2_Feature *const *features) {
    LilvNode *feature = lilv_new_uri(world, LV2_STATE__loadDefaultState);
    if (!lilv_plugin_has_feature(plugin->description, feature)) return;
    const LilvNode *subject = lilv_plugin_get_uri(plugin->description);
    LilvState *state = lilv_state_new_from_world(world, urid_map(), subject);
    if (!state) return;
    lilv_state_restore(state, plugin->instance, NULL, NULL, 0, features_of_state(features));
    lilv_state_free(state);
}

void plugin_load(Plugin *plugin, LilvWorld *world, const LilvPlugin *description) {
    memset(plugin, 0, sizeof *plugin);
    plugin->description = description;
    worker_prepare(&plugin->worker);
    const LV2_Feature *const *features = features_make(blockFrames, sampleRate, &plugin->worker);
    plugin->instance = lilv_plugin_instantiate(description, sampleRate, features);
    if (!plugin->instance) fail("no instance of", lilv_node_as_uri(lilv_plugin_get_uri(description)));
    worker_connect(&plugin->worker, plugin->instance);
    int count = (int)lilv_plugin_get_num_ports(description);
    float *controls = calloc((size_t)count + 1, sizeof(float));
    lilv_plugin_get_port_ranges_float(description, NULL, NULL, controls);
    for (int k = 0; k < count; k += 1) {
        if (isnan(controls[k])) controls[k] = 0;
        void *place = place_for(plugin, world, k, controls + k);
        lilv_instance_connect_port(plugin->instance, (uint32_t)k, place);
    }
    load_default_state(plugin, world, features);
    lilv_instance_activate(plugin->instance);
}

void plugin_feed(Plugin *plugin, const Plugin *before) {
    for (int c = 0; c < plugin->inputCount && before->outputCount > 0; c += 1) {
        float *buffer = before->outputs[c % before->outputCount];
        lilv_instance_connect_port(plugin->instance, (uint32_t)plugin->inputPorts[c], buffer);
    }
}

void plugin_run(Plugin *plugin) {
    for (int k = 0; k < plugin->eventCount; k += 1) {
        LV2_Atom_Sequence *sequence = plugin->events[k];
        unsigned room = plugin->eventBytes[k] - (unsigned)sizeof(LV2_Atom);
        sequence->atom.size = plugin->eventIsInput[k] ? sizeof(LV2_Atom_Sequence_Body) : room;
        sequence->atom.type = urid(plugin->eventIsInput[k] ? LV2_ATOM__Sequence : LV2_ATOM__Chunk);
        sequence->body.unit = 0;
        sequence->body.pad = 0;
        // A host sends the position when the transport starts or jumps, not while it rolls.
        Position start = {0};
        if (plugin->framesRun == 0 && plugin->eventTakesTime[k])
            position_append(start, sequence, plugin->eventBytes[k]);
    }
    Position now = {plugin->framesRun};
    for (int k = 0; k < plugin->timeCount; k += 1)
        position_value(now, plugin->timeDesignations[k], plugin->times[k]);
    plugin->framesRun += blockFrames;
    flush_denormals();
    worker_begin_run(&plugin->worker);
    plugin_run_bare(plugin);
    worker_end_run(&plugin->worker);
}
