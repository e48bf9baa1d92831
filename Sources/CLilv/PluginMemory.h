// Memory as a new program has it.
#pragma once

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>

/// From here on, memory that the calling thread gets anew is zero (or no longer).
///
/// What its cache hands out stays as it was freed: `plugin_empty_cache`.
static inline void plugin_zero_memory(bool isOn) {
#if defined(M_PERTURB)
    // New memory is filled with the complement of this byte.
    mallopt(M_PERTURB, isOn ? 0xff : 0);
#endif
}

// glibc's allocator keeps the last pieces of each of its small sizes that a thread freed, to hand them out again.
enum { plugin_cache_sizes = 64, plugin_cache_depth = 7, plugin_cache_pieces = plugin_cache_sizes * plugin_cache_depth };

/// Takes all that the calling thread's cache may hold.
static inline void plugin_empty_cache(void *_Nullable *_Nonnull pieces) {
    for (int piece = 0; piece < plugin_cache_pieces; piece += 1)
        pieces[piece] = malloc(24 + 16 * (size_t)(piece / plugin_cache_depth));
}

/// Gives back what was taken.
static inline void plugin_fill_cache(void *_Nullable *_Nonnull pieces) {
    for (int piece = 0; piece < plugin_cache_pieces; piece += 1) free(pieces[piece]);
}
