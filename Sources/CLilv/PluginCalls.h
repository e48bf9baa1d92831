// Calls to a plugin through its descriptor's function pointers. After a plugin has called `exit`,
// it is not called again.
#pragma once

#include <lv2/core/lv2.h>
#include <stdint.h>

/// Satisfies the `@_noLocks` check of a Swift caller; the plugin's author vouches for its run.
#define PLUGIN_RTSAFE __attribute__((swift_attr("@_noLocks")))

#include "PluginExit.h"

/// The kinds of plugin functions; the numbers are those of `CrashMark.PluginCall`.
enum {
    plugin_kind_make = 0, plugin_kind_activate = 1, plugin_kind_run = 3, plugin_kind_work = 4,
    plugin_kind_deactivate = 5, plugin_kind_free = 6,
};

/// A plugin instance and the functions that are called while it is loaded.
typedef struct PluginCalls {
    void *_Nonnull handle;
    void (*_Nonnull run)(LV2_Handle _Nullable, uint32_t);
    void (*_Nonnull connect)(LV2_Handle _Nullable, uint32_t, void *_Nullable);
    void (*_Nullable activate)(LV2_Handle _Nullable);
    void (*_Nullable deactivate)(LV2_Handle _Nullable);
    void (*_Nullable cleanup)(LV2_Handle _Nullable);
    /// Whether the instance has called `exit`.
    PluginExit *_Nonnull record;
} PluginCalls;

static inline void plugin_call_run(void *_Nonnull function, PluginArguments *_Nonnull with) {
    ((void (*)(LV2_Handle, uint32_t))function)(with->handle, with->number);
}

static inline void plugin_call_connect(void *_Nonnull function, PluginArguments *_Nonnull with) {
    ((void (*)(LV2_Handle, uint32_t, void *))function)(with->handle, with->number, (void *)with->first);
}

static inline void plugin_call_plain(void *_Nonnull function, PluginArguments *_Nonnull with) {
    ((void (*)(LV2_Handle))function)(with->handle);
}

static inline void plugin_call_instantiate(void *_Nonnull function, PluginArguments *_Nonnull with) {
    double rate;
    __builtin_memcpy(&rate, with->third, sizeof rate);
    const LV2_Descriptor *descriptor = (const LV2_Descriptor *)function;
    with->handle = descriptor->instantiate(
        descriptor, rate, (const char *)with->first, (const LV2_Feature *const *)with->second);
}

PLUGIN_RTSAFE static inline void plugin_run(PluginCalls calls, uint32_t frameCount) {
    PluginArguments with = {.handle = calls.handle, .number = frameCount};
    plugin_guard(calls.record, plugin_kind_run, plugin_call_run, (void *)calls.run, &with);
}

PLUGIN_RTSAFE static inline void plugin_connect(
    PluginCalls calls, uint32_t port, void *_Nullable address) {
    PluginArguments with = {.handle = calls.handle, .number = port, .first = address};
    plugin_guard(calls.record, plugin_kind_run, plugin_call_connect, (void *)calls.connect, &with);
}

static inline void plugin_call_if_any(
    PluginCalls calls, int32_t kind, void (*_Nullable function)(LV2_Handle _Nullable)) {
    PluginArguments with = {.handle = calls.handle};
    if (function) plugin_guard(calls.record, kind, plugin_call_plain, (void *)function, &with);
}

static inline void plugin_activate(PluginCalls calls) {
    plugin_call_if_any(calls, plugin_kind_activate, calls.activate);
}

static inline void plugin_deactivate(PluginCalls calls) {
    plugin_call_if_any(calls, plugin_kind_deactivate, calls.deactivate);
}

/// Frees the instance.
static inline void plugin_cleanup(PluginCalls calls) {
    plugin_call_if_any(calls, plugin_kind_free, calls.cleanup);
}

/// Creates an instance; NULL if the plugin returns none or calls `exit`.
static inline void *_Nullable plugin_instantiate(
    PluginExit *_Nonnull record, const LV2_Descriptor *_Nonnull descriptor, double rate,
    const char *_Nonnull bundlePath, const LV2_Feature *_Nullable const *_Nullable features) {
    PluginArguments with = {.first = bundlePath, .second = features, .third = &rate};
    plugin_guard(record, plugin_kind_make, plugin_call_instantiate, (void *)descriptor, &with);
    return plugin_has_left(record) ? (void *)0 : with.handle;
}
