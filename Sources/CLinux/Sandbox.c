#define _GNU_SOURCE
#include "Sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/// The memory for refused calls: each word is a call's number plus 1, or 0 if it is free.
static uint32_t *_Nullable linux_sandbox_refusals = NULL;

/// Records a refused call and makes it fail with EPERM.
static void linux_sandbox_refuse(int signal, siginfo_t *_Nonnull information, void *_Nonnull context) {
    (void)signal;
    uint32_t note = (uint32_t)information->si_syscall + 1;
    uint32_t *notes = linux_sandbox_refusals;
    for (int place = 0; notes && place < linux_sandbox_refusal_count; place += 1) {
        uint32_t before = 0;
        bool isFree = __atomic_compare_exchange_n(
            &notes[place], &before, note, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        if (isFree || before == note) break;
    }
#if defined(__x86_64__)
    // Register 13 contains the result of a call.
    ((ucontext_t *)context)->uc_mcontext.gregs[13] = -EPERM;
#elif defined(__aarch64__)
    ((ucontext_t *)context)->uc_mcontext.regs[0] = (unsigned long)-EPERM;
#else
    (void)context;
#endif
}

int linux_sandbox_enter(
    const struct linux_sandbox_limits *_Nonnull limits, int files, uint32_t *_Nonnull refusals) {
    static struct linux_sandbox_filter filter;
    struct linux_sandbox_rules rules = {.process = getpid(), .reports = true};
    int force = 0;
    linux_sandbox_offer_to_end();
    linux_sandbox_apply_limits(limits);
    linux_sandbox_refusals = refusals;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = linux_sandbox_refuse;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    sigaction(SIGSYS, &action, NULL);
    // Without the signal, a write beyond the size limit returns an error.
    signal(SIGXFSZ, SIG_IGN);
    if (linux_sandbox_give_up_privileges()) force |= linux_sandbox_has_no_privileges;
    if (linux_sandbox_files_apply(files)) force |= linux_sandbox_restricts_files;
    if (files >= 0) close(files);
    linux_sandbox_make_filter(&filter, &rules);
    if (linux_sandbox_apply_filter(&filter, true)) force |= linux_sandbox_restricts_calls;
    return force;
}
