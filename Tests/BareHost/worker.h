#pragma once

#include <lilv/lilv.h>
#include <lv2/worker/worker.h>

typedef struct Message Message;

/// The work of one plugin, done at the end of the run that asked for it.
typedef struct Worker {
    LV2_Worker_Schedule schedule;
    LV2_Handle instance;
    const LV2_Worker_Interface *interface;
    Message *requests;
    Message *responses;
    /// Whether the plugin is in its run; what it asks for then is put off.
    int isRunning;
} Worker;

/// Makes a worker ready to be given to a plugin.
void worker_prepare(Worker *worker);

/// Finds the plugin's part of the worker, if it has one.
void worker_connect(Worker *worker, LilvInstance *instance);

/// Before each run.
void worker_begin_run(Worker *worker);

/// After each run: does all work, and delivers the responses.
void worker_end_run(Worker *worker);
