// Logarithms and powers of two, four at a time, for spectral envelopes. The polynomials are minimax fits.
#pragma once

#include "CRealtimeSpectrum.h"

/// The logarithm to the base of 2 of positive numbers, good to 2e-06.
static inline RTLanes rt_lanes_log2(RTLanes x) {
    const RTMask bits = (RTMask)x;
    // The mantissa between 1 and 2.
    RTLanes exponent = __builtin_convertvector((bits >> 23) - 127, RTLanes);
    RTLanes m = (RTLanes)((bits & 0x007fffff) | 0x3f800000) - 1;
    RTLanes p = rt_all_lanes(0.0209753638f);
    p = p * m + rt_all_lanes(-0.0975215188f);
    p = p * m + rt_all_lanes(0.217226011f);
    p = p * m + rt_all_lanes(-0.340097033f);
    p = p * m + rt_all_lanes(0.477905036f);
    p = p * m + rt_all_lanes(-0.721179807f);
    p = p * m + rt_all_lanes(1.44269349f);
    return exponent + p * m;
}

/// Two to the power of numbers from -100 through 100, good to a relative 9e-08.
static inline RTLanes rt_lanes_exp2(RTLanes x) {
    const RTLanes round = rt_all_lanes(12582912.0f);
    RTLanes shifted = x + round, r = x - (shifted - round);
    RTLanes p = rt_all_lanes(0.00134072555f);
    p = p * r + rt_all_lanes(0.0096718753f);
    p = p * r + rt_all_lanes(0.0555030837f);
    p = p * r + rt_all_lanes(0.240222346f);
    p = p * r + rt_all_lanes(0.693147215f);
    p = p * r + rt_all_lanes(1);
    return (RTLanes)((RTMask)p + (((RTMask)shifted) << 23));
}

/// Writes the logarithms of the strongest of each few bins, point k's about bin `bins` times k; `count` is a multiple of 4.
///
/// `power` has two more places before it, which are not looked at, and room behind.
RTSAFE static inline void rt_pool_levels(
    const float *_Nonnull power, float *_Nonnull levels, int64_t count, int64_t bins, float floor) {
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes strongest = {floor, floor, floor, floor};
        for (int64_t near = -bins / 2; near < bins / 2; near += 1) {
            const float *p = power + bins * k + near;
            RTLanes x = {p[0], p[bins], p[2 * bins], p[3 * bins]};
            strongest = rt_where(x > strongest, x, strongest);
        }
        rt_store(levels + k, rt_lanes_log2(strongest));
    }
}

/// Writes logarithms to the base of 2 of numbers that are lifted to a floor; `count` is a multiple of 4.
RTSAFE static inline void rt_logarithms(
    const float *_Nonnull values, float *_Nonnull logarithms, int64_t count, float floor) {
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes x = rt_load(values + k);
        rt_store(logarithms + k, rt_lanes_log2(rt_where(x > floor, x, rt_all_lanes(floor))));
    }
}

/// Lifts values to at least those of another row, lowered; `count` is a multiple of 4.
RTSAFE static inline void rt_at_least(
    const float *_Nonnull values, const float *_Nonnull others, float lowered, float *_Nonnull result,
    int64_t count) {
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes a = rt_load(values + k), b = rt_load(others + k) - lowered;
        rt_store(result + k, rt_where(a > b, a, b));
    }
}

/// Multiplies complex numbers by what an envelope of logarithms of power makes of them where it is read elsewhere.
///
/// - bins: The frequency of each, in bins.
/// - pointsPerBin: How many points of the envelope a bin is.
/// - scale: By what its frequency is multiplied for where the envelope is read instead.
/// - most: The greatest change, as a logarithm of amplitude.
RTSAFE static inline void rt_shape(
    const float *_Nonnull envelope, int64_t points, const float *_Nonnull bins, float pointsPerBin,
    float scale, float most,
    float *_Nonnull reals, float *_Nonnull imaginaries, int64_t count) {
    for (int64_t i = 0; i < count; i += 4) {
        RTLanes change;
        for (int64_t lane = 0; lane < 4; lane += 1) {
            float level[2];
            for (int64_t end = 0; end < 2; end += 1) {
                // Point k stands for the bins from 4 k - 2 through 4 k + 1.
                float place = (end ? scale * bins[i + lane] : bins[i + lane]) * pointsPerBin + 0.125f;
                place = place > 0 ? place : 0;
                place = place < (float)(points - 2) ? place : (float)(points - 2);
                const int32_t whole = (int32_t)place;
                level[end] = envelope[whole] + (place - (float)whole) * (envelope[whole + 1] - envelope[whole]);
            }
            change[lane] = 0.5f * (level[1] - level[0]);
        }
        change = rt_where(change < most, change, rt_all_lanes(most));
        change = rt_where(change > -most, change, rt_all_lanes(-most));
        RTLanes gain = rt_lanes_exp2(change);
        rt_store(reals + i, rt_load(reals + i) * gain);
        rt_store(imaginaries + i, rt_load(imaginaries + i) * gain);
    }
}
