// Logarithms and powers of two of four numbers: bits of floats as integers. The polynomials are minimax fits.
#pragma once

#include "CRealtimeLanes.h"

/// The logarithm to the base of 2 of positive numbers, good to 2e-06.
RTLANES RTLanes rt_lanes_log2(RTLanes x) {
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
