#include "features.h"

#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/state/state.h>
#include <lv2/worker/worker.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *uris[16384];
static LV2_URID uriCount;

LV2_URID urid(const char *uri) {
    for (LV2_URID k = 0; k < uriCount; k += 1)
        if (strcmp(uris[k], uri) == 0) return k + 1;
    if (uriCount == sizeof uris / sizeof *uris) return 0;
    uris[uriCount] = strdup(uri);
    uriCount += 1;
    return uriCount;
}

static LV2_URID map(LV2_URID_Map_Handle handle, const char *uri) {
    (void)handle;
    return urid(uri);
}

static const char *unmap(LV2_URID_Unmap_Handle handle, LV2_URID number) {
    (void)handle;
    return number > 0 && number <= uriCount ? uris[number - 1] : NULL;
}

static int log_list(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
    (void)handle;
    (void)type;
    return vfprintf(stderr, format, arguments);
}

static int log_text(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = log_list(handle, type, format, arguments);
    va_end(arguments);
    return length;
}

static LV2_Options_Option option(const char *key, const char *type, const void *value) {
    LV2_Options_Option option = {LV2_OPTIONS_INSTANCE, 0, urid(key), 4, urid(type), value};
    return option;
}

LV2_URID_Map *urid_map(void) {
    static LV2_URID_Map data = {NULL, map};
    return &data;
}

static LV2_Options_Option *options_make(int blockFrames, double sampleRate) {
    static int32_t one = 1, sequenceSize = 8192, frames;
    static float rate;
    static LV2_Options_Option options[6];
    frames = blockFrames;
    rate = (float)sampleRate;
    options[0] = option(LV2_BUF_SIZE__minBlockLength, LV2_ATOM__Int, &one);
    options[1] = option(LV2_BUF_SIZE__maxBlockLength, LV2_ATOM__Int, &frames);
    options[2] = option(LV2_BUF_SIZE__nominalBlockLength, LV2_ATOM__Int, &frames);
    options[3] = option(LV2_BUF_SIZE__sequenceSize, LV2_ATOM__Int, &sequenceSize);
    options[4] = option(LV2_PARAMETERS__sampleRate, LV2_ATOM__Float, &rate);
    return options;
}

enum { stateFeatures = 5, maximumFeatures = 8 };

const LV2_Feature *const *features_make(int blockFrames, double sampleRate, Worker *worker) {
    static LV2_URID_Unmap unmapData = {NULL, unmap};
    static LV2_Log_Log logData = {NULL, log_text, log_list};
    const LV2_Feature all[] = {
        {LV2_URID__map, urid_map()},
        {LV2_URID__unmap, &unmapData},
        {LV2_OPTIONS__options, options_make(blockFrames, sampleRate)},
        {LV2_LOG__log, &logData},
        {LV2_WORKER__schedule, &worker->schedule},
        {LV2_BUF_SIZE__boundedBlockLength, NULL},
        {LV2_STATE__loadDefaultState, NULL},
        {LV2_STATE__threadSafeRestore, NULL},
    };
    LV2_Feature *features = malloc(sizeof all);
    const LV2_Feature **list = calloc(maximumFeatures + 1, sizeof *list);
    memcpy(features, all, sizeof all);
    for (int k = 0; k < maximumFeatures; k += 1) list[k] = &features[k];
    return list;
}

const LV2_Feature *const *features_of_state(const LV2_Feature *const *features) {
    const LV2_Feature **list = calloc(stateFeatures + 1, sizeof *list);
    for (int k = 0; k < stateFeatures; k += 1) list[k] = features[k];
    return list;
}
