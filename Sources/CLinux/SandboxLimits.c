#define _GNU_SOURCE
#include "SandboxLimits.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Sets a limit. Lower limits stay, unless `mayRaise` is set and the process is privileged.
static void linux_sandbox_limit(int resource, unsigned long long most, bool mayRaise) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    if (limit.rlim_max > most || mayRaise) limit.rlim_max = most;
    if (limit.rlim_cur > limit.rlim_max || mayRaise) limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

void linux_sandbox_apply_limits(const struct linux_sandbox_limits *_Nonnull limits) {
    linux_sandbox_limit(RLIMIT_CORE, 0, false);
    linux_sandbox_limit(RLIMIT_DATA, limits->memoryBytes, false);
    linux_sandbox_limit(RLIMIT_FSIZE, limits->fileBytes, false);
    linux_sandbox_limit(RLIMIT_NOFILE, limits->files, false);
    // All processes of the user count here, so this only bounds a flood of threads.
    linux_sandbox_limit(RLIMIT_NPROC, 8192, false);
    linux_sandbox_limit(RLIMIT_MSGQUEUE, 0, false);
    linux_sandbox_limit(RLIMIT_NICE, 0, false);
    // Root has these rights through its privileges, which it gives up next.
    unsigned long long priority = limits->realtimePriority > 0 ? (unsigned long long)limits->realtimePriority : 0;
    linux_sandbox_limit(RLIMIT_RTPRIO, priority, priority > 0 && geteuid() == 0);
    if (limits->mayLockMemory && geteuid() == 0) linux_sandbox_limit(RLIMIT_MEMLOCK, RLIM_INFINITY, true);
}

void linux_sandbox_offer_to_end(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t written = write(file, "1000", 4);
    (void)written;
    close(file);
}

bool linux_sandbox_give_up_privileges(void) {
    // Programs that root starts get the privileges of this set. An unprivileged process cannot
    // change it and need not.
    for (int privilege = 0; privilege < 64; privilege += 1)
        if (prctl(PR_CAPBSET_DROP, privilege, 0, 0, 0) != 0 && errno == EINVAL) break;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    bool hasNone = syscall(__NR_capset, &header, none) == 0;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && hasNone;
}
