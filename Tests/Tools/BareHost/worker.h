#pragma once

#include <lilv-0/lilv/lilv.h>
#include <lv2/worker/worker.h>

typedef struct Message Message;

/// The worker of one plugin; requested work is done at the end of the run.
typedef struct Worker {
    LV2_Worker_Schedule schedule;
    LV2_Handle instance;
    const LV2_Worker_Interface *interface;
    Message *requests;
    Message *responses;
    /// Whether the plugin is in its run; requests are then deferred.
    int isRunning;
} Worker;

/// Prepares a worker before it is passed to a plugin.
void worker_prepare(Worker *worker);

/// Looks up the plugin's worker interface, if it has one.
void worker_connect(Worker *worker, LilvInstance *instance);

/// Must be called before each run.
void worker_begin_run(Worker *worker);

/// Must be called after each run; does all requested work and delivers the responses.
void worker_end_run(Worker *worker);
