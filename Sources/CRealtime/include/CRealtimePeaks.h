// Narrow peaks of a power spectrum.
#pragma once

#include <stdbool.h>

#include "CRealtimeLogarithm.h"
#include "CRealtimeVectors.h"

/// A mask as two integers, to see whether any lane is set.
typedef int64_t RTPairOfMasks __attribute__((ext_vector_type(2)));

/// The least powers of narrow peaks.
typedef struct RTPeakLimits {
    float power;
    /// The ratio to the sum of two neighbours next to each other, the quietest of four pairs: other
    /// partials may be near, on both sides.
    float ratio;
} RTPeakLimits;

/// Returns the largest of any number of floats, at least 0.
RTSAFE static inline float rt_highest(const float *_Nonnull values, int64_t count) {
    RTLanes highest = {0, 0, 0, 0};
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) highest = __builtin_elementwise_max(highest, rt_load(values + i));
    float result = highest[0];
    for (int64_t lane = 1; lane < 4; lane += 1) result = highest[lane] > result ? highest[lane] : result;
    for (; i < count; i += 1) result = values[i] > result ? values[i] : result;
    return result;
}

/// Returns the index of the first of the smallest values; the number of values is a multiple of
/// four.
RTSAFE static inline int64_t rt_least_place(const float *_Nonnull values, int64_t count) {
    RTLanes least = rt_load(values);
    for (int64_t i = 4; i < count; i += 4) least = __builtin_elementwise_min(least, rt_load(values + i));
    const float a = least[0] < least[1] ? least[0] : least[1];
    const float b = least[2] < least[3] ? least[2] : least[3];
    const RTLanes value = rt_all_lanes(a < b ? a : b);
    for (int64_t i = 0; i < count; i += 4) {
        const RTMask isLeast = rt_load(values + i) == value;
        const RTPairOfMasks halves = (RTPairOfMasks)isLeast;
        if ((halves[0] | halves[1]) == 0) continue;
        return i + (isLeast[0] ? 0 : isLeast[1] ? 1 : isLeast[2] ? 2 : 3);
    }
    return 0;
}

/// Returns the power of the quieter of two pairs of bins.
RTLANES RTLanes rt_quieter_pair(const float *_Nonnull near, const float *_Nonnull far) {
    const RTLanes a = rt_load(near) + rt_load(near + 1), b = rt_load(far) + rt_load(far + 1);
    return __builtin_elementwise_min(a, b);
}

/// Returns whether a bin is a narrow peak; pairs below the lowest bin do not count.
RTSAFE static inline bool rt_is_peak(
    const float *_Nonnull power, int64_t bin, RTPeakLimits limits) {
    const float here = power[bin];
    float pair = power[bin + 4] + power[bin + 5];
    const float far = power[bin + 6] + power[bin + 7];
    pair = far < pair ? far : pair;
    for (int64_t distance = 4; distance <= 6 && bin > distance + 1; distance += 2) {
        const float below = power[bin - distance] + power[bin - distance - 1];
        pair = below < pair ? below : pair;
    }
    return here > limits.power && here > power[bin - 1] && here >= power[bin + 1]
        && here > limits.ratio * pair;
}

/// Finds the narrow peaks from bin `first` up to, but not including, `end`.
///
/// - Parameters:
///   - power: The spectrum; ten bins from `end` on are read.
///   - first: The first bin, at least 4.
///   - bins: Receives the bins of the peaks, and needs room for four more than `limit`.
/// - Returns: The number of peaks, at most `limit`.
RTSAFE static inline int64_t rt_find_peaks(
    const float *_Nonnull power, int64_t first, int64_t end, RTPeakLimits limits,
    int32_t *_Nonnull bins, int64_t limit) {
    const RTLanes least = rt_all_lanes(limits.power), ratio = rt_all_lanes(limits.ratio);
    int64_t count = 0, bin = first;
    for (; bin < end && bin < 8 && count < limit; bin += 1) {
        bins[count] = (int32_t)bin;
        count += rt_is_peak(power, bin, limits);
    }
    for (; bin < end && count < limit; bin += 4) {
        const float *place = power + bin;
        const RTLanes here = rt_load(place);
        RTLanes pair = rt_quieter_pair(place + 4, place + 6);
        pair = __builtin_elementwise_min(pair, rt_quieter_pair(place - 5, place - 7));
        const RTMask isPeak = (here > least) & (here > rt_load(place - 1))
            & (here >= rt_load(place + 1)) & (here > ratio * pair);
        const RTPairOfMasks halves = (RTPairOfMasks)isPeak;
        if ((halves[0] | halves[1]) == 0) continue;
        for (int64_t lane = 0; lane < 4; lane += 1) {
            bins[count] = (int32_t)(bin + lane);
            count += isPeak[lane] != 0 && bin + lane < end;
        }
    }
    return count < limit ? count : limit;
}

/// The maximum of a peak.
typedef struct RTMaximum {
    /// The distance from the highest bin, in bins.
    float offset;
    /// The binary logarithm of the power.
    float level;
} RTMaximum;

/// Returns the maximum of the parabola through the levels of a bin and its two neighbours.
RTSAFE static inline RTMaximum rt_maximum(const float *_Nonnull power, int64_t bin) {
    // The fourth lane is not used. A power of 0 counts as -200 dB.
    const RTLanes levels = rt_lanes_log2(rt_load(power + bin - 1) + 1e-20f);
    const float slope = levels[0] - levels[2], curve = levels[0] - 2 * levels[1] + levels[2];
    const float offset = curve < 0 ? 0.5f * slope / curve : 0;
    return (RTMaximum){.offset = offset, .level = levels[1] - 0.25f * slope * offset};
}
