// Plugins that show how a host handles their work. Each outputs its counters, one value per frame.

#include <lv2/core/lv2.h>
#include <lv2/worker/worker.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Instance {
    float *out;
    const volatile float *release;
    LV2_Worker_Schedule *schedule;
    pthread_t runner;
    // The values of the output, in this order.
    struct {
        float responses;
        float runsEnded;
        // Responses out of order, with wrong content, or after the end of their run.
        float faults;
        float worksOnRunner;
        float worksElsewhere;
        float refused;
        float accepted;
    } count;
    uint32_t runs;
    uint32_t expected;
    int isEnded;
} Instance;

static LV2_Handle make(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path;
    Instance *instance = calloc(1, sizeof(Instance));
    for (; *features; features += 1)
        if (!strcmp((*features)->URI, LV2_WORKER__schedule)) instance->schedule = (*features)->data;
    return instance;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *place) {
    Instance *instance = handle;
    if (port == 0) instance->out = place;
    if (port == 1) instance->release = place;
}

static void ask(Instance *instance, uint32_t size, const void *data) {
    if (instance->schedule->schedule_work(instance->schedule->handle, size, data) == LV2_WORKER_SUCCESS)
        instance->count.accepted += 1;
    else
        instance->count.refused += 1;
}

static void show(Instance *instance, uint32_t count) {
    memset(instance->out, 0, count * sizeof(float));
    memcpy(instance->out, &instance->count, sizeof instance->count);
    instance->runner = pthread_self();
    instance->isEnded = 0;
    instance->runs += 1;
}

// Requests work in each run, with the run's number.
static void runEcho(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    show(instance, count);
    uint32_t number = instance->runs;
    ask(instance, sizeof number, &number);
}

// Requests far more work than the queue can contain.
static void runFlood(LV2_Handle handle, uint32_t count) {
    char message[64] = {0};
    show(handle, count);
    for (int k = 0; k < 10000; k += 1) ask(handle, sizeof message, message);
}

// Requests work once.
static void runHeld(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    show(instance, count);
    uint32_t number = 1;
    if (instance->runs == 1) ask(instance, sizeof number, &number);
}

// Requests work with messages of many lengths, an empty one, and one that never fits.
static void runLarge(LV2_Handle handle, uint32_t count) {
    static char message[1 << 20];
    Instance *instance = handle;
    show(instance, count);
    uint32_t size = instance->runs * 37 % 5000;
    memset(message, (int)(size % 251), size);
    ask(instance, size, message);
    if (instance->runs == 1) {
        ask(instance, 0, NULL);
        ask(instance, sizeof message, message);
    }
}

static void countThread(Instance *instance) {
    if (pthread_equal(pthread_self(), instance->runner)) instance->count.worksOnRunner += 1;
    else instance->count.worksElsewhere += 1;
}

// Responds twice to each message.
static LV2_Worker_Status workEcho(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size,
    const void *data) {
    countThread(handle);
    respond(to, size, data);
    return respond(to, size, data);
}

static LV2_Worker_Status workOnce(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size,
    const void *data) {
    countThread(handle);
    return respond(to, size, data);
}

// Works until the control is on.
static LV2_Worker_Status workHeld(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size,
    const void *data) {
    Instance *instance = handle;
    while (*instance->release < 0.5f) usleep(1000);
    return respond(to, size, data);
}

static void countResponse(Instance *instance) {
    instance->count.responses += 1;
    if (instance->isEnded) instance->count.faults += 1;
}

static LV2_Worker_Status takeEcho(LV2_Handle handle, uint32_t size, const void *data) {
    Instance *instance = handle;
    countResponse(instance);
    uint32_t number = 0;
    if (size == sizeof number) memcpy(&number, data, sizeof number);
    // Expects two responses to each number from 1.
    if (number != instance->expected / 2 + 1) instance->count.faults += 1;
    instance->expected += 1;
    return LV2_WORKER_SUCCESS;
}

static LV2_Worker_Status takeAny(LV2_Handle handle, uint32_t size, const void *data) {
    (void)size, (void)data;
    countResponse(handle);
    return LV2_WORKER_SUCCESS;
}

static LV2_Worker_Status takeLarge(LV2_Handle handle, uint32_t size, const void *data) {
    Instance *instance = handle;
    countResponse(instance);
    for (uint32_t k = 0; k < size; k += 1)
        if (((const unsigned char *)data)[k] != size % 251) {
            instance->count.faults += 1;
            break;
        }
    return LV2_WORKER_SUCCESS;
}

static LV2_Worker_Status endRun(LV2_Handle handle) {
    Instance *instance = handle;
    instance->count.runsEnded += 1;
    instance->isEnded = 1;
    return LV2_WORKER_SUCCESS;
}

static const void *echoData(const char *uri) {
    static const LV2_Worker_Interface worker = {workEcho, takeEcho, endRun};
    return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
}

static const void *floodData(const char *uri) {
    static const LV2_Worker_Interface worker = {workOnce, takeAny, endRun};
    return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
}

static const void *heldData(const char *uri) {
    static const LV2_Worker_Interface worker = {workHeld, takeAny, endRun};
    return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
}

static const void *largeData(const char *uri) {
    static const LV2_Worker_Interface worker = {workOnce, takeLarge, NULL};
    return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
}

#define PLUGIN(NAME, RUN, DATA) \
    {"urn:stompline-test:worker-" NAME, make, connectPort, NULL, RUN, NULL, free, DATA}

static const LV2_Descriptor descriptors[] = {
    PLUGIN("echo", runEcho, echoData),
    PLUGIN("flood", runFlood, floodData),
    PLUGIN("held", runHeld, heldData),
    PLUGIN("large", runLarge, largeData),
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
