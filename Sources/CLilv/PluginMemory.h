// Memory as a new program has it.
#pragma once

#include <malloc.h>
#include <stdbool.h>

/// From here on, memory that the calling thread gets anew is zero (or no longer).
///
/// Allocations that reuse what this very thread freed keep their content, so the thread had better be a new one.
static inline void plugin_zero_memory(bool isOn) {
#if defined(M_PERTURB)
    // New memory is filled with the complement of this byte.
    mallopt(M_PERTURB, isOn ? 0xff : 0);
#endif
}
