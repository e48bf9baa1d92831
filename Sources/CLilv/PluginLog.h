// LV2's log feature: its functions are variadic, which Swift cannot write.
#pragma once

#include <lv2/log/log.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "PluginCalls.h"

/// Takes a finished message: who asked for the log, the kind of message as a URID, and its text.
typedef void (*PluginLogSink)(void *_Nonnull context, uint32_t kind, const char *_Nonnull text);

/// The log of one plugin instance.
typedef struct PluginLog {
    LV2_Log_Log feature;
    PluginLogSink _Nonnull sink;
    void *_Nonnull context;
    /// Whether the instance is in its run, where nothing may be formatted or printed.
    bool isRunning;
    /// How many messages came from within run.
    uint32_t droppedCount;
} PluginLog;

static inline int plugin_log_vprintf(
    LV2_Log_Handle _Nonnull handle, LV2_URID kind, const char *_Nonnull format, va_list arguments) {
    PluginLog *log = (PluginLog *)handle;
    if (__atomic_load_n(&log->isRunning, __ATOMIC_RELAXED)) {
        __atomic_fetch_add(&log->droppedCount, 1, __ATOMIC_RELAXED);
        return 0;
    }
    char text[1024];
    int length = vsnprintf(text, sizeof text, format, arguments);
    if (length > 0) log->sink(log->context, kind, text);
    return length;
}

static inline int plugin_log_printf(
    LV2_Log_Handle _Nonnull handle, LV2_URID kind, const char *_Nonnull format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = plugin_log_vprintf(handle, kind, format, arguments);
    va_end(arguments);
    return length;
}

/// Makes the log ready; it must stay where it is for as long as the plugin lives.
static inline void plugin_log_prepare(
    PluginLog *_Nonnull log, PluginLogSink _Nonnull sink, void *_Nonnull context) {
    log->feature.handle = log;
    log->feature.printf = plugin_log_printf;
    log->feature.vprintf = plugin_log_vprintf;
    log->sink = sink;
    log->context = context;
    log->isRunning = false;
    log->droppedCount = 0;
}

/// Tells the log that the instance enters or leaves its run.
PLUGIN_RTSAFE static inline void plugin_log_mark(PluginLog *_Nonnull log, bool isRunning) {
    __atomic_store_n(&log->isRunning, isRunning, __ATOMIC_RELAXED);
}

/// How many messages came from within run, where they are dropped.
PLUGIN_RTSAFE static inline uint32_t plugin_log_dropped(const PluginLog *_Nonnull log) {
    return __atomic_load_n(&log->droppedCount, __ATOMIC_RELAXED);
}
