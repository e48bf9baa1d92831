// What the shared object exports: the list of its plugins. Everything they do is Swift.
#include <lv2/core/lv2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

LV2_Handle frequency_shift_make(double sample_rate, bool folds);
void frequency_shift_connect(LV2_Handle instance, uint32_t port, void *data);
void frequency_shift_activate(LV2_Handle instance);
void frequency_shift_run(LV2_Handle instance, uint32_t frame_count);
void frequency_shift_free(LV2_Handle instance);

static LV2_Handle make_suppressing(
    const LV2_Descriptor *descriptor, double sample_rate, const char *bundle,
    const LV2_Feature *const *features) {
    return frequency_shift_make(sample_rate, false);
}

static LV2_Handle make_folding(
    const LV2_Descriptor *descriptor, double sample_rate, const char *bundle,
    const LV2_Feature *const *features) {
    return frequency_shift_make(sample_rate, true);
}

static const LV2_Descriptor descriptors[] = {
    {"urn:stompline:frequency-shift", make_suppressing, frequency_shift_connect,
     frequency_shift_activate, frequency_shift_run, NULL, frequency_shift_free, NULL},
    {"urn:stompline:frequency-shift-fold", make_folding, frequency_shift_connect,
     frequency_shift_activate, frequency_shift_run, NULL, frequency_shift_free, NULL},
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof descriptors / sizeof descriptors[0] ? &descriptors[index] : NULL;
}
