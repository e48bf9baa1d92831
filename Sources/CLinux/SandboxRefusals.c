#define _GNU_SOURCE
#include "SandboxRefusals.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Takes a free word for a number; returns whether the number is new.
static bool linux_sandbox_claim(uint32_t *_Nonnull word, uint32_t number, bool *_Nonnull isKnown) {
    uint32_t before = 0;
    bool isFree = __atomic_compare_exchange_n(word, &before, number, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    *isKnown = !isFree && before == number;
    return isFree;
}

void linux_sandbox_record_call(struct linux_sandbox_refusals *_Nullable refusals, long number) {
    bool isKnown = false;
    for (int place = 0; refusals && place < linux_sandbox_call_count && !isKnown; place += 1)
        if (linux_sandbox_claim(&refusals->calls[place], (uint32_t)number + 1, &isKnown)) return;
}

/// A text of limited length, always ended by a zero byte.
struct linux_sandbox_text {
    size_t length;
    bool isCut;
    char bytes[linux_sandbox_path_bytes];
};

static void linux_sandbox_append(struct linux_sandbox_text *_Nonnull text, const char *_Nonnull more) {
    while (*more && text->length + 1 < sizeof text->bytes) text->bytes[text->length++] = *more++;
    text->bytes[text->length] = 0;
    text->isCut = text->isCut || *more;
}

/// Writes the path of a folder: the current one, or the one of a descriptor; nothing if it is
/// unknown.
static void linux_sandbox_write_folder(struct linux_sandbox_text *_Nonnull text, int folder) {
    long length = 0;
    if (folder == AT_FDCWD) {
        // The length includes the zero byte.
        length = syscall(SYS_getcwd, text->bytes, sizeof text->bytes) - 1;
    } else {
        char link[32] = "/proc/self/fd/", digits[12];
        size_t count = 0, end = strlen(link);
        for (unsigned rest = (unsigned)folder; count == 0 || rest > 0; rest /= 10)
            digits[count++] = (char)('0' + rest % 10);
        while (count > 0) link[end++] = digits[--count];
        link[end] = 0;
        length = syscall(SYS_readlinkat, AT_FDCWD, link, text->bytes, sizeof text->bytes - 1);
    }
    text->length = length > 0 ? (size_t)length : 0;
    text->bytes[text->length] = 0;
    if (text->length > 1) linux_sandbox_append(text, "/");
}

/// Returns a hash of an action and a path that is not 0 (FNV-1a).
static uint32_t linux_sandbox_key(uint32_t action, const char *_Nonnull path) {
    uint32_t hash = (2166136261u ^ action) * 16777619u;
    for (; *path; path += 1) hash = (hash ^ (unsigned char)*path) * 16777619u;
    return hash ? hash : 1;
}

void linux_sandbox_record_file(
    struct linux_sandbox_refusals *_Nullable refusals, uint32_t action, int folder, const char *_Nonnull path) {
    struct linux_sandbox_text text = {0};
    if (*path != '/') linux_sandbox_write_folder(&text, folder);
    linux_sandbox_append(&text, path);
    uint32_t key = linux_sandbox_key(action, text.bytes);
    bool isKnown = false;
    for (int place = 0; refusals && place < linux_sandbox_file_count && !isKnown; place += 1) {
        struct linux_sandbox_refused_file *file = &refusals->files[place];
        if (!linux_sandbox_claim(&file->key, key, &isKnown)) continue;
        file->action = action;
        file->isCut = text.isCut;
        memcpy(file->path, text.bytes, sizeof file->path);
        __atomic_store_n(&file->isWritten, 1, __ATOMIC_RELEASE);
        return;
    }
}
