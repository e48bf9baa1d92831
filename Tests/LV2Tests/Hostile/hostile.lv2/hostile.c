// Plugins that misbehave or that show the behaviour of their host.

#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/state/state.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef struct Instance {
    float *ports[16];
    LV2_Log_Log *log;
    float framesRun;
    int hasDefaultState;
    // For a counted instance: its thread, and whether the thread continues.
    pthread_t thread;
    int isCounted;
    float state;
} Instance;

static int countedInstances;

static LV2_Handle make(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)descriptor, (void)path;
    Instance *instance = calloc(1, sizeof(Instance));
    for (; *features; features += 1) {
        if (!strcmp((*features)->URI, LV2_LOG__log)) instance->log = (*features)->data;
        if (!strcmp((*features)->URI, LV2_STATE__loadDefaultState)) instance->hasDefaultState = 1;
    }
    if (strstr(descriptor->URI, "talker"))
        instance->log->printf(instance->log->handle, 0, "made at %d Hz\n", (int)rate);
    return instance;
}

static void *waitForEnd(void *handle) {
    while (__atomic_load_n(&((Instance *)handle)->isCounted, __ATOMIC_SEQ_CST)) usleep(1000);
    return NULL;
}

static LV2_Handle makeCounted(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    __atomic_fetch_add(&countedInstances, 1, __ATOMIC_SEQ_CST);
    Instance *instance = make(descriptor, rate, path, features);
    instance->isCounted = 1;
    pthread_create(&instance->thread, NULL, waitForEnd, instance);
    return instance;
}

static LV2_Handle makeEndlessly(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path, (void)features;
    while (1) pause();
}

static LV2_Handle makeNothing(
    const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path, (void)features;
    return NULL;
}

static void connectPort(LV2_Handle handle, uint32_t port, void *place) {
    ((Instance *)handle)->ports[port] = place;
}

static void activate(LV2_Handle handle) { ((Instance *)handle)->framesRun = 0; }

static void pass(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    memcpy(instance->ports[1], instance->ports[0], count * sizeof(float));
}

// Leaves the processor's flags in their reset state, with rounding towards zero.
static void passAndChangeFlags(LV2_Handle handle, uint32_t count) {
    pass(handle, count);
#if defined(__SSE2__)
    _mm_setcsr(0x7f80);
#endif
}

// A low-pass filter whose state decays to denormals.
static void decay(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    for (uint32_t k = 0; k < count; k += 1) {
        instance->state = 0.9f * instance->state + 0.1f * instance->ports[0][k];
        instance->ports[1][k] = instance->state;
    }
}

// The same filter, which ends its state before it becomes a denormal.
static void decayToZero(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    for (uint32_t k = 0; k < count; k += 1) {
        instance->state = 0.9f * instance->state + 0.1f * instance->ports[0][k];
        if (instance->state < 1e-20f && instance->state > -1e-20f) instance->state = 0;
        instance->ports[1][k] = instance->state;
    }
}

// The same filter, which protects itself from denormals.
static void decayProtected(LV2_Handle handle, uint32_t count) {
#if defined(__SSE2__)
    unsigned flags = _mm_getcsr();
    _mm_setcsr(flags | 0x8040);
    decay(handle, count);
    _mm_setcsr(flags);
#else
    decayToZero(handle, count);
#endif
}

// The same filter, which allows denormals and hides that.
static void decayUnprotected(LV2_Handle handle, uint32_t count) {
#if defined(__SSE2__)
    unsigned flags = _mm_getcsr();
    _mm_setcsr(flags & ~0x8040u);
    decay(handle, count);
    _mm_setcsr(flags | (_mm_getcsr() & 0x3f));
#else
    decay(handle, count);
#endif
}

// Leaves only the rounding changed.
static void passAndRound(LV2_Handle handle, uint32_t count) {
    pass(handle, count);
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | 0x6000);
#endif
}

static void passAndTalk(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    pass(handle, count);
    instance->log->printf(instance->log->handle, 0, "%d frames, %s\n", (int)count, "says run");
}

// Outputs the sum of the first three controls and, in the last frame, the frames run since
// activation.
static void showControls(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    float **ports = instance->ports;
    instance->framesRun += (float)count;
    for (uint32_t k = 0; k < count; k += 1) ports[0][k] = *ports[1] + *ports[2] + 1000 * (*ports[3] - 3);
    ports[0][count - 1] = instance->framesRun;
    *ports[10] = *ports[9];
    // The input events are empty; the output buffer is filled completely.
    LV2_Atom_Sequence *in = (LV2_Atom_Sequence *)ports[12];
    LV2_Atom_Sequence *out = (LV2_Atom_Sequence *)ports[13];
    *ports[11] = (float)out->atom.size + (float)(in->atom.size - sizeof in->body);
    memset(out + 1, 0xff, out->atom.size - sizeof out->body);
    *ports[14] = *ports[3];
}

// Outputs both controls, and whether the host supports default states.
static void showState(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    float sum = *instance->ports[1] + 100 * *instance->ports[2] + (instance->hasDefaultState ? 1000 : 0);
    for (uint32_t k = 0; k < count; k += 1) instance->ports[0][k] = sum;
}

// Outputs the number of instances, with a latency of seven frames.
static void showCount(LV2_Handle handle, uint32_t count) {
    Instance *instance = handle;
    for (uint32_t k = 0; k < count; k += 1)
        instance->ports[0][k] = (float)__atomic_load_n(&countedInstances, __ATOMIC_SEQ_CST);
    *instance->ports[1] = 7;
}

static void freeInstance(LV2_Handle handle) { free(handle); }

static void freeCounted(LV2_Handle handle) {
    Instance *instance = handle;
    __atomic_store_n(&instance->isCounted, 0, __ATOMIC_SEQ_CST);
    pthread_join(instance->thread, NULL);
    __atomic_fetch_sub(&countedInstances, 1, __ATOMIC_SEQ_CST);
    free(handle);
}

#define PLUGIN(NAME, MAKE, RUN) \
    {"urn:stompline-test:" NAME, MAKE, connectPort, activate, RUN, NULL, freeInstance, NULL}

static const LV2_Descriptor descriptors[] = {
    PLUGIN("needy", make, pass),
    PLUGIN("null", makeNothing, pass),
    PLUGIN("uncreated", makeEndlessly, pass),
    PLUGIN("undescribed", make, pass),
    PLUGIN("strange", make, pass),
    PLUGIN("flags", make, passAndChangeFlags),
    PLUGIN("decaying", make, decay),
    PLUGIN("decaying-to-zero", make, decayToZero),
    PLUGIN("decaying-protected", make, decayProtected),
    PLUGIN("decaying-unprotected", make, decayUnprotected),
    PLUGIN("rounding", make, passAndRound),
    PLUGIN("talker", make, passAndTalk),
    PLUGIN("controls", make, showControls),
    PLUGIN("stateful", make, showState),
    PLUGIN("wordy", make, showState),
    {"urn:stompline-test:counted", makeCounted, connectPort, activate, showCount, NULL, freeCounted, NULL},
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
