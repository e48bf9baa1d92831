// Plugins that end their process, block it, or write to memory that they must not touch.

#include <lv2/core/lv2.h>
#include <lv2/state/state.h>
#include <lv2/worker/worker.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef struct Instance {
    float *in, *out, *trigger, *report;
    const char *does;
    unsigned runs;
    LV2_Worker_Schedule *schedule;
    int isRestored;
} Instance;

static const char *const prefix = "urn:stompline-test:";

static void crash(void) { *(volatile int *)(size_t)8 = 1; }

// Acts at the stage in the plugin's name: "crash-activate", "exit-cleanup".
static void act(const char *does, const char *place) {
    const char *dash = strchr(does, '-');
    if (!dash || strcmp(dash + 1, place)) return;
    if (!strncmp(does, "crash", 5)) crash();
    if (!strncmp(does, "exit", 4)) exit(3);
    if (!strncmp(does, "quit", 4)) exit(0);
    if (!strncmp(does, "leave", 5)) _exit(0);
}

static void *quit(void *unused) {
    (void)unused;
    exit(0);
}

static void waitSeconds(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static void burnSeconds(double seconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 < seconds);
}

static LV2_Handle make(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)rate, (void)path;
    Instance *instance = calloc(1, sizeof(Instance));
    for (; *features; features += 1)
        if (!strcmp((*features)->URI, LV2_WORKER__schedule)) instance->schedule = (*features)->data;
    instance->does = descriptor->URI + strlen(prefix);
    act(instance->does, "instantiate");
    if (!strcmp(instance->does, "slow")) waitSeconds(5);
    return instance;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *place) {
    Instance *instance = handle;
    if (port == 0) instance->in = place;
    if (port == 1) instance->out = place;
    if (port == 2) instance->trigger = place;
    if (port == 3) instance->report = place;
}

static void activate(LV2_Handle handle) { act(((Instance *)handle)->does, "activate"); }
static void deactivate(LV2_Handle handle) { act(((Instance *)handle)->does, "deactivate"); }

static void cleanup(LV2_Handle handle) {
    act(((Instance *)handle)->does, "cleanup");
    free(handle);
}

static void ask(Instance *instance) {
    int times = strcmp(instance->does, "flood-work") ? 1 : 10000;
    for (int k = 0; k < times; k += 1)
        instance->schedule->schedule_work(instance->schedule->handle, sizeof times, &times);
}

static void run(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    const char *does = instance->does;
    int isTriggered = *instance->trigger >= 0.5f;
    for (uint32_t k = 0; k < count; k += 1) instance->out[k] = 2 * instance->in[k];
    if (!strcmp(does, "denormal-flags")) {
        for (uint32_t k = 0; k < count; k += 1) instance->out[k] = 0;
#if defined(__SSE2__)
        if ((_mm_getcsr() & 0x8040) == 0x8040) instance->out[0] = 1;
#endif
    }
    if (!strcmp(does, "lagging")) *instance->report = isTriggered ? 100 : 10;
    if (!strcmp(does, "poisoned") && instance->isRestored) crash();
    // A trial ends after 400 runs.
    if (!strcmp(does, "late-crash") && (instance->runs += 1) > 500) crash();
    if (!isTriggered) return;
    act(does, "run");
    if (!strcmp(does, "threaded-exit")) {
        pthread_t thread;
        pthread_create(&thread, NULL, quit, NULL);
        instance->does = "harmless";
    }
    if (instance->schedule && strstr(does, "-work")) ask(instance);
    if (!strcmp(does, "sleeper")) waitSeconds(0.05);
    if (!strcmp(does, "burner")) burnSeconds(0.01);
    if (!strcmp(does, "hiccup") && (instance->runs += 1) % 100 == 0) waitSeconds(0.05);
    if (!strcmp(does, "endless")) while (1) pause();
    if (!strcmp(does, "nan")) instance->out[count / 2] = *instance->report = NAN;
    if (!strcmp(does, "infinite")) instance->out[count / 2] = *instance->report = INFINITY;
    if (!strcmp(does, "beyond")) for (uint32_t k = 0; k < 8; k += 1) instance->out[count + k] = 1;
}

static LV2_Worker_Status work(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size,
    const void *data) {
    Instance *instance = handle;
    act(instance->does, "work");
    if (!strcmp(instance->does, "slow-work")) waitSeconds(0.2);
    return respond(to, size, data);
}

static LV2_Worker_Status takeResponse(LV2_Handle handle, uint32_t size, const void *data) {
    Instance *instance = handle;
    (void)size, (void)data;
    *instance->report += 1;
    return LV2_WORKER_SUCCESS;
}

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle state, uint32_t flags,
    const LV2_Feature *const *features) {
    (void)store, (void)state, (void)flags, (void)features;
    act(((Instance *)handle)->does, "save");
    return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle state, uint32_t flags,
    const LV2_Feature *const *features) {
    (void)retrieve, (void)state, (void)flags, (void)features;
    act(((Instance *)handle)->does, "restore");
    ((Instance *)handle)->isRestored = 1;
    return LV2_STATE_SUCCESS;
}

static const void *data(const char *uri) {
    static const LV2_Worker_Interface worker = {work, takeResponse, NULL};
    static const LV2_State_Interface state = {save, restore};
    if (!strcmp(uri, LV2_WORKER__interface)) return &worker;
    return strcmp(uri, LV2_STATE__interface) ? NULL : &state;
}

#define PLUGIN(NAME) {"urn:stompline-test:" NAME, make, connectPort, activate, run, deactivate, cleanup, NULL}
#define BUSY(NAME) {"urn:stompline-test:" NAME, make, connectPort, activate, run, deactivate, cleanup, data}

static const LV2_Descriptor descriptors[] = {
    PLUGIN("crash-instantiate"), PLUGIN("crash-activate"), PLUGIN("crash-run"), PLUGIN("crash-deactivate"),
    PLUGIN("crash-cleanup"), PLUGIN("exit-instantiate"), PLUGIN("exit-activate"), PLUGIN("exit-run"),
    PLUGIN("exit-deactivate"), PLUGIN("exit-cleanup"), PLUGIN("sleeper"), PLUGIN("burner"), PLUGIN("endless"),
    PLUGIN("slow"), PLUGIN("nan"), PLUGIN("infinite"), PLUGIN("beyond"), PLUGIN("lagging"), PLUGIN("denormal-flags"),
    PLUGIN("many"), PLUGIN("hiccup"), PLUGIN("late-crash"),
    PLUGIN("quit-instantiate"), PLUGIN("quit-activate"), PLUGIN("quit-run"), PLUGIN("quit-deactivate"),
    PLUGIN("quit-cleanup"), PLUGIN("leave-run"), PLUGIN("threaded-exit"), BUSY("quit-work"), BUSY("crash-work"), BUSY("exit-work"), BUSY("slow-work"), BUSY("flood-work"), BUSY("crash-save"),
    BUSY("crash-restore"), BUSY("poisoned"),
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
