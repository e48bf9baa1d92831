// Memory in the state in which a new process gets it.
#pragma once

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

/// Starts or stops zeroing the memory that the calling thread allocates.
///
/// Memory from the thread's cache keeps its old contents; see `plugin_empty_cache`.
static inline void plugin_zero_memory(bool isOn) {
#if defined(M_PERTURB)
    // New memory is filled with the complement of this byte.
    mallopt(M_PERTURB, isOn ? 0xff : 0);
#endif
}

// For each small size, glibc's allocator caches the last pieces that a thread freed, and reuses
// them.
enum { plugin_cache_sizes = 64, plugin_cache_depth = 7, plugin_cache_pieces = plugin_cache_sizes * plugin_cache_depth };

/// Allocates all pieces that the calling thread's cache may contain.
static inline void plugin_empty_cache(void *_Nullable *_Nonnull pieces) {
    for (int piece = 0; piece < plugin_cache_pieces; piece += 1)
        pieces[piece] = malloc(24 + 16 * (size_t)(piece / plugin_cache_depth));
}

/// Frees the pieces that `plugin_empty_cache` allocated.
static inline void plugin_fill_cache(void *_Nullable *_Nonnull pieces) {
    for (int piece = 0; piece < plugin_cache_pieces; piece += 1) free(pieces[piece]);
}
