#define _GNU_SOURCE
#include "../CLilv/PluginExit.h"

#include <dlfcn.h>
#include <link.h>
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/// An active call of a plugin's function on a thread.
typedef struct Guard {
    jmp_buf return_point;
    struct Guard *outer;
    /// The address of the function, or that of the plugin's descriptor.
    void *function;
} Guard;

static _Thread_local Guard *innermost;
static _Thread_local int given_status;
static pid_t process;
static bool ends_process;
static bool holds_threads;
static int main_thread_status;

// A child process that a plugin forks inherits this code and must be able to exit.
__attribute__((constructor)) static void note_process(void) { process = getpid(); }

void plugin_exit_ends_process(void) { ends_process = true; }

void plugin_exit_hold_threads(int mainThreadStatus) {
    main_thread_status = mainThreadStatus;
    holds_threads = true;
}

void plugin_guard(
    PluginExit *record, int32_t kind, void (*body)(void *, PluginArguments *), void *function,
    PluginArguments *arguments) {
    if (__atomic_load_n(&record->hasLeft, __ATOMIC_ACQUIRE)) return;
    Guard guard = {.outer = innermost, .function = function};
    if (_setjmp(guard.return_point) == 0) {
        innermost = &guard;
        body(function, arguments);
        innermost = guard.outer;
    } else {
        // Another thread may be in the plugin as well. Only the first thread that leaves it is
        // recorded.
        if (__atomic_load_n(&record->hasLeft, __ATOMIC_ACQUIRE)) return;
        record->status = given_status;
        record->kind = kind;
        __atomic_store_n(&record->hasLeft, 1, __ATOMIC_RELEASE);
    }
}

/// Leaves the plugin's function that this thread is in; returns if the thread is in no plugin.
static void leave_plugin(int status) {
    Guard *guard = innermost;
    if (!guard || ends_process || getpid() != process) return;
    innermost = guard->outer;
    given_status = status;
    _longjmp(guard->return_point, 1);
}

/// Copies the path of the library that contains an address; returns its length, 0 if it is not known.
static size_t copy_library(void *address, char *copy, size_t capacity) {
#if __GLIBC_PREREQ(2, 35)
    // `dladdr` waits for a lock, which a thread that loads a library has.
    struct dl_find_object found;
    if (!address || _dl_find_object(address, &found) || !found.dlfo_link_map) return 0;
    const char *path = found.dlfo_link_map->l_name;
    size_t length = 0;
    for (; path && path[length] && length < capacity; length += 1) {
        unsigned char byte = (unsigned char)path[length];
        copy[length] = byte < 0x20 || byte == 0x7f ? '?' : path[length];
    }
    return length;
#else
    (void)address, (void)copy, (void)capacity;
    return 0;
#endif
}

void plugin_report_crash(void) {
    enum { most_milliseconds = 100, path_bytes = 1024 };
    static char start[] = "stompline: ", some[] = "a plugin";
    static char end[] =
        " crashed, which ends the program. With \"isolate\": true, a plugin runs in its own process.\n";
    Guard *guard = innermost;
    if (!guard || ends_process || getpid() != process) return;
    char path[path_bytes];
    size_t length = copy_library(guard->function, path, sizeof path);
    struct iovec parts[] = {
        {start, sizeof start - 1}, {length ? path : some, length ? length : sizeof some - 1}, {end, sizeof end - 1}};
    // A terminal or a pipe that nobody reads must not delay the end.
    struct pollfd errors = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&errors, 1, most_milliseconds) > 0) (void)!writev(STDERR_FILENO, parts, 3);
}

/// Holds a thread on which a library calls `exit`; returns the exit status if the process may end.
static int hold_thread(int status, const void *caller, const char *name) {
    Dl_info own, other;
    if (!holds_threads || getpid() != process) return status;
    if (!dladdr((const void *)&holds_threads, &own) || !dladdr(caller, &other)) return status;
    if (own.dli_fbase == other.dli_fbase) return status;
    const char *library = other.dli_fname ? other.dli_fname : "a library";
    if (syscall(SYS_gettid) == process) {
        dprintf(STDERR_FILENO, "stompline: %s called %s(%d), which ends the program\n", library, name, status);
        return main_thread_status;
    }
    dprintf(
        STDERR_FILENO,
        "stompline: %s called %s(%d) on its own thread. The thread is stopped and the program continues. With "
        "\"isolate\": true, a plugin runs in its own process, which it can end.\n",
        library, name, status);
    while (true) pause();
}

__attribute__((noreturn)) void exit(int status) {
    leave_plugin(status);
    status = hold_thread(status, __builtin_return_address(0), "exit");
    // ISO C has no cast from an object pointer to a function pointer.
    union { void *found; void (*call)(int); } next = {.found = dlsym(RTLD_NEXT, "exit")};
    if (next.call) next.call(status);
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

__attribute__((noreturn)) void _exit(int status) {
    leave_plugin(status);
    status = hold_thread(status, __builtin_return_address(0), "_exit");
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

__attribute__((noreturn)) void _Exit(int status) {
    leave_plugin(status);
    status = hold_thread(status, __builtin_return_address(0), "_Exit");
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
