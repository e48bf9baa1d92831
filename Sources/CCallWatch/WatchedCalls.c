#define _GNU_SOURCE
#include "WatchedCalls.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/// Defines a function that records the call and forwards it.
#define WATCH(kind, result, name, parameters, arguments) \
    static result watched_##name parameters {            \
        call_watch_note(CallKind##kind, #name);          \
        return name arguments;                           \
    }

WATCH(Memory, void *, malloc, (size_t size), (size))
WATCH(Memory, void *, calloc, (size_t count, size_t size), (count, size))
WATCH(Memory, void *, realloc, (void *memory, size_t size), (memory, size))
WATCH(Memory, void *, memalign, (size_t alignment, size_t size), (alignment, size))
WATCH(Memory, void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WATCH(Memory, int, posix_memalign, (void **memory, size_t alignment, size_t size), (memory, alignment, size))

static void watched_free(void *memory) {
    // `free(NULL)` does nothing, so it is not recorded.
    if (memory) call_watch_note(CallKindMemory, "free");
    free(memory);
}

WATCH(Lock, int, pthread_mutex_lock, (pthread_mutex_t *mutex), (mutex))
WATCH(Lock, int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
WATCH(Lock, int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
WATCH(Lock, int, pthread_spin_lock, (pthread_spinlock_t *lock), (lock))
WATCH(Lock, int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex), (condition, mutex))
WATCH(Lock, int, pthread_join, (pthread_t thread, void **result), (thread, result))
WATCH(Lock, int, sem_wait, (sem_t *semaphore), (semaphore))

WATCH(System, int, usleep, (useconds_t microseconds), (microseconds))
WATCH(System, unsigned, sleep, (unsigned seconds), (seconds))
WATCH(System, int, nanosleep, (const struct timespec *span, struct timespec *rest), (span, rest))
WATCH(System, int, sched_yield, (void), ())
WATCH(System, int, pthread_create,
    (pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
    (thread, attributes, body, argument))
WATCH(System, ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
WATCH(System, ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WATCH(System, int, close, (int file), (file))
WATCH(System, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WATCH(System, FILE *, fopen64, (const char *path, const char *mode), (path, mode))
WATCH(System, int, fclose, (FILE *file), (file))
WATCH(System, int, fflush, (FILE *file), (file))
WATCH(System, int, puts, (const char *text), (text))
WATCH(System, int, putchar, (int character), (character))
WATCH(System, int, fputs, (const char *text, FILE *file), (text, file))
WATCH(System, int, fputc, (int character, FILE *file), (character, file))
WATCH(System, size_t, fread, (void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))
WATCH(System, size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))
WATCH(System, int, vfprintf, (FILE *file, const char *format, va_list arguments), (file, format, arguments))

static int watched_open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    call_watch_note(CallKindSystem, "open");
    return open(path, flags, mode);
}

/// Defines a printing function with a format and variable arguments.
#define WATCH_PRINTING(name, parameters, file)            \
    static int watched_##name parameters {                \
        call_watch_note(CallKindSystem, #name);           \
        va_list arguments;                                \
        va_start(arguments, format);                      \
        int count = vfprintf(file, format, arguments);    \
        va_end(arguments);                                \
        return count;                                     \
    }

WATCH_PRINTING(printf, (const char *format, ...), stdout)
WATCH_PRINTING(fprintf, (FILE *file, const char *format, ...), file)
WATCH_PRINTING(__printf_chk, (int flag __attribute__((unused)), const char *format, ...), stdout)
WATCH_PRINTING(__fprintf_chk, (FILE *file, int flag __attribute__((unused)), const char *format, ...), file)

/// The name of a function and its replacement.
typedef struct WatchedCall {
    const char *name;
    void *function;
} WatchedCall;

#define ENTRY(name) {#name, (void *)watched_##name}

static const WatchedCall calls[] = {
    ENTRY(malloc), ENTRY(calloc), ENTRY(realloc), ENTRY(memalign), ENTRY(aligned_alloc),
    ENTRY(posix_memalign), ENTRY(free),
    ENTRY(pthread_mutex_lock), ENTRY(pthread_rwlock_rdlock), ENTRY(pthread_rwlock_wrlock),
    ENTRY(pthread_spin_lock), ENTRY(pthread_cond_wait), ENTRY(pthread_join), ENTRY(sem_wait),
    ENTRY(usleep), ENTRY(sleep), ENTRY(nanosleep), ENTRY(sched_yield), ENTRY(pthread_create),
    ENTRY(read), ENTRY(write), ENTRY(close), ENTRY(open), {"open64", (void *)watched_open},
    ENTRY(fopen), ENTRY(fopen64), ENTRY(fclose), ENTRY(fflush), ENTRY(puts), ENTRY(putchar),
    ENTRY(fputs), ENTRY(fputc), ENTRY(fread), ENTRY(fwrite), ENTRY(vfprintf),
    ENTRY(printf), ENTRY(fprintf), ENTRY(__printf_chk), ENTRY(__fprintf_chk),
};

void *watched_function(const char *name) {
    for (size_t place = 0; place < sizeof calls / sizeof *calls; place++)
        if (strcmp(calls[place].name, name) == 0) return calls[place].function;
    return NULL;
}
