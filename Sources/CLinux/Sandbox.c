#define _GNU_SOURCE
#include "Sandbox.h"

#include <signal.h>
#include <sys/random.h>
#include <unistd.h>

#include "SandboxTrap.h"

int linux_sandbox_enter(
    const struct linux_sandbox_limits *_Nonnull limits, int files,
    struct linux_sandbox_refusals *_Nonnull refusals) {
    static struct linux_sandbox_filter filter;
    struct linux_sandbox_rules rules = {.process = getpid(), .reports = true};
    int force = 0;
    linux_sandbox_offer_to_end();
    linux_sandbox_apply_limits(limits);
    if (getrandom(&rules.marker, sizeof rules.marker, 0) != sizeof rules.marker) rules.marker = 0;
    linux_sandbox_handle_traps(refusals, rules.marker);
    // Without the signal, a write beyond the size limit returns an error.
    signal(SIGXFSZ, SIG_IGN);
    if (linux_sandbox_give_up_privileges()) force |= linux_sandbox_has_no_privileges;
    if (linux_sandbox_files_apply(files)) force |= linux_sandbox_restricts_files;
    if (files >= 0) close(files);
    rules.reportsFiles = force & linux_sandbox_restricts_files;
    linux_sandbox_make_filter(&filter, &rules);
    if (linux_sandbox_apply_filter(&filter, true)) force |= linux_sandbox_restricts_calls;
    return force;
}
