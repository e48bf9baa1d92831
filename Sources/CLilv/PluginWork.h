// LV2's worker extension: calls of the plugin's functions, and primitives for both threads.
#pragma once

#include <lv2/worker/worker.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "PluginCalls.h"

/// A plugin instance and the functions of its worker interface.
typedef struct PluginWork {
    void *_Nonnull handle;
    LV2_Worker_Status (*_Nonnull work)(
        LV2_Handle _Nullable, LV2_Worker_Respond_Function _Nullable,
        LV2_Worker_Respond_Handle _Nullable, uint32_t, const void *_Nullable);
    LV2_Worker_Status (*_Nullable respond)(LV2_Handle _Nullable, uint32_t, const void *_Nullable);
    LV2_Worker_Status (*_Nullable end)(LV2_Handle _Nullable);
    /// Held during work: the plugin does one piece of work at a time, whichever thread requests it.
    pthread_mutex_t *_Nonnull lock;
    /// Whether the instance has called `exit`.
    PluginExit *_Nonnull record;
} PluginWork;

/// Acquires the lock for the plugin's work.
///
/// The audio thread does so only offline, when the lock is free.
PLUGIN_RTSAFE static inline void plugin_begin_work(PluginWork calls) {
    pthread_mutex_lock(calls.lock);
}

PLUGIN_RTSAFE static inline void plugin_end_work(PluginWork calls) {
    pthread_mutex_unlock(calls.lock);
}

/// A piece of work, and the destination of its responses.
typedef struct PluginWorkOrder {
    PluginWork calls;
    LV2_Worker_Respond_Function _Nonnull respond;
    void *_Nullable context;
} PluginWorkOrder;

static inline void plugin_call_work(void *_Nonnull function, PluginArguments *_Nonnull with) {
    (void)function;
    const PluginWorkOrder *order = (const PluginWorkOrder *)with->first;
    order->calls.work(order->calls.handle, order->respond, order->context, with->number, with->second);
}

static inline void plugin_call_respond(void *_Nonnull function, PluginArguments *_Nonnull with) {
    ((LV2_Worker_Status(*)(LV2_Handle, uint32_t, const void *))function)(with->handle, with->number, with->first);
}

static inline void plugin_call_end(void *_Nonnull function, PluginArguments *_Nonnull with) {
    ((LV2_Worker_Status(*)(LV2_Handle))function)(with->handle);
}

PLUGIN_RTSAFE static inline void plugin_work(
    PluginWork calls, LV2_Worker_Respond_Function _Nonnull respond, void *_Nullable context,
    uint32_t byteCount, const void *_Nullable data) {
    PluginWorkOrder order = {calls, respond, context};
    PluginArguments with = {.first = &order, .number = byteCount, .second = data};
    plugin_guard(calls.record, plugin_kind_work, plugin_call_work, (void *)calls.work, &with);
}

PLUGIN_RTSAFE static inline void plugin_respond(
    PluginWork calls, uint32_t byteCount, const void *_Nullable data) {
    PluginArguments with = {.handle = calls.handle, .number = byteCount, .first = data};
    if (calls.respond)
        plugin_guard(calls.record, plugin_kind_run, plugin_call_respond, (void *)calls.respond, &with);
}

PLUGIN_RTSAFE static inline void plugin_end_run(PluginWork calls) {
    PluginArguments with = {.handle = calls.handle};
    if (calls.end) plugin_guard(calls.record, plugin_kind_run, plugin_call_end, (void *)calls.end, &with);
}

/// Returns an identifier of the calling thread, never 0.
PLUGIN_RTSAFE static inline uintptr_t plugin_thread(void) { return (uintptr_t)pthread_self(); }

PLUGIN_RTSAFE static inline void plugin_copy(
    void *_Nonnull to, const void *_Nonnull from, size_t byteCount) {
    memcpy(to, from, byteCount);
}
