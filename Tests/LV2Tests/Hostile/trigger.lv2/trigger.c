// A plugin that outputs the values of its controls in each run, one per frame, then its input.
#include <lv2/core/lv2.h>
#include <stdlib.h>

typedef struct Trigger {
    float *ports[5];
} Trigger;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
    (void)descriptor;
    (void)rate;
    (void)bundle;
    (void)features;
    return calloc(1, sizeof(Trigger));
}

static void connect(LV2_Handle handle, uint32_t port, void *place) {
    ((Trigger *)handle)->ports[port] = place;
}

static void run(LV2_Handle handle, uint32_t count) {
    Trigger *trigger = handle;
    for (uint32_t frame = 0; frame < count; frame++)
        trigger->ports[1][frame] =
            frame < 3 ? *trigger->ports[2 + frame] : trigger->ports[0][frame];
}

static void cleanup(LV2_Handle handle) { free(handle); }

static const LV2_Descriptor descriptor = {
    "urn:stompline-test:trigger", instantiate, connect, NULL, run, NULL, cleanup, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index == 0 ? &descriptor : NULL;
}
