// A program that replaces a plugin's process: it accepts the posted runs and continuously writes
// random numbers into the shared memory.
//
// For the plugin "fuzzed" it writes into everything except the positions of runs, so that the host
// continues to read; for "fuzzed-positions" it writes into these as well.

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <signal.h>
#include <unistd.h>

// Must match the layout in PluginShare.swift.
typedef struct Size {
    int64_t version, inputs, outputs, ringFrames, reports, messageBytes, requestBytes;
} Size;
typedef struct Message {
    uint32_t kind;
    int32_t number;
    uint64_t value;
} Message;
enum { posted, taken, hostAsleep, playerAsleep, stage, toEnd, latencyFrames = 8, played, stateRequested, stateBytes = 13 };
enum { wordsStart = 512, areasStart = 2048, stateRoom = 64 << 20 };

static uint8_t *share;
static Size size;
static size_t messages, reports, news, messagesIn, messagesOut, samples, refusals, end;
static bool writesPositions;

static uint32_t *word(int number) { return (uint32_t *)(share + wordsStart + 64 * number); }
static size_t rounded(size_t offset) { return (offset + 63) & ~(size_t)63; }

static void layOut(void) {
    messages = rounded(areasStart + 2048 + 2048 + (size_t)size.requestBytes);
    reports = messages + 4096 * sizeof(Message);
    news = rounded(reports + 4 * (size_t)size.reports);
    messagesIn = rounded(news + 128 + 64 * 16);
    messagesOut = messagesIn + 64 + (size_t)size.messageBytes;
    samples = messagesOut + 64 + (size_t)size.messageBytes;
    refusals = rounded(samples + 4 * (size_t)((size.inputs + size.outputs) * size.ringFrames));
    end = refusals + 32 + 16 * 512;
}

static uint64_t next(uint64_t *random) {
    *random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
    return *random;
}

/// Returns an offset at which a wrong number is most harmful, or a random one.
static size_t place(uint64_t *random) {
    uint64_t choice = next(random) % 16;
    uint64_t any = next(random) >> 16;
    switch (choice) {
    case 0: return news;
    case 1: return news + 64;
    case 2: return messagesIn + 8 * (any & 1);
    case 3: case 4: return messagesOut + 8 * (any & 1);
    case 5: case 6: return messagesOut + 64 + any % 4096;
    case 7: return wordsStart + 64 * (latencyFrames + (any & 1) * (stateRequested - latencyFrames + any / 2 % 5));
    case 8: case 9: return samples + any % (end - samples);
    case 10: return any & 1 ? refusals + any / 2 % (end - refusals) : any % wordsStart;
    case 11: return news + 128 + any % 1024;
    case 12: return reports + any % (news - reports);
    case 13: if (writesPositions) return wordsStart + 64 * (any & 1 ? taken : played);
    default: return messagesIn + any % (end - messagesIn);
    }
}

static void *writeForEver(void *context) {
    (void)context;
    uint64_t random = 88172645463325252u;
    for (uint64_t count = 0;; count += 1) {
        size_t at = place(&random) & ~(size_t)7;
        uint64_t value = next(&random);
        // A random number, a large one, a small one, or a plausible position in a ring.
        uint64_t kind = next(&random) % 4;
        uint64_t number = kind == 0 ? value : kind == 1 ? ~(value >> 60) : kind == 2 ? value & 0xff : value & 0x1ffff8;
        if (at + 8 <= end) *(volatile uint64_t *)(share + at) = number;
        if (count % 256 == 0) sched_yield();
    }
    return NULL;
}

static void playRuns(void) {
    uint32_t count = 0;
    while (!__atomic_load_n(word(toEnd), __ATOMIC_SEQ_CST)) {
        while (count != __atomic_load_n(word(posted), __ATOMIC_SEQ_CST)) {
            Message *message = (Message *)(share + messages) + (count & 4095);
            count += 1;
            if (message->kind == 0)
                __atomic_store_n(
                    (uint64_t *)word(played), message->value + (uint64_t)message->number, __ATOMIC_SEQ_CST);
            __atomic_store_n(word(taken), count, __ATOMIC_SEQ_CST);
            syscall(SYS_futex, word(taken), FUTEX_WAKE, 1, NULL, NULL, 0);
        }
        usleep(20);
    }
}

int main(int count, char **arguments) {
    struct stat status;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (count < 4 || fstat(3, &status) != 0) return 1;
    share = mmap(NULL, (size_t)status.st_size - stateRoom, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    if (share == MAP_FAILED) return 1;
    size = *(Size *)share;
    layOut();
    if (end > (size_t)status.st_size - stateRoom) return 1;
    writesPositions = !strcmp(arguments[3], "urn:stompline-test:fuzzed-positions");
    // Claims a state, so that the host requests that as well.
    *word(15) = 1;
    __atomic_store_n(word(stage), 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, word(stage), FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, writeForEver, NULL) != 0) return 1;
    playRuns();
    return 0;
}
