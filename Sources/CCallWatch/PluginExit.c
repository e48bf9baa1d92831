#define _GNU_SOURCE
#include "../CLilv/PluginExit.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/// An active call of a plugin's function on a thread.
typedef struct Guard {
    jmp_buf return_point;
    struct Guard *outer;
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
    Guard guard = {.outer = innermost};
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
