#define _GNU_SOURCE
#include "SandboxFiles.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's interface, because the C library's headers may be older than the kernel.
enum { linux_landlock_create = 444, linux_landlock_add = 445, linux_landlock_restrict = 446 };

struct linux_landlock_ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct __attribute__((packed)) linux_landlock_rule {
    uint64_t allowed;
    int32_t parent;
};

int linux_sandbox_files_version(void) {
    long version = syscall(linux_landlock_create, NULL, 0, 1);
    return version < 0 ? 0 : (int)version;
}

/// Returns all kinds of file access that a version of Landlock knows.
static uint64_t linux_sandbox_known_access(int version) {
    // Version 1 knows everything up to creating links; later versions add moves between folders,
    // truncation, and ioctl on devices.
    uint64_t known = (1 << 13) - 1;
    if (version >= 2) known |= 1 << 13;
    if (version >= 3) known |= 1 << 14;
    if (version >= 5) known |= 1 << 15;
    return known;
}

int linux_sandbox_files_begin(bool mayConnect) {
    int version = linux_sandbox_files_version();
    if (version == 0) return -1;
    struct linux_landlock_ruleset rules = {linux_sandbox_known_access(version), 0, 0};
    // Version 4 knows TCP: 1 is bind, 2 is connect. Version 6 knows signals and abstract sockets.
    if (version >= 4) rules.network = mayConnect ? 1 : 1 | 2;
    if (version >= 6) rules.scopes = 1 | 2;
    size_t bytes = version >= 6 ? sizeof rules : version >= 4 ? 16 : 8;
    return (int)syscall(linux_landlock_create, &rules, bytes, 0);
}

void linux_sandbox_files_allow(int rules, const char *_Nonnull path, uint64_t access) {
    // O_PATH, which the C library's headers define for GNU sources only: 010000000 on both
    // architectures.
    int place = open(path, 010000000 | O_CLOEXEC);
    if (place < 0) return;
    struct stat status;
    if (fstat(place, &status) == 0) {
        uint64_t allowed = access & linux_sandbox_known_access(linux_sandbox_files_version());
        // Most kinds of access apply to folders only.
        if (!S_ISDIR(status.st_mode)) allowed &= 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;
        struct linux_landlock_rule rule = {allowed, place};
        if (allowed != 0) syscall(linux_landlock_add, rules, 1, &rule, 0);
    }
    close(place);
}

/// The files that every program reads: libraries, data and facts about the machine; no secrets.
static const char *_Nonnull const linux_sandbox_system[] = {
    "/usr", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/ld.so.conf",
    "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/fonts",
    "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/alternatives", "/etc/alsa", "/etc/os-release",
    "/var/cache/fontconfig", "/sys/devices/system", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version",
    "/proc/filesystems", "/proc/loadavg", "/proc/uptime", "/proc/sys/kernel", "/proc/sys/vm", "/dev/zero",
    "/dev/full", "/dev/random", "/dev/urandom",
};

/// The additional files for resolving host names and checking certificates.
static const char *_Nonnull const linux_sandbox_network_files[] = {
    "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/ssl",
    "/etc/ca-certificates", "/etc/pki", "/etc/gnutls", "/etc/crypto-policies", "/etc/pkcs11",
};

void linux_sandbox_files_allow_system(int rules, bool network) {
    for (size_t place = 0; place < sizeof linux_sandbox_system / sizeof *linux_sandbox_system; place += 1)
        linux_sandbox_files_allow(rules, linux_sandbox_system[place], linux_sandbox_read);
    linux_sandbox_files_allow(rules, "/dev/null", linux_sandbox_read | linux_sandbox_write);
    size_t count = sizeof linux_sandbox_network_files / sizeof *linux_sandbox_network_files;
    for (size_t place = 0; network && place < count; place += 1)
        linux_sandbox_files_allow(rules, linux_sandbox_network_files[place], linux_sandbox_read);
}

void linux_sandbox_files_allow_list(int rules, const char *_Nullable list) {
    char folder[4096];
    while (list && *list) {
        size_t length = 0;
        while (list[length] && list[length] != ':') length += 1;
        if (length > 0 && length < sizeof folder) {
            for (size_t place = 0; place < length; place += 1) folder[place] = list[place];
            folder[length] = 0;
            linux_sandbox_files_allow(rules, folder, linux_sandbox_read);
        }
        list += list[length] ? length + 1 : length;
    }
}

bool linux_sandbox_files_apply(int rules) {
    return rules >= 0 && syscall(linux_landlock_restrict, rules, 0) == 0;
}
