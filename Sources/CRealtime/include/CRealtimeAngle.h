// Angles of four complex numbers at once, in turns, without branches: calls of the C library would
// cost more than a transform. The polynomials are minimax fits.
#pragma once

#include "CRealtimeLanes.h"

/// Wraps angles, in turns, to the range from -0.5 to 0.5.
RTLANES RTLanes rt_lanes_wrapped(RTLanes turns) {
    const RTLanes round = rt_all_lanes(12582912.0f);
    return turns - ((turns + round) - round);
}

/// Returns the angles of complex numbers in turns, from -0.5 to 0.5, accurate to 1e-8.
RTLANES RTLanes rt_lanes_angles(RTLanes x, RTLanes y) {
    const RTLanes none = {0, 0, 0, 0};
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
    return rt_where(y < none, -a, a);
}

/// Four complex numbers.
typedef struct RTComplexLanes {
    RTLanes real, imaginary;
} RTComplexLanes;

/// Returns the cosines and sines of angles in turns, from -1 to 1, accurate to 1e-7.
RTLANES RTComplexLanes rt_lanes_directions(RTLanes turns) {
    RTLanes x = turns * 4;
    // Adding and subtracting 1.5 * 2^23 rounds to a whole number of quarter turns.
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
    return (RTComplexLanes){(RTLanes)((RTMask)c ^ cosineSign), (RTLanes)((RTMask)n ^ sineSign)};
}

/// A complex number of magnitude 1.
typedef struct RTDirection {
    float real, imaginary;
} RTDirection;

/// Returns the direction of an angle in turns, from -1 to 1.
RTLANES RTDirection rt_direction(float turn) {
    const RTComplexLanes direction = rt_lanes_directions(rt_all_lanes(turn));
    return (RTDirection){direction.real[0], direction.imaginary[0]};
}

/// Returns the angle of one complex number in turns.
RTLANES float rt_angle(float real, float imaginary) {
    return rt_lanes_angles(rt_all_lanes(real), rt_all_lanes(imaginary))[0];
}
