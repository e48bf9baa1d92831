// Moves between the lanes of four floats: Swift spills to the stack for them, clang does not.
#pragma once

#include "CRealtimeAttributes.h"

typedef float RTLanes __attribute__((ext_vector_type(4)));
typedef float RTUnalignedLanes __attribute__((ext_vector_type(4), aligned(4)));

#define RTLANES RTSAFE static inline __attribute__((always_inline))

/// Keeps a vector whole: the optimiser otherwise takes apart what leads to a shuffle, lane by lane, at twice the instructions.
#if defined(__x86_64__)
#define RT_WHOLE(lanes) __asm__("" : "+x"(lanes))
#elif defined(__aarch64__)
#define RT_WHOLE(lanes) __asm__("" : "+w"(lanes))
#else
#define RT_WHOLE(lanes) (void)(lanes)
#endif


RTLANES RTLanes rt_load(const float *_Nonnull from) { return *(const RTUnalignedLanes *)from; }

RTLANES void rt_store(float *_Nonnull to, RTLanes lanes) { *(RTUnalignedLanes *)to = lanes; }

/// The same float in each lane.
RTLANES RTLanes rt_repeated(float value) {
    RTLanes lanes = {value, value, value, value};
    RT_WHOLE(lanes);
    return lanes;
}

/// The lanes in the opposite order.
RTLANES RTLanes rt_reversed(RTLanes lanes) {
    return __builtin_shufflevector(lanes, lanes, 3, 2, 1, 0);
}

/// The first, third… of eight floats that lie in two vectors.
RTLANES RTLanes rt_evens(RTLanes low, RTLanes high) {
    RTLanes evens = __builtin_shufflevector(low, high, 0, 2, 4, 6);
    RT_WHOLE(evens);
    return evens;
}

/// The second, fourth… of eight floats that lie in two vectors.
RTLANES RTLanes rt_odds(RTLanes low, RTLanes high) {
    RTLanes odds = __builtin_shufflevector(low, high, 1, 3, 5, 7);
    RT_WHOLE(odds);
    return odds;
}

/// Writes eight floats: the first lane of each, then the second of each…
RTLANES void rt_store_alternating(float *_Nonnull to, RTLanes evens, RTLanes odds) {
    RT_WHOLE(evens);
    RT_WHOLE(odds);
    rt_store(to, __builtin_shufflevector(evens, odds, 0, 4, 1, 5));
    rt_store(to + 4, __builtin_shufflevector(evens, odds, 2, 6, 3, 7));
}

/// Writes sixteen floats: the first lane of each of four vectors, then the second of each…
RTLANES void rt_store_transposed(
    float *_Nonnull to, RTLanes a, RTLanes b, RTLanes c, RTLanes d) {
    RT_WHOLE(a);
    RT_WHOLE(b);
    RT_WHOLE(c);
    RT_WHOLE(d);
    const RTLanes ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const RTLanes ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const RTLanes cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const RTLanes cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    rt_store(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
    rt_store(to + 4, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
    rt_store(to + 8, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
    rt_store(to + 12, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}
