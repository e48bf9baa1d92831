// Base-2 logarithms and powers of four numbers at once, computed on the bits of the floats. The
// polynomials are minimax fits.
#pragma once

#include "CRealtimeLanes.h"

/// Returns the base-2 logarithms of positive numbers, accurate to 2e-6.
RTLANES RTLanes rt_lanes_log2(RTLanes x) {
    const RTMask bits = (RTMask)x;
    // The mantissa, from 1 to 2, minus 1.
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

/// Returns 2 to the power of numbers from -100 to 100, with a relative error of at most 9e-8.
RTLANES RTLanes rt_lanes_exp2(RTLanes x) {
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
