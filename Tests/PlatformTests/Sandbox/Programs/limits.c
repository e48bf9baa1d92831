// Applies the limits of a sandbox in a process that has lower soft limits for some resources.
//
// Ends with 0 if these stay, and if the higher ones are lowered; otherwise with the number of the
// first wrong limit.
#include <sys/resource.h>

#include "SandboxLimits.h"

static int setSoft(int resource, rlim_t soft) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_max < soft) return 0;
    limit.rlim_cur = soft;
    return setrlimit(resource, &limit) == 0;
}

static rlim_t soft(int resource) {
    struct rlimit limit = {0, 0};
    getrlimit(resource, &limit);
    return limit.rlim_cur;
}

static rlim_t hard(int resource) {
    struct rlimit limit = {0, 0};
    getrlimit(resource, &limit);
    return limit.rlim_max;
}

int main(void) {
    const struct linux_sandbox_limits limits = {.memoryBytes = 1ull << 30, .fileBytes = 1 << 20, .files = 64};
    if (!setSoft(RLIMIT_NOFILE, 40) || !setSoft(RLIMIT_DATA, 500 << 20) || !setSoft(RLIMIT_FSIZE, 1000)) return 9;
    linux_sandbox_apply_limits(&limits);
    if (soft(RLIMIT_NOFILE) != 40) return 1;
    if (soft(RLIMIT_DATA) != 500 << 20) return 2;
    if (soft(RLIMIT_FSIZE) != 1000) return 3;
    if (hard(RLIMIT_NOFILE) != 64 || hard(RLIMIT_DATA) != 1 << 30 || hard(RLIMIT_FSIZE) != 1 << 20) return 4;
    if (soft(RLIMIT_CORE) != 0 || soft(RLIMIT_MSGQUEUE) != 0) return 5;
    return 0;
}
