#define _GNU_SOURCE
#include "SlowDisk.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static atomic_ullong still_until;

static uint64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void slow_disk_stand_still(int milliseconds) {
    atomic_store(&still_until, milliseconds_now() + (uint64_t)milliseconds);
}

// Replaces the C library's function in this program only.
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    while (milliseconds_now() < atomic_load(&still_until)) usleep(1000);
    return syscall(SYS_pwrite64, file, bytes, count, place);
}
