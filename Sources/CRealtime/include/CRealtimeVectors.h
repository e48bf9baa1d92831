// Loops over arrays of floats, four at a time. Counts are multiples of four unless stated
// otherwise; arrays do not overlap unless they are identical.
#pragma once

#include <stdint.h>

#include "CRealtimeLanes.h"

/// Computes to = a · b.
RTSAFE static inline void rt_multiply(
    float *_Nonnull to, const float *_Nonnull a, const float *_Nonnull b, int64_t count) {
    for (int64_t i = 0; i < count; i += 4) rt_store(to + i, rt_load(a + i) * rt_load(b + i));
}

/// Computes to += a · b.
RTSAFE static inline void rt_add_product(
    float *_Nonnull to, const float *_Nonnull a, const float *_Nonnull b, int64_t count) {
    for (int64_t i = 0; i < count; i += 4) {
        rt_store(to + i, rt_load(to + i) + rt_load(a + i) * rt_load(b + i));
    }
}

/// An array of complex numbers, with real and imaginary parts in separate arrays.
typedef struct RTComplexArray {
    float *_Nonnull real;
    float *_Nonnull imaginary;
} RTComplexArray;

/// Computes sum += a · conj(b).
RTSAFE static inline void rt_add_match(
    RTComplexArray sum, RTComplexArray a, RTComplexArray b, int64_t count) {
    for (int64_t i = 0; i < count; i += 4) {
        const RTLanes ar = rt_load(a.real + i), ai = rt_load(a.imaginary + i);
        const RTLanes br = rt_load(b.real + i), bi = rt_load(b.imaginary + i);
        rt_store(sum.real + i, rt_load(sum.real + i) + (ar * br + ai * bi));
        rt_store(sum.imaginary + i, rt_load(sum.imaginary + i) + (ai * br - ar * bi));
    }
}

/// Computes to = a · b.
RTSAFE static inline void rt_turn(
    RTComplexArray to, RTComplexArray a, RTComplexArray b, int64_t count) {
    for (int64_t i = 0; i < count; i += 4) {
        const RTLanes ar = rt_load(a.real + i), ai = rt_load(a.imaginary + i);
        const RTLanes br = rt_load(b.real + i), bi = rt_load(b.imaginary + i);
        rt_store(to.real + i, ar * br - ai * bi);
        rt_store(to.imaginary + i, ar * bi + ai * br);
    }
}

/// Sums over a band of two spectra after one was turned towards the other.
typedef struct RTBandSums {
    /// The sum of the match, turned back.
    float common;
    float firstPower;
    float secondPower;
} RTBandSums;

RTSAFE static inline RTBandSums rt_band_sums(
    RTComplexArray match, RTComplexArray turns, const float *_Nonnull firstPower,
    const float *_Nonnull secondPower, int64_t start, int64_t count) {
    RTLanes common = {0, 0, 0, 0}, first = common, second = common;
    for (int64_t i = start; i < start + count; i += 4) {
        common += rt_load(match.real + i) * rt_load(turns.real + i)
            + rt_load(match.imaginary + i) * rt_load(turns.imaginary + i);
        first += rt_load(firstPower + i);
        second += rt_load(secondPower + i);
    }
    const RTBandSums sums = {
        (common[0] + common[1]) + (common[2] + common[3]),
        (first[0] + first[1]) + (first[2] + first[3]),
        (second[0] + second[1]) + (second[2] + second[3])};
    return sums;
}

/// Computes numbers *= factor.
RTSAFE static inline void rt_scale(
    RTComplexArray numbers, float factor, int64_t start, int64_t count) {
    for (int64_t i = start; i < start + count; i += 4) {
        rt_store(numbers.real + i, rt_load(numbers.real + i) * factor);
        rt_store(numbers.imaginary + i, rt_load(numbers.imaginary + i) * factor);
    }
}

/// Divides each number by its magnitude; a number that is almost 0 becomes 1.
RTSAFE static inline void rt_normalise(RTComplexArray numbers, int64_t count) {
    typedef int32_t RTFlags __attribute__((ext_vector_type(4)));
    for (int64_t i = 0; i < count; i += 4) {
        const RTLanes a = rt_load(numbers.real + i), b = rt_load(numbers.imaginary + i);
        const RTLanes square = a * a + b * b;
        const RTFlags isSmall = square < 1e-36f;
        const RTLanes scale = 1 / __builtin_elementwise_sqrt(isSmall ? 1 : square);
        rt_store(numbers.real + i, isSmall ? 1 : a * scale);
        rt_store(numbers.imaginary + i, isSmall ? 0 : b * scale);
    }
}

/// Returns the index of the smallest value from `first` up to, but not including, `end`.
RTSAFE static inline int32_t rt_weakest(
    const float *_Nonnull values, int32_t first, int32_t end) {
    float least = values[first];
    int32_t place = first;
    for (int32_t i = first + 1; i < end; i += 1) {
        const float value = values[i];
        place = value < least ? i : place;
        least = value < least ? value : least;
    }
    return place;
}

/// Sums over two power spectra.
typedef struct RTPowerSums {
    /// The sum of both powers.
    float total;
    /// The sum of the products of their square roots.
    float common;
} RTPowerSums;

RTSAFE static inline RTPowerSums rt_power_sums(
    const float *_Nonnull a, const float *_Nonnull b, int64_t count) {
    RTLanes total = {0, 0, 0, 0}, common = total;
    for (int64_t i = 0; i < count; i += 4) {
        const RTLanes x = rt_load(a + i), y = rt_load(b + i);
        total += x + y;
        common += __builtin_elementwise_sqrt(x) * __builtin_elementwise_sqrt(y);
    }
    const RTPowerSums sums = {
        (total[0] + total[1]) + (total[2] + total[3]),
        (common[0] + common[1]) + (common[2] + common[3])};
    return sums;
}

/// Returns the sum of products of `count` samples with `count` weights; `count` is a multiple of
/// 16.
RTSAFE static inline float rt_sum_of_products(
    const float *_Nonnull samples, const float *_Nonnull weights, int64_t count) {
    RTLanes a = {0, 0, 0, 0}, b = a, c = a, d = a;
    for (int64_t i = 0; i < count; i += 16) {
        a += rt_load(samples + i) * rt_load(weights + i);
        b += rt_load(samples + i + 4) * rt_load(weights + i + 4);
        c += rt_load(samples + i + 8) * rt_load(weights + i + 8);
        d += rt_load(samples + i + 12) * rt_load(weights + i + 12);
    }
    return rt_sum_of_lanes((a + b) + (c + d));
}

/// The sums of products of the same samples with two rows of weights.
///
/// The count is a multiple of 8.
typedef struct RTPairOfSums {
    float first;
    float second;
} RTPairOfSums;

RTSAFE static inline RTPairOfSums rt_two_sums(
    const float *_Nonnull samples, const float *_Nonnull first, const float *_Nonnull second,
    int64_t count) {
    RTLanes a = {0, 0, 0, 0}, b = a, c = a, d = a;
    for (int64_t i = 0; i < count; i += 8) {
        const RTLanes low = rt_load(samples + i), high = rt_load(samples + i + 4);
        a += low * rt_load(first + i);
        b += low * rt_load(second + i);
        c += high * rt_load(first + i + 4);
        d += high * rt_load(second + i + 4);
    }
    a += c;
    b += d;
    const RTPairOfSums sums = {(a[0] + a[1]) + (a[2] + a[3]), (b[0] + b[1]) + (b[2] + b[3])};
    return sums;
}
