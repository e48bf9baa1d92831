#include "FloatWatch.h"

#include <string.h>
#include <time.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

static WatchedRun selected_run;
static bool is_protected;
static FloatRun last_run;

// The processor's flags. On x86-64, one register has the control flags and the record of exceptions.
#if defined(__SSE2__)

static uint64_t control(void) { return _mm_getcsr() & ~0x3fu; }

static void set_control(uint64_t flags) { _mm_setcsr((unsigned)flags); }

// Flush-to-zero and denormals-are-zero.
static const uint64_t flushing = 0x8040;
// All exceptions are masked, and numbers are rounded to the nearest.
static const uint64_t usual = 0x1f80;

static void clear_exceptions(void) { _mm_setcsr(_mm_getcsr() & ~0x3fu); }

// An operand was a denormal; that is not recorded while denormals are treated as zero.
static bool met_denormals(void) { return (_mm_getcsr() & 0x02) != 0; }

bool float_watch_is_possible(void) { return true; }

#elif defined(__aarch64__)

static uint64_t control(void) {
    uint64_t flags;
    __asm__ volatile("mrs %0, fpcr" : "=r"(flags));
    return flags;
}

static void set_control(uint64_t flags) { __asm__ volatile("msr fpcr, %0" : : "r"(flags)); }

static const uint64_t flushing = 1u << 24;
static const uint64_t usual = 0;

static void clear_exceptions(void) { __asm__ volatile("msr fpsr, %0" : : "r"((uint64_t)0)); }

// A result was a denormal: operands are only recorded while they are treated as zero.
static bool met_denormals(void) {
    uint64_t exceptions;
    __asm__ volatile("mrs %0, fpsr" : "=r"(exceptions));
    return (control() & flushing) == 0 && (exceptions & (1u << 3)) != 0;
}

bool float_watch_is_possible(void) { return true; }

#else

static uint64_t control(void) { return 0; }
static void set_control(uint64_t flags) { (void)flags; }
static const uint64_t flushing = 0;
static const uint64_t usual = 0;
static void clear_exceptions(void) {}
static bool met_denormals(void) { return false; }

bool float_watch_is_possible(void) { return false; }

#endif

void float_watch_select(WatchedRun run) { selected_run = run; }

void float_watch_prepare(bool isProtected) {
    is_protected = isProtected;
    memset(&last_run, 0, sizeof last_run);
}

FloatRun float_watch_last(void) { return last_run; }

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void float_watch_run(void *handle, uint32_t frameCount) {
    const uint64_t outer = control();
    const uint64_t before = is_protected ? usual | flushing : usual;
    set_control(before);
    clear_exceptions();
    const uint64_t start = now();
    selected_run(handle, frameCount);
    const uint64_t end = now();
    const bool met = met_denormals();
    const uint64_t after = control();
    set_control(outer);
    last_run = (FloatRun){
        .nanoseconds = end - start,
        .metDenormals = met,
        .endedUnprotected = (before & flushing & ~after) != 0,
        .changedFlags = before != after,
    };
}

bool float_watch_has_denormals(const float *samples, uint64_t count) {
    for (uint64_t k = 0; k < count; k += 1) {
        uint32_t bits;
        memcpy(&bits, samples + k, sizeof bits);
        bits &= 0x7fffffffu;
        if (bits != 0 && bits < 0x00800000u) return true;
    }
    return false;
}
