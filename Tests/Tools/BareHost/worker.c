#include "worker.h"

#include <stdlib.h>
#include <string.h>

struct Message {
    Message *next;
    uint32_t size;
    char data[];
};

/// Appends a copy of a message to a list.
static LV2_Worker_Status append(Message **list, uint32_t size, const void *data) {
    Message *message = malloc(sizeof(Message) + size);
    if (!message) return LV2_WORKER_ERR_NO_SPACE;
    message->next = NULL;
    message->size = size;
    if (data) memcpy(message->data, data, size);
    while (*list) list = &(*list)->next;
    *list = message;
    return LV2_WORKER_SUCCESS;
}

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size, const void *data) {
    return append(&((Worker *)handle)->responses, size, data);
}

static void work(Worker *worker, uint32_t size, const void *data) {
    worker->interface->work(worker->instance, respond, worker, size, data);
}

/// Queues work that the plugin requests during its run.
///
/// Outside a run, for example while a state is restored, the work is done immediately.
static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data) {
    Worker *worker = handle;
    if (!worker->interface) return LV2_WORKER_ERR_UNKNOWN;
    if (worker->isRunning) return append(&worker->requests, size, data);
    work(worker, size, data);
    return LV2_WORKER_SUCCESS;
}

static void deliver(Worker *worker) {
    while (worker->responses) {
        Message *response = worker->responses;
        worker->responses = response->next;
        if (worker->interface->work_response)
            worker->interface->work_response(worker->instance, response->size, response->data);
        free(response);
    }
}

void worker_prepare(Worker *worker) {
    memset(worker, 0, sizeof *worker);
    worker->schedule.handle = worker;
    worker->schedule.schedule_work = schedule;
}

void worker_connect(Worker *worker, LilvInstance *instance) {
    worker->instance = lilv_instance_get_handle(instance);
    worker->interface = lilv_instance_get_extension_data(instance, LV2_WORKER__interface);
}

void worker_begin_run(Worker *worker) {
    worker->isRunning = 1;
    if (worker->interface) deliver(worker);
}

void worker_end_run(Worker *worker) {
    if (!worker->interface) return;
    while (worker->requests) {
        while (worker->requests) {
            Message *request = worker->requests;
            worker->requests = request->next;
            work(worker, request->size, request->data);
            free(request);
        }
        deliver(worker);
    }
    if (worker->interface->end_run) worker->interface->end_run(worker->instance);
    worker->isRunning = 0;
}
