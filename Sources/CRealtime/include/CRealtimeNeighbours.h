// Separates two partials so close that each leaks into the other's bins, by how far both turned
// within a hop: X = P + Q now and B = P / p + Q / q one hop earlier, where p and q are the turns of
// the two partials. P and Q follow for every bin.
#pragma once

#include <stdbool.h>

#include "CRealtimeAngle.h"
#include "CRealtimeVectors.h"

/// For each bin, the sum over the channels of X · conj X′, with X′ from the previous hop; weaker
/// peaks are searched for in these bins.
typedef struct RTTurned {
    const float *_Nonnull along;
    const float *_Nonnull across;
    /// The number of bins: a multiple of 32, or 0.
    int32_t bins;
    /// The hop, in 64ths of the transform.
    int32_t hop;
} RTTurned;

/// Two neighbouring partials, and the correction of each partial's share in the other's bins.
typedef struct RTNeighbours {
    /// The bins of the two peaks, and the first bin that belongs to the upper one.
    int32_t lower, border, upper;
    /// The turn of the lower and of the upper partial within a hop, as complex numbers of size 1.
    float lowerReal, lowerImaginary;
    float upperReal, upperImaginary;
    /// The other partial's turn minus the partial's own turn, divided by 1 - p / q: for the lower
    /// partial's bins, then for the upper one's.
    float lowerFactorReal, lowerFactorImaginary;
    float upperFactorReal, upperFactorImaginary;
} RTNeighbours;

/// Writes the frequencies of peaks, in bins, each within four bins of its peak.
///
/// `frequencies` needs room for `count` rounded up to a multiple of four.
RTSAFE static inline void rt_partial_frequencies(
    const RTTurned *_Nonnull turned, const int32_t *_Nonnull peaks, int64_t count, float *_Nonnull frequencies) {
    for (int64_t i = 0; i < count; i += 4) {
        float along[4] = {0}, across[4] = {0};
        RTLanes bins = {0, 0, 0, 0}, expected = bins;
        for (int64_t lane = 0; lane < 4 && i + lane < count; lane += 1) {
            const int32_t peak = peaks[i + lane];
            along[lane] = turned->along[peak];
            across[lane] = turned->across[peak];
            bins[lane] = (float)peak;
            expected[lane] = (float)(peak * turned->hop & 63) / 64;
        }
        const RTLanes turns = rt_lanes_angles(rt_load(along), rt_load(across));
        const RTLanes off = rt_lanes_wrapped(turns - expected) * (64.0f / (float)turned->hop);
        rt_store(frequencies + i, bins + off);
    }
}

/// Finds the pairs of neighbouring peaks to separate.
///
/// - Parameters:
///   - hop: The hop, in 64ths of the transform.
///   - turns: The factors that turn each bin of the input for the output.
/// - Returns: The number of pairs, at most one fewer than peaks.
RTSAFE static inline int64_t rt_find_neighbours(
    const float *_Nonnull power, const int32_t *_Nonnull peaks, const float *_Nonnull frequencies,
    int64_t count, int32_t hop, RTComplexArray turns, RTNeighbours *_Nonnull pairs) {
    int64_t found = 0;
    for (int64_t i = 0; i + 1 < count; i += 1) {
        const int32_t lower = peaks[i], upper = peaks[i + 1];
        const float f = frequencies[i], g = frequencies[i + 1], apart = g - f;
        const float lowerOff = f - (float)lower, upperOff = g - (float)upper;
        // Partials farther apart hardly leak into each other. For closer ones, the small difference
        // of their turns amplifies every other error.
        bool isPair = upper - lower <= 3 && apart >= 1 && apart <= 6.5f;
        isPair = isPair && lowerOff <= 2 && lowerOff >= -2 && upperOff <= 2 && upperOff >= -2;
        if (!isPair) continue;
        const float step = (float)hop / 64;
        const RTLanes angles = {f * step, g * step, -0.5f * apart * step, 0};
        const RTComplexLanes turned = rt_lanes_directions(rt_lanes_wrapped(angles));
        const RTLanes cosines = turned.real, sines = turned.imaginary;
        // 1 / (1 - p / q) is 1/2 + i · c, with c half the cotangent of half the angle between p and
        // q.
        const float cotangent = 0.5f * cosines[2] / sines[2];
        const float real = turns.real[upper] - turns.real[lower];
        const float imaginary = turns.imaginary[upper] - turns.imaginary[lower];
        pairs[found++] = (RTNeighbours){
            .lower = lower, .border = rt_weakest(power, lower, upper), .upper = upper,
            .lowerReal = cosines[0], .lowerImaginary = sines[0],
            .upperReal = cosines[1], .upperImaginary = sines[1],
            .lowerFactorReal = 0.5f * real - cotangent * imaginary,
            .lowerFactorImaginary = 0.5f * imaginary + cotangent * real,
            .upperFactorReal = -0.5f * real - cotangent * imaginary,
            .upperFactorImaginary = -0.5f * imaginary + cotangent * real,
        };
    }
    return found;
}

/// Turns each partial's share in its neighbour's bins by the partial's own turn.
///
/// - Parameters:
///   - to: The spectrum with each bin turned by its peak's turn.
///   - now: The input spectrum.
///   - before: The input spectrum one hop earlier.
RTSAFE static inline void rt_part_neighbours(
    RTComplexArray to, RTComplexArray now, RTComplexArray before, const RTNeighbours *_Nonnull pairs,
    int64_t count) {
    for (int64_t i = 0; i < count; i += 1) {
        const RTNeighbours pair = pairs[i];
        for (int32_t k = pair.lower; k <= pair.upper; k += 1) {
            const bool isLower = k < pair.border;
            const float turnReal = isLower ? pair.lowerReal : pair.upperReal;
            const float turnImaginary = isLower ? pair.lowerImaginary : pair.upperImaginary;
            const float factorReal = isLower ? pair.lowerFactorReal : pair.upperFactorReal;
            const float factorImaginary = isLower ? pair.lowerFactorImaginary : pair.upperFactorImaginary;
            const float u = before.real[k], v = before.imaginary[k];
            const float x = now.real[k] - (u * turnReal - v * turnImaginary);
            const float y = now.imaginary[k] - (u * turnImaginary + v * turnReal);
            to.real[k] += x * factorReal - y * factorImaginary;
            to.imaginary[k] += x * factorImaginary + y * factorReal;
        }
    }
}
