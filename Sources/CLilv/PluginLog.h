// LV2's log feature: its functions are variadic, which Swift cannot express.
#pragma once

#include <lv2/log/log.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "PluginCalls.h"

/// Receives a message: the log's context, the kind of message as a URID, and the formatted text.
typedef void (*PluginLogSink)(void *_Nonnull context, uint32_t kind, const char *_Nonnull text);

/// The log of one plugin instance.
typedef struct PluginLog {
    LV2_Log_Log feature;
    PluginLogSink _Nonnull sink;
    void *_Nonnull context;
    /// Whether the instance is in its run, during which nothing may be formatted or printed.
    bool isRunning;
    /// The number of messages from its runs, which were dropped.
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

/// Prepares the log, which must not be moved during the plugin's lifetime.
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

/// Records that the instance enters or leaves its run.
PLUGIN_RTSAFE static inline void plugin_log_mark(PluginLog *_Nonnull log, bool isRunning) {
    __atomic_store_n(&log->isRunning, isRunning, __ATOMIC_RELAXED);
}

/// Returns the number of messages from its runs, which were dropped.
PLUGIN_RTSAFE static inline uint32_t plugin_log_dropped(const PluginLog *_Nonnull log) {
    return __atomic_load_n(&log->droppedCount, __ATOMIC_RELAXED);
}
