// A plugin with its right channel before its left one; it inverts the right channel, passes the
// left one, and reports the options that were set after instantiation.
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/urid/urid.h>
#include <stdlib.h>
#include <string.h>

typedef struct Layout {
    float *ports[6];
    LV2_URID longest, rate;
    int longestFrames;
    float rateHertz;
} Layout;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
    (void)descriptor;
    (void)rate;
    (void)bundle;
    Layout *layout = calloc(1, sizeof(Layout));
    for (; *features; features++) {
        if (strcmp((*features)->URI, LV2_URID__map)) continue;
        LV2_URID_Map *map = (*features)->data;
        layout->longest = map->map(map->handle, LV2_BUF_SIZE__maxBlockLength);
        layout->rate = map->map(map->handle, LV2_PARAMETERS__sampleRate);
    }
    return layout;
}

static void connect(LV2_Handle handle, uint32_t port, void *place) {
    ((Layout *)handle)->ports[port] = place;
}

static void run(LV2_Handle handle, uint32_t count) {
    Layout *layout = handle;
    for (uint32_t frame = 0; frame < count; frame++) {
        layout->ports[2][frame] = -layout->ports[0][frame];
        layout->ports[3][frame] = layout->ports[1][frame];
    }
    *layout->ports[4] = (float)layout->longestFrames;
    *layout->ports[5] = layout->rateHertz;
}

static uint32_t set(LV2_Handle handle, const LV2_Options_Option *option) {
    Layout *layout = handle;
    for (; option->key; option++) {
        if (option->key == layout->longest) layout->longestFrames = *(const int *)option->value;
        if (option->key == layout->rate) layout->rateHertz = *(const float *)option->value;
    }
    return LV2_OPTIONS_SUCCESS;
}

static uint32_t get(LV2_Handle handle, LV2_Options_Option *option) {
    (void)handle;
    (void)option;
    return LV2_OPTIONS_ERR_BAD_KEY;
}

static const void *extension(const char *uri) {
    static const LV2_Options_Interface interface = {get, set};
    return strcmp(uri, LV2_OPTIONS__interface) ? NULL : &interface;
}

static const LV2_Descriptor descriptor = {
    "urn:stompline-test:layout", instantiate, connect, NULL, run, NULL, free, extension};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index ? NULL : &descriptor;
}
