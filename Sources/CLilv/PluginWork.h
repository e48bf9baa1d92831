// LV2's worker extension: calls of the plugin's part, and what the threads at both ends need.
#pragma once

#include <lv2/worker/worker.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "PluginCalls.h"

/// A plugin's instance and the functions of its worker interface.
typedef struct PluginWork {
    void *_Nonnull handle;
    LV2_Worker_Status (*_Nonnull work)(
        LV2_Handle _Nullable, LV2_Worker_Respond_Function _Nullable,
        LV2_Worker_Respond_Handle _Nullable, uint32_t, const void *_Nullable);
    LV2_Worker_Status (*_Nullable respond)(LV2_Handle _Nullable, uint32_t, const void *_Nullable);
    LV2_Worker_Status (*_Nullable end)(LV2_Handle _Nullable);
    /// Held while the plugin works: it does one piece of work at a time, whoever asks.
    pthread_mutex_t *_Nonnull lock;
} PluginWork;

/// Takes the lock that must be held while the plugin works; on the audio thread only where nothing is live, so that it is free.
PLUGIN_RTSAFE static inline void plugin_begin_work(PluginWork calls) {
    pthread_mutex_lock(calls.lock);
}

PLUGIN_RTSAFE static inline void plugin_end_work(PluginWork calls) {
    pthread_mutex_unlock(calls.lock);
}

PLUGIN_RTSAFE static inline void plugin_work(
    PluginWork calls, LV2_Worker_Respond_Function _Nonnull respond, void *_Nonnull context,
    uint32_t byteCount, const void *_Nullable data) {
    calls.work(calls.handle, respond, context, byteCount, data);
}

PLUGIN_RTSAFE static inline void plugin_respond(
    PluginWork calls, uint32_t byteCount, const void *_Nullable data) {
    if (calls.respond) calls.respond(calls.handle, byteCount, data);
}

PLUGIN_RTSAFE static inline void plugin_end_run(PluginWork calls) {
    if (calls.end) calls.end(calls.handle);
}

/// Which thread this is, never 0.
PLUGIN_RTSAFE static inline uintptr_t plugin_thread(void) { return (uintptr_t)pthread_self(); }

/// Wakes a thread that waits; neither waits nor allocates itself.
PLUGIN_RTSAFE static inline void plugin_wake(sem_t *_Nonnull semaphore) { sem_post(semaphore); }

PLUGIN_RTSAFE static inline void plugin_copy(
    void *_Nonnull to, const void *_Nonnull from, size_t byteCount) {
    memcpy(to, from, byteCount);
}
