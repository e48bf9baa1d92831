// Calls into a plugin from the audio thread, through the function pointers of its descriptor.
#pragma once

#include <lv2/core/lv2.h>
#include <stdint.h>

/// Lets the `@_noLocks` check of a Swift caller pass. What the plugin itself does is its author's promise.
#define PLUGIN_RTSAFE __attribute__((swift_attr("@_noLocks")))

/// A plugin's instance and the functions of its that are called while it is loaded.
typedef struct PluginCalls {
    void *_Nonnull handle;
    void (*_Nonnull run)(LV2_Handle _Nullable, uint32_t);
    void (*_Nonnull connect)(LV2_Handle _Nullable, uint32_t, void *_Nullable);
    void (*_Nullable activate)(LV2_Handle _Nullable);
    void (*_Nullable deactivate)(LV2_Handle _Nullable);
} PluginCalls;

PLUGIN_RTSAFE static inline void plugin_run(PluginCalls calls, uint32_t frameCount) {
    calls.run(calls.handle, frameCount);
}

PLUGIN_RTSAFE static inline void plugin_connect(
    PluginCalls calls, uint32_t port, void *_Nullable place) {
    calls.connect(calls.handle, port, place);
}

static inline void plugin_activate(PluginCalls calls) {
    if (calls.activate) calls.activate(calls.handle);
}

static inline void plugin_deactivate(PluginCalls calls) {
    if (calls.deactivate) calls.deactivate(calls.handle);
}
