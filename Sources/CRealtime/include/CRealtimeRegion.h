// The regions around a spectrum's peaks: where each goes, and their move there. Loops over some 300 short runs of bins, written
// so that hardly a branch depends on the data.
#pragma once

#include "CRealtimeAngle.h"
#include "CRealtimeSpectrum.h"

typedef double RTPair __attribute__((ext_vector_type(2)));
typedef float RTNarrowPair __attribute__((ext_vector_type(2)));

/// The regions of a spectrum, one place each in every array, whose lengths are multiples of 4 above `count`.
typedef struct RTRegions {
    /// The bin of each peak.
    int32_t *_Nonnull peaks;
    /// The bin that ends each region but the last; the next one begins with it.
    int32_t *_Nonnull borders;
    /// Whether that bin goes half with either region.
    int32_t *_Nonnull areShared;
    /// The frequency of each, in bins.
    float *_Nonnull frequencies;
    /// How many whole bins up each goes.
    int32_t *_Nonnull wholes;
    /// What share of it goes one bin farther.
    float *_Nonnull fractions;
    /// Angles in turns: at first that of each peak against the hop before, then what the region is turned by.
    float *_Nonnull angles;
    /// The same for the regions of the hop before.
    float *_Nonnull oldAngles;
    /// What each bin is multiplied by.
    float *_Nonnull reals;
    float *_Nonnull imaginaries;
    /// One bit a bin, set where a region of the hop before began; and how many began before each 64 bins.
    uint64_t *_Nonnull oldStarts;
    int32_t *_Nonnull oldRanks;
    int32_t count;
    int32_t bins;
} RTRegions;

static inline RTPair rt_pair_floor(RTPair x) {
#if defined(__SSE4_1__)
    return (RTPair)_mm_floor_pd((__m128d)x);
#else
    return __builtin_elementwise_floor(x);
#endif
}

/// What an angle was in the hop before, where its bin is now.
static inline float rt_old_angle(const RTRegions *_Nonnull regions, int32_t bin) {
    uint64_t before = regions->oldStarts[bin >> 6] & (~(uint64_t)0 >> (63 - (bin & 63)));
    return regions->oldAngles[regions->oldRanks[bin >> 6] + __builtin_popcountll(before)];
}

/// From each peak's angle against the hop before, finds how far its region moves and what it is turned by.
///
/// - hop: The hop, in 64ths of the transform.
/// - shift: The power of two by which a bin's number is multiplied for that of a fine one.
/// - stretch: The ratio of the frequencies, less 1.
/// - kept: The share of its old angle that a region keeps.
RTSAFE static inline void rt_advance_regions(
    const RTRegions *_Nonnull regions, int32_t hop, int32_t shift, double stretch, float kept) {
    const float binsPerTurn = 64.0f / (float)hop;
    const RTPair turnsPerBin = (double)hop / 64;
    for (int64_t i = 0; i < regions->count; i += 4) {
        RTMask peaks = {regions->peaks[i], regions->peaks[i + 1], regions->peaks[i + 2], regions->peaks[i + 3]};
        RTLanes expected = __builtin_convertvector((peaks * hop) & 63, RTLanes) * (1.0f / 64);
        RTLanes off = rt_lanes_wrapped(rt_load(regions->angles + i) - expected) * binsPerTurn;
        rt_store(regions->frequencies + i, __builtin_convertvector(peaks, RTLanes) + off);
        RTLanes turned;
        for (int64_t half = 0; half < 4; half += 2) {
            RTPair bins = {(double)peaks[half] + off[half], (double)peaks[half + 1] + off[half + 1]};
            RTPair distance = bins * stretch, whole = rt_pair_floor(distance);
            RTPair turns = distance * turnsPerBin;
            turns -= rt_pair_floor(turns);
            regions->wholes[i + half] = (int32_t)whole[0];
            regions->wholes[i + half + 1] = (int32_t)whole[1];
            regions->fractions[i + half] = (float)(distance[0] - whole[0]);
            regions->fractions[i + half + 1] = (float)(distance[1] - whole[1]);
            turned[half] = (float)turns[0];
            turned[half + 1] = (float)turns[1];
        }
        RTLanes old;
        for (int64_t lane = 0; lane < 4; lane += 1) old[lane] = rt_old_angle(regions, peaks[lane] << shift);
        rt_store(regions->angles + i, rt_lanes_wrapped(old * kept + turned));
    }
}

/// Joins peaks whose phases turn at the same speed: side lobes, with the tone that they are of. Fewer are left.
///
/// Whole turns a hop cannot be told apart.
RTSAFE static inline void rt_join_side_lobes(
    RTRegions *_Nonnull regions, int32_t hop, const float *_Nonnull power, float *_Nonnull along,
    float *_Nonnull across) {
    const float binsPerTurn = 64.0f / (float)hop;
    int32_t kept = 0;
    for (int32_t i = 0; i < regions->count; i += 1) {
        const int32_t peak = regions->peaks[i];
        // In turns a hop, whatever bin it was measured at.
        const float turns = regions->angles[i];
        if (kept > 0) {
            float apart = turns - regions->fractions[kept - 1];
            apart -= apart > 0.5f ? 1 : apart < -0.5f ? -1 : 0;
            apart *= binsPerTurn;
            const float here = power[peak], before = power[regions->peaks[kept - 1]];
            // A far side lobe's speed is less certain: the tone's image below 0 Hz reaches into it.
            const bool isFar = here < 1e-5f * before || before < 1e-5f * here;
            const float limit = isFar ? 1.0f : 0.3f;
            if (apart < limit && apart > -limit) {
                if (here <= before) continue;
                kept -= 1;
            }
        }
        regions->peaks[kept] = peak;
        regions->fractions[kept] = turns;
        along[kept] = along[i];
        across[kept] = across[i];
        kept += 1;
    }
    regions->count = kept;
}

/// Keeps the regions' angles for the next hop, and makes of them what bins are multiplied by; `shift` as before.
RTSAFE static inline void rt_settle_regions(const RTRegions *_Nonnull regions, int32_t shift) {
    rt_directions(regions->angles, regions->reals, regions->imaginaries, regions->count);
    const int64_t words = ((regions->bins - 1) << shift) / 64 + 1;
    memset(regions->oldStarts, 0, (size_t)words * sizeof(uint64_t));
    for (int64_t i = 0; i + 1 < regions->count; i += 1) {
        const int32_t border = regions->borders[i] << shift;
        regions->oldStarts[border >> 6] |= (uint64_t)1 << (border & 63);
    }
    int32_t rank = 0;
    for (int64_t word = 0; word < words; word += 1) {
        regions->oldRanks[word] = rank;
        rank += __builtin_popcountll(regions->oldStarts[word]);
    }
    // One at least: where there is no region, there is one angle.
    for (int64_t i = 0; i <= regions->count; i += 4) {
        rt_store(regions->oldAngles + i, rt_load(regions->angles + i));
    }
}

/// Tells which borders' bins go half with either region: those between peaks that are so many bins from each other at most.
RTSAFE static inline void rt_share_borders(const RTRegions *_Nonnull regions, int32_t near) {
    for (int64_t i = 0; i < regions->count; i += 4) {
        RTMask peaks, next;
        memcpy(&peaks, regions->peaks + i, sizeof peaks);
        memcpy(&next, regions->peaks + i + 1, sizeof next);
        const RTMask areShared = (next - peaks <= near) & 1;
        memcpy(regions->areShared + i, &areShared, sizeof areShared);
    }
}

/// Halves the bins that two regions share.
RTSAFE static inline void rt_halve_borders(
    const RTRegions *_Nonnull regions, float *_Nonnull real, float *_Nonnull imaginary) {
    for (int64_t i = 0; i + 1 < regions->count; i += 1) {
        const float share = 1 - 0.5f * (float)regions->areShared[i];
        real[regions->borders[i]] *= share;
        imaginary[regions->borders[i]] *= share;
    }
}

/// Four bins of a region, turned, and the last of the four before, on their way.
static inline void rt_move_bins(
    const float *_Nonnull real, const float *_Nonnull imaginary, int32_t left, const RTLanes *_Nonnull turn,
    RTLanes *_Nonnull last, float *_Nonnull toReal, float *_Nonnull toImaginary) {
    const RTMask places = {0, 1, 2, 3};
    const RTMask isInside = places < left;
    RTLanes x = (RTLanes)((RTMask)rt_load(real) & isInside);
    RTLanes y = (RTLanes)((RTMask)rt_load(imaginary) & isInside);
    RTLanes u = __builtin_shufflevector(last[0], x, 3, 4, 5, 6);
    RTLanes v = __builtin_shufflevector(last[1], y, 3, 4, 5, 6);
    last[0] = x;
    last[1] = y;
    // Most of it goes to the whole bin, the fraction one farther.
    x += (u - x) * turn[2];
    y += (v - y) * turn[2];
    rt_store(toReal, rt_load(toReal) + (x * turn[0] - y * turn[1]));
    rt_store(toImaginary, rt_load(toImaginary) + (x * turn[1] + y * turn[0]));
}

/// Adds a run of bins to another spectrum, turned and moved as a region is, times a sign.
static inline void rt_move_run(
    const RTRegions *_Nonnull regions, int64_t index, float sign, int32_t first, int32_t end,
    const float *_Nonnull real, const float *_Nonnull imaginary, float *_Nonnull toReal,
    float *_Nonnull toImaginary) {
    const int32_t whole = regions->wholes[index];
    // What goes far below 0 Hz or above Nyquist is left out.
    const int32_t below = first + whole < -24 ? -24 - whole - first : 0;
    if (end + whole > regions->bins) end = regions->bins - whole;
    const int32_t count = end - first - below;
    if (count <= 0) return;
    const RTLanes turn[3] = {
        rt_all_lanes(sign * regions->reals[index]), rt_all_lanes(sign * regions->imaginaries[index]),
        rt_all_lanes(regions->fractions[index]),
    };
    RTLanes last[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    real += below;
    imaginary += below;
    toReal += first + below + whole;
    toImaginary += first + below + whole;
    // One place more than the bins. Most regions fit in the first eight, so these take no branch.
    rt_move_bins(real, imaginary, count, turn, last, toReal, toImaginary);
    rt_move_bins(real + 4, imaginary + 4, count - 4, turn, last, toReal + 4, toImaginary + 4);
    for (int32_t k = 8; k <= count; k += 4) {
        rt_move_bins(real + k, imaginary + k, count - k, turn, last, toReal + k, toImaginary + k);
    }
}

/// Adds the regions to another spectrum, each turned and moved; it needs 32 more places at both ends.
RTSAFE static inline void rt_move_regions(
    const RTRegions *_Nonnull regions, const float *_Nonnull real, const float *_Nonnull imaginary,
    float *_Nonnull toReal, float *_Nonnull toImaginary) {
    // Every second one first: neighbours overlap, and one would have to wait for what the other stored.
    for (int64_t parity = 0; parity < 2; parity += 1) {
        for (int64_t i = parity; i < regions->count; i += 2) {
            const int32_t first = i == 0 ? 0 : regions->borders[i - 1];
            const int32_t end = i + 1 == regions->count ? regions->bins : regions->borders[i] + regions->areShared[i];
            rt_move_run(regions, i, 1, first, end, real + first, imaginary + first, toReal, toImaginary);
        }
    }
}
