// Two partials so near each other that each reaches far into the other's bins are told apart by how both turned since an older
// spectrum: X = P + Q now, and X′ = P / p + Q / q then, with p and q what each turned by. So P and Q follow for every bin.
#pragma once

#include "CRealtimeRegion.h"

/// Two neighbouring regions whose bins are split.
typedef struct RTSplit {
    /// The lower region.
    int32_t index;
    /// How many hops older the other spectrum is.
    int32_t hops;
    /// What the lower and the upper partial turned by since then.
    float lowerReal, lowerImaginary;
    float upperReal, upperImaginary;
    /// Half the cotangent of half the angle between the two.
    float cotangent;
} RTSplit;

/// Finds the pairs of neighbouring regions to split, and takes their borders' bins for one region each; returns how many.
///
/// - Parameters:
///   - hop: The hop, in 64ths of the transform.
///   - oldest: How many hops the oldest spectrum that is known is old.
///   - bins: How many bins of it are known.
RTSAFE static inline int64_t rt_find_splits(
    const RTRegions *_Nonnull regions, int32_t hop, int32_t oldest, int32_t bins, RTSplit *_Nonnull splits) {
    const float halfTurnHops = 32.0f / (float)hop;
    int64_t found = 0;
    for (int32_t i = 0; i + 1 < regions->count && regions->peaks[i + 1] < bins - 4; i += 1) {
        const int32_t lower = regions->peaks[i], upper = regions->peaks[i + 1];
        const float f = regions->frequencies[i], g = regions->frequencies[i + 1], apart = g - f;
        const float lowerOff = f - (float)lower, upperOff = g - (float)upper;
        bool isPair = upper - lower <= 12 && apart >= 0.8f && apart <= (float)(upper - lower + 3);
        isPair = isPair && lowerOff <= 4 && lowerOff >= -4 && upperOff <= 4 && upperOff >= -4;
        if (!isPair) continue;
        // As old as it takes the two to turn apart by half a circle.
        int32_t hops = (int32_t)(halfTurnHops / apart + 0.5f);
        hops = hops < 1 ? 1 : hops;
        if (hops > oldest) continue;
        float turns[4], cosines[4], sines[4];
        const double step = (double)(hops * hop) / 64;
        RTPair both = {(double)f * step, (double)g * step};
        both -= rt_pair_floor(both);
        turns[0] = (float)both[0];
        turns[1] = (float)both[1];
        turns[2] = turns[3] = -0.5f * apart * (float)step;
        rt_directions(turns, cosines, sines, 4);
        splits[found++] = (RTSplit){
            .index = i, .hops = hops, .lowerReal = cosines[0], .lowerImaginary = sines[0],
            .upperReal = cosines[1], .upperImaginary = sines[1], .cotangent = 0.5f * cosines[2] / sines[2],
        };
        regions->areShared[i] = 0;
    }
    return found;
}

/// Moves what each of two regions holds of the other's partial to where it belongs.
RTSAFE static inline void rt_move_split(
    const RTRegions *_Nonnull regions, const RTSplit *_Nonnull split, const float *_Nonnull real,
    const float *_Nonnull imaginary, const float *_Nonnull oldReal, const float *_Nonnull oldImaginary,
    float *_Nonnull toReal, float *_Nonnull toImaginary) {
    const int32_t first = regions->peaks[split->index], end = regions->peaks[split->index + 1] + 1;
    const int32_t border = regions->borders[split->index] - first;
    const RTMask places = {0, 1, 2, 3};
    const RTLanes cotangent = rt_all_lanes(split->cotangent);
    // Thirteen bins at most, and what a move reads beyond them.
    float leakReal[24] = {0}, leakImaginary[24] = {0};
    for (int32_t k = 0; first + k < end; k += 4) {
        const RTMask isLower = places + k < border;
        const RTLanes turnReal = rt_lanes_where(isLower, rt_all_lanes(split->lowerReal), rt_all_lanes(split->upperReal));
        const RTLanes turnImaginary =
            rt_lanes_where(isLower, rt_all_lanes(split->lowerImaginary), rt_all_lanes(split->upperImaginary));
        const RTLanes half = rt_lanes_where(isLower, rt_all_lanes(-0.5f), rt_all_lanes(0.5f));
        const RTLanes u = rt_load(oldReal + first + k), v = rt_load(oldImaginary + first + k);
        const RTLanes x = rt_load(real + first + k) - (u * turnReal - v * turnImaginary);
        const RTLanes y = rt_load(imaginary + first + k) - (u * turnImaginary + v * turnReal);
        rt_store(leakReal + k, x * half + y * cotangent);
        rt_store(leakImaginary + k, y * half - x * cotangent);
    }
    rt_move_run(regions, split->index, 1, first, end, leakReal, leakImaginary, toReal, toImaginary);
    rt_move_run(regions, split->index + 1, -1, first, end, leakReal, leakImaginary, toReal, toImaginary);
}

/// The lowest partial's mirror image below 0 Hz, whose skirt reaches into the partial's own bins.
typedef struct RTImage {
    /// How many bins it is split off; none where it is 0.
    int32_t count;
    /// How many hops older the other spectrum is.
    int32_t hops;
    /// What the partial turned by since then.
    float real, imaginary;
    /// Half the cotangent of that angle.
    float cotangent;
} RTImage;

/// Finds where the image of the lowest partial is to be split off; parameters as of `rt_find_splits`.
RTSAFE static inline RTImage rt_find_image(const RTRegions *_Nonnull regions, int32_t hop, int32_t oldest) {
    RTImage image = {0};
    if (regions->count == 0) return image;
    const int32_t peak = regions->peaks[0];
    const float f = regions->frequencies[0], off = f - (float)peak;
    if (!(f >= 2 && f <= 40 && off <= 4 && off >= -4)) return image;
    // As old as it takes the two to turn apart by about half a circle, or an odd number of these.
    int32_t hops = 0;
    float farthest = 0.2f;
    for (int32_t age = 1; age <= oldest && age <= 8; age += 1) {
        float turns = (float)(age * hop) * f / 32;
        turns -= (float)(int32_t)turns;
        const float off = turns < 0.5f ? turns : 1 - turns;
        if (off > farthest + 0.05f) {
            farthest = off;
            hops = age;
        }
    }
    if (hops == 0) return image;
    // A partial that is very low spoils more than it mends farther up.
    int32_t last = peak + (f < 7.5f ? 2 : 20);
    if (regions->count > 1) {
        if (regions->frequencies[1] - f <= 12) last = peak;
        if (last > regions->borders[0]) last = regions->borders[0];
    }
    float turns[4], cosines[4], sines[4];
    const double turn = (double)f * (double)(hops * hop) / 64;
    turns[0] = turns[1] = turns[2] = turns[3] = (float)(turn - (double)(int32_t)turn);
    rt_directions(turns, cosines, sines, 4);
    const float sine = sines[0];
    if (sine < 0.1f && sine > -0.1f) return image;
    return (RTImage){last + 1, hops, cosines[0], sine, 0.5f * cosines[0] / sine};
}

/// Moves the lowest partial's image down by as much as the partial goes up, and turns it the other way.
RTSAFE static inline void rt_move_image(
    const RTRegions *_Nonnull regions, const RTImage *_Nonnull image, const float *_Nonnull real,
    const float *_Nonnull imaginary, const float *_Nonnull oldReal, const float *_Nonnull oldImaginary,
    float *_Nonnull toReal, float *_Nonnull toImaginary) {
    // 61 bins at most, and what a move reads beyond them.
    float imageReal[96] = {0}, imageImaginary[96] = {0};
    for (int32_t k = 0; k < image->count; k += 4) {
        const RTLanes u = rt_load(oldReal + k), v = rt_load(oldImaginary + k);
        const RTLanes x = rt_load(real + k) - (u * image->real - v * image->imaginary);
        const RTLanes y = rt_load(imaginary + k) - (u * image->imaginary + v * image->real);
        rt_store(imageReal + k, x * 0.5f - y * image->cotangent);
        rt_store(imageImaginary + k, y * 0.5f + x * image->cotangent);
    }
    rt_move_run(regions, 0, -1, 0, image->count, imageReal, imageImaginary, toReal, toImaginary);
    // The place behind the last region's is the image's.
    const int64_t own = regions->count;
    const float distance = (float)regions->wholes[0] + regions->fractions[0];
    const float isBetween = regions->fractions[0] > 0 ? 1 : 0;
    regions->wholes[own] = -regions->wholes[0] - (int32_t)isBetween;
    regions->fractions[own] = isBetween - regions->fractions[0];
    regions->reals[own] = regions->reals[0];
    regions->imaginaries[own] = -regions->imaginaries[0];
    // At 0 Hz the image is the partial: moved off, it is there already.
    const float nearness = 1 - (distance < 0 ? -distance : distance);
    imageReal[0] *= nearness > 0 ? nearness : 0;
    imageImaginary[0] *= nearness > 0 ? nearness : 0;
    rt_move_run(regions, own, 1, 0, image->count, imageReal, imageImaginary, toReal, toImaginary);
}

/// Folds what went below 0 Hz, 24 bins at most, back as its mirror image.
RTSAFE static inline void rt_fold(float *_Nonnull real, float *_Nonnull imaginary) {
    for (int32_t bin = 1; bin <= 24; bin += 1) {
        real[bin] += real[-bin];
        imaginary[bin] -= imaginary[-bin];
    }
}
