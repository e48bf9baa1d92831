#define _GNU_SOURCE
#include "ChildSandbox.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "SandboxFiles.h"

/// Allocates one or more pages at an address that cannot be guessed; NULL on failure.
static char *_Nullable linux_child_secret_memory(size_t bytes) {
    for (int attempt = 0; attempt < 64; attempt += 1) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) != sizeof random) return NULL;
#if defined(__x86_64__)
        uintptr_t address = (uintptr_t)(random & 0x3ffffffff000ull);
#else
        // Below the end of the smallest address space, aligned to the largest page size.
        uintptr_t address = (uintptr_t)(random & 0x3fffff0000ull);
#endif
        void *memory = mmap(
            (void *)address, bytes, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (memory == (void *)address) return memory;
        if (memory != MAP_FAILED) munmap(memory, bytes);
    }
    return NULL;
}

/// Allows the start of a program, of the loader, and the use of the libraries next to the program.
static void linux_child_allow_program(int rules, const char *_Nonnull path) {
    linux_sandbox_files_allow(rules, path, linux_sandbox_read | linux_sandbox_start);
    linux_sandbox_files_allow(rules, "/lib64/ld-linux-x86-64.so.2", linux_sandbox_read | linux_sandbox_start);
    linux_sandbox_files_allow(rules, "/lib/ld-linux-aarch64.so.1", linux_sandbox_read | linux_sandbox_start);
    linux_sandbox_files_allow_list(rules, getenv("LD_LIBRARY_PATH"));
    char *real = realpath(path, NULL);
    char *end = real ? strrchr(real, '/') : NULL;
    if (end && (size_t)(end - real) + 8 < 4096) {
        char libraries[4096];
        memcpy(libraries, real, (size_t)(end - real));
        strcpy(libraries + (end - real), "/../lib");
        linux_sandbox_files_allow(rules, libraries, linux_sandbox_read);
    }
    free(real);
}

struct linux_child_sandbox *_Nullable linux_child_sandbox_make(
    const char *_Nonnull path, const struct linux_child_permissions *_Nonnull permissions) {
    struct linux_child_sandbox *sandbox = calloc(1, sizeof *sandbox);
    const size_t memoryBytes = 1 << 16;
    char *memory = linux_child_secret_memory(memoryBytes);
    uint16_t offset = 0;
    if (!sandbox || !memory || getrandom(&offset, sizeof offset, 0) != sizeof offset) {
        if (memory) munmap(memory, memoryBytes);
        free(sandbox);
        errno = ENOMEM;
        return NULL;
    }
    sandbox->memory = memory;
    sandbox->memoryBytes = memoryBytes;
    sandbox->program = memory + (offset & 0x7ff0);
    strcpy(sandbox->program, path);
    sandbox->mayUseNetwork = permissions->mayUseNetwork;
    // The child writes only to pipes.
    sandbox->limits = (struct linux_sandbox_limits){.memoryBytes = 1ull << 30, .fileBytes = 0, .files = 64};
    sandbox->files = linux_sandbox_files_begin(permissions->mayUseNetwork);
    if (sandbox->files >= 0) {
        linux_sandbox_files_allow_system(sandbox->files, permissions->mayUseNetwork);
        linux_child_allow_program(sandbox->files, path);
        if (permissions->file) linux_sandbox_files_allow(sandbox->files, permissions->file, linux_sandbox_read);
    }
    return sandbox;
}

/// The niceness of a sandboxed child.
static const int linux_child_niceness = 5;

void linux_child_sandbox_apply(struct linux_child_sandbox *_Nonnull sandbox, int files) {
    struct linux_sandbox_rules rules = {
        .process = getpid(),
        .mayUseNetwork = sandbox->mayUseNetwork,
        .programAddress = (uint64_t)(uintptr_t)sandbox->program,
    };
    linux_sandbox_make_filter(&sandbox->filter, &rules);
    linux_sandbox_offer_to_end();
    setpriority(PRIO_PROCESS, 0, linux_child_niceness);
    linux_sandbox_apply_limits(&sandbox->limits);
    linux_sandbox_give_up_privileges();
    linux_sandbox_files_apply(files);
    linux_sandbox_apply_filter(&sandbox->filter, false);
}

void linux_child_sandbox_free(struct linux_child_sandbox *_Nonnull sandbox) {
    munmap(sandbox->memory, sandbox->memoryBytes);
    if (sandbox->files >= 0) close(sandbox->files);
    free(sandbox);
}
