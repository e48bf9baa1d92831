// The peaks of a power spectrum and the borders between them.
#pragma once

#include "CRealtimeAngle.h"
#include "CRealtimeSpectrum.h"

/// Sums over the channels of X · conj X′ a bin, X′ from the hop before, where weaker peaks are looked for.
typedef struct RTTurned {
    const float *_Nonnull along;
    const float *_Nonnull across;
    /// How many bins of these there are; a multiple of 32, or none.
    int32_t bins;
    /// The hop, in 64ths of the transform.
    int32_t hop;
} RTTurned;

/// Whether a bin that is above one neighbour either side, but not above two, is a partial of its own: where its phase turns
/// at a speed that is its own, and not that of the stronger neighbour, of which it may be a side lobe.
static inline bool rt_is_own_partial(
    const float *_Nonnull power, int32_t bin, const RTTurned *_Nonnull turned) {
    if (bin < 2 || bin + 2 >= turned->bins) return false;
    const int32_t other = power[bin - 2] > power[bin + 2] ? bin - 2 : bin + 2;
    if (power[bin] <= 1e-3f * power[other]) return false;
    const float along[4] = {turned->along[bin], turned->along[other]};
    const float across[4] = {turned->across[bin], turned->across[other]};
    float turns[4];
    rt_angles(along, across, turns, 4);
    const RTLanes expected = {(float)(bin * turned->hop & 63) / 64, (float)(other * turned->hop & 63) / 64};
    const RTLanes off = rt_lanes_wrapped(rt_load(turns) - expected) * (64.0f / (float)turned->hop);
    const float own = off[0], difference = (float)(bin - other) + off[0] - off[1];
    return own >= -1.2f && own <= 1.2f && (difference >= 0.7f || difference <= -0.7f);
}

/// Finds the bins whose power is above that of `reach` neighbours either side and above a threshold, and the weaker peaks of the
/// lowest bins; returns how many there are.
///
/// From `wide` on, a multiple of 32, they are above twice as many. The reach is 1 or 2.
/// `power` has two more places before and eight behind.
RTSAFE static inline int64_t rt_find_peaks(
    const float *_Nonnull power, int64_t count, int32_t reach, int64_t wide, float threshold, const RTTurned *_Nonnull turned,
    int32_t *_Nonnull peaks) {
    const RTLanes least = rt_all_lanes(threshold);
    int64_t found = 0;
    for (int64_t first = 0; first < count; first += 32) {
        uint64_t bits = 0, weaker = 0;
        for (int64_t part = 0; part < 32 && first + part < count; part += 4) {
            const float *p = power + first + part;
            RTLanes here = rt_load(p);
            RTMask isHigh = (here > rt_load(p - 1)) & (here >= rt_load(p + 1)) & (here > least);
            RTMask isPeak = isHigh;
            const int32_t near = first >= wide ? 2 * reach : reach;
            if (near > 1) isPeak &= (here > rt_load(p - 2)) & (here >= rt_load(p + 2));
            if (near > 2) {
                isPeak &= (here > rt_load(p - 3)) & (here >= rt_load(p + 3));
                isPeak &= (here > rt_load(p - 4)) & (here >= rt_load(p + 4));
            }
            bits |= rt_bits_of_mask(isPeak) << part;
            if (first < turned->bins) weaker |= rt_bits_of_mask(isHigh & ~isPeak) << part;
        }
        if (weaker) {
            for (; weaker; weaker &= weaker - 1) {
                const int32_t place = __builtin_ctzll(weaker);
                if (rt_is_own_partial(power, (int32_t)first + place, turned)) bits |= (uint64_t)1 << place;
            }
        }
        // Neither end has neighbours to be above.
        if (first == 0) bits &= ~(uint64_t)3;
        if (first + 32 > count - 2) bits &= first < count - 2 ? ((uint64_t)1 << (count - 2 - first)) - 1 : 0;
        for (; bits; bits &= bits - 1) peaks[found++] = (int32_t)(first + __builtin_ctzll(bits));
    }
    return found;
}

/// Finds the weakest bin between each two peaks, to a thousandth of its power; `borders` gets one fewer than `peaks`.
///
/// There may be 8191 bins between two peaks, and seven more places behind the last.
RTSAFE static inline void rt_find_borders(
    const float *_Nonnull power, const int32_t *_Nonnull peaks, int64_t peakCount,
    int32_t *_Nonnull borders) {
    const RTMask high = 0x7fffe000, all = -1;
    const RTMask places = {0, 1, 2, 3};
    for (int64_t i = 0; i + 1 < peakCount; i += 1) {
        const float *between = power + peaks[i] + 1;
        const int32_t count = peaks[i + 1] - peaks[i] - 1;
        RTMask best = all & 0x7fffffff;
        // Floats of one sign compare like their bits; the lowest bits make room for the place.
        for (int32_t k = 0; k < count; k += 8) {
            RTMask lower = places + k, upper = lower + 4;
            RTMask a = ((RTMask)rt_load(between + k) & high) | lower;
            RTMask b = ((RTMask)rt_load(between + k + 4) & high) | upper;
            a |= (lower >= count) & 0x7fffffff;
            b |= (upper >= count) & 0x7fffffff;
            best = __builtin_elementwise_min(best, __builtin_elementwise_min(a, b));
        }
        best = __builtin_elementwise_min(best, __builtin_shufflevector(best, best, 2, 3, 0, 1));
        best = __builtin_elementwise_min(best, __builtin_shufflevector(best, best, 1, 0, 3, 2));
        borders[i] = peaks[i] + 1 + (best[0] & 0x1fff);
    }
}

/// Adds X · conj X′ for each bin to a share of what is there; `count` is a multiple of 4.
RTSAFE static inline void rt_correlate(
    const float *_Nonnull real, const float *_Nonnull imaginary, const float *_Nonnull oldReal,
    const float *_Nonnull oldImaginary, float *_Nonnull along, float *_Nonnull across, int64_t count,
    float kept) {
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes x = rt_load(real + k), y = rt_load(imaginary + k);
        RTLanes u = rt_load(oldReal + k), v = rt_load(oldImaginary + k);
        rt_store(along + k, kept * rt_load(along + k) + (x * u + y * v));
        rt_store(across + k, kept * rt_load(across + k) + (y * u - x * v));
    }
}
