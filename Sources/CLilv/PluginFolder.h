// Removes a folder with its contents. The C library's headers declare `nftw` for X/Open sources
// only.
#pragma once

#include <stdio.h>
#include <sys/stat.h>

struct FTW;
extern int nftw(
    const char *_Nonnull folder,
    int (*_Nonnull visit)(
        const char *_Nonnull, const struct stat *_Nonnull, int, struct FTW *_Nonnull),
    int maximumFiles, int flags);

static inline int plugin_remove_file(
    const char *_Nonnull path, const struct stat *_Nonnull status, int kind, struct FTW *_Nonnull at) {
    (void)status, (void)kind, (void)at;
    return remove(path);
}

/// Removes a folder with its contents; symbolic links are removed, not followed.
static inline void plugin_remove_folder(const char *_Nonnull folder) {
    enum { physical = 1, depthFirst = 8 };
    nftw(folder, plugin_remove_file, 16, physical | depthFirst);
}
