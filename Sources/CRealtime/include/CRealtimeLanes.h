// Shuffles, comparisons and blends of vectors of four floats. Swift splits such operations into
// single lanes; clang does not.
#pragma once

#include <stdint.h>
#include <string.h>

#include "CRealtimeAttributes.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef float RTLanes __attribute__((ext_vector_type(4)));
typedef float RTUnalignedLanes __attribute__((ext_vector_type(4), aligned(4)));

#define RTLANES RTSAFE static inline __attribute__((always_inline))

/// Keeps a vector whole: otherwise the optimiser splits the operations that lead to a shuffle into
/// single lanes, at twice the instructions.
#if defined(__x86_64__)
#define RT_WHOLE(lanes) __asm__("" : "+x"(lanes))
#elif defined(__aarch64__)
#define RT_WHOLE(lanes) __asm__("" : "+w"(lanes))
#else
#define RT_WHOLE(lanes) (void)(lanes)
#endif

/// Four integers; as a mask, each lane has all bits set or none.
typedef int32_t RTMask __attribute__((ext_vector_type(4)));
typedef double RTPair __attribute__((ext_vector_type(2)));

RTLANES RTLanes rt_load(const float *_Nonnull from) { return *(const RTUnalignedLanes *)from; }

RTLANES void rt_store(float *_Nonnull to, RTLanes lanes) { *(RTUnalignedLanes *)to = lanes; }

static inline RTLanes rt_all_lanes(float value) { return (RTLanes){value, value, value, value}; }

RTLANES float rt_sum_of_lanes(RTLanes lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

/// Returns the same float in each lane.
RTLANES RTLanes rt_repeated(float value) {
    RTLanes lanes = {value, value, value, value};
    RT_WHOLE(lanes);
    return lanes;
}

/// Returns the lanes in reverse order.
RTLANES RTLanes rt_reversed(RTLanes lanes) {
    return __builtin_shufflevector(lanes, lanes, 3, 2, 1, 0);
}

/// Returns the first, third… of eight floats in two vectors.
RTLANES RTLanes rt_evens(RTLanes low, RTLanes high) {
    RTLanes evens = __builtin_shufflevector(low, high, 0, 2, 4, 6);
    RT_WHOLE(evens);
    return evens;
}

/// Returns the second, fourth… of eight floats in two vectors.
RTLANES RTLanes rt_odds(RTLanes low, RTLanes high) {
    RTLanes odds = __builtin_shufflevector(low, high, 1, 3, 5, 7);
    RT_WHOLE(odds);
    return odds;
}

/// Writes eight floats: the first lane of each vector, then the second of each…
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

RTLANES RTMask rt_load_integers(const int32_t *_Nonnull from) {
    RTMask lanes;
    memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

RTLANES void rt_store_integers(int32_t *_Nonnull to, RTMask lanes) { memcpy(to, &lanes, sizeof lanes); }

RTLANES RTLanes rt_floats(RTMask integers) { return __builtin_convertvector(integers, RTLanes); }

/// Returns the bits of the floats unchanged.
RTLANES RTMask rt_bits(RTLanes lanes) { return (RTMask)lanes; }

/// Returns the lanes of `a` where the condition holds, and those of `b` elsewhere.
RTLANES RTLanes rt_where(RTMask condition, RTLanes a, RTLanes b) {
    return (RTLanes)(((RTMask)a & condition) | ((RTMask)b & ~condition));
}

RTLANES RTMask rt_above(RTLanes a, RTLanes b) { return a > b; }

RTLANES RTMask rt_not_below(RTLanes a, RTLanes b) { return a >= b; }

/// Returns a mask of the integers that are below `end`.
RTLANES RTMask rt_below(RTMask integers, int32_t end) { return integers < end; }

RTLANES RTMask rt_least(RTMask a, RTMask b) { return __builtin_elementwise_min(a, b); }

/// Returns the smallest of four integers.
RTLANES int32_t rt_least_lane(RTMask lanes) {
    lanes = __builtin_elementwise_min(lanes, __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1));
    return __builtin_elementwise_min(lanes, __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2))[0];
}

/// Returns one bit per lane; the first lane is the lowest bit.
RTLANES uint64_t rt_bits_of_mask(RTMask mask) {
#if defined(__SSE2__)
    return (uint64_t)_mm_movemask_ps((__m128)mask);
#else
    return (uint64_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

/// Returns the first `count` lanes, and 0 in the others.
RTLANES RTLanes rt_first_lanes(RTLanes lanes, int32_t count) {
    const RTMask places = {0, 1, 2, 3};
    return (RTLanes)((RTMask)lanes & (places < count));
}

/// Returns the last lane of one vector and the first three of the next.
RTLANES RTLanes rt_one_later(RTLanes before, RTLanes lanes) {
    return __builtin_shufflevector(before, lanes, 3, 4, 5, 6);
}

RTLANES RTLanes rt_magnitude(RTLanes lanes) {
    return (RTLanes)((RTMask)lanes & (RTMask){0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff});
}

RTLANES RTLanes rt_root(RTLanes lanes) {
#if defined(__SSE2__)
    return (RTLanes)_mm_sqrt_ps((__m128)lanes);
#else
    return __builtin_elementwise_sqrt(lanes);
#endif
}

RTLANES RTPair rt_pair_floor(RTPair pair) {
#if defined(__SSE4_1__)
    return (RTPair)_mm_floor_pd((__m128d)pair);
#else
    return __builtin_elementwise_floor(pair);
#endif
}

RTLANES RTPair rt_lower_pair(RTLanes lanes) {
    return __builtin_convertvector(__builtin_shufflevector(lanes, lanes, 0, 1), RTPair);
}

RTLANES RTPair rt_upper_pair(RTLanes lanes) {
    return __builtin_convertvector(__builtin_shufflevector(lanes, lanes, 2, 3), RTPair);
}
