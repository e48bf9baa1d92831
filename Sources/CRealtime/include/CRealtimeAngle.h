// Angles in turns, four at a time: the C library's own would cost more than a transform. The polynomials are minimax fits.
#pragma once

#include "CRealtimeSpectrum.h"

/// The turn of each angle that is nearest to 0.
RTLANES RTLanes rt_lanes_wrapped(RTLanes turns) {
    const RTLanes round = rt_all_lanes(12582912.0f);
    return turns - ((turns + round) - round);
}

/// Writes the angles of complex numbers in turns, -0.5 through 0.5, good to 1e-8; `count` is rounded up to a multiple of 4.
RTSAFE static inline void rt_angles(
    const float *_Nonnull real, const float *_Nonnull imaginary, float *_Nonnull turns,
    int64_t count) {
    const RTLanes none = {0, 0, 0, 0};
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes x = rt_load(real + k), y = rt_load(imaginary + k);
        RTLanes across = rt_magnitude(x), up = rt_magnitude(y);
        RTMask isSteep = up > across;
        RTLanes most = rt_where(isSteep, up, across), least = rt_where(isSteep, across, up);
        RTLanes t = least / rt_where(most > none, most, rt_all_lanes(1)), s = t * t;
        RTLanes a = rt_all_lanes(-0.000645304091f);
        a = a * s + rt_all_lanes(0.00347959743f);
        a = a * s + rt_all_lanes(-0.00889872416f);
        a = a * s + rt_all_lanes(0.015346036f);
        a = a * s + rt_all_lanes(-0.0221362732f);
        a = a * s + rt_all_lanes(0.0317459458f);
        a = a * s + rt_all_lanes(-0.0530461211f);
        a = (a * s + rt_all_lanes(0.159154837f)) * t;
        a = rt_where(isSteep, rt_all_lanes(0.25f) - a, a);
        a = rt_where(x < none, rt_all_lanes(0.5f) - a, a);
        rt_store(turns + k, rt_where(y < none, -a, a));
    }
}

/// Writes cosines and sines of angles in turns, -1 through 1, good to 1e-7; `count` is rounded up to a multiple of 4.
RTSAFE static inline void rt_directions(
    const float *_Nonnull turns, float *_Nonnull cosines, float *_Nonnull sines, int64_t count) {
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes x = rt_load(turns + k) * 4;
        // Adding and taking off 1.5 * 2^23 rounds to a whole number of quarters.
        const RTLanes round = rt_all_lanes(12582912.0f);
        RTLanes whole = x + round, r = (x - (whole - round)) * 0.25f, s = r * r;
        RTMask quarter = (RTMask)whole;
        RTLanes sine = rt_all_lanes(-75.2400641f);
        sine = sine * s + rt_all_lanes(81.5881246f);
        sine = sine * s + rt_all_lanes(-41.341628f);
        sine = (sine * s + rt_all_lanes(6.28318522f)) * r;
        RTLanes cosine = rt_all_lanes(59.2204073f);
        cosine = cosine * s + rt_all_lanes(-85.4428521f);
        cosine = cosine * s + rt_all_lanes(64.9393162f);
        cosine = cosine * s + rt_all_lanes(-19.7392087f);
        cosine = cosine * s + rt_all_lanes(1);
        RTMask isOdd = (quarter & 1) != 0;
        RTMask sineSign = (quarter & 2) << 30, cosineSign = ((quarter + 1) & 2) << 30;
        RTLanes c = rt_where(isOdd, sine, cosine), n = rt_where(isOdd, cosine, sine);
        rt_store(cosines + k, (RTLanes)((RTMask)c ^ cosineSign));
        rt_store(sines + k, (RTLanes)((RTMask)n ^ sineSign));
    }
}

/// A complex number of size 1.
typedef struct RTDirection {
    float real, imaginary;
} RTDirection;

/// The direction of an angle in turns, -1 through 1.
RTSAFE static inline RTDirection rt_direction(float turn) {
    float turns[4] = {turn, turn, turn, turn}, cosines[4], sines[4];
    rt_directions(turns, cosines, sines, 4);
    return (RTDirection){cosines[0], sines[0]};
}

/// The angle of one complex number in turns.
RTSAFE static inline float rt_angle(float real, float imaginary) {
    float re[4] = {real, real, real, real}, im[4] = {imaginary, imaginary, imaginary, imaginary}, turns[4];
    rt_angles(re, im, turns, 4);
    return turns[0];
}
