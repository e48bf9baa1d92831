// Passes over spectra that need comparisons, square roots or shuffles of SIMD lanes, which Swift would send through memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "CRealtimeAttributes.h"
#include "CRealtimeLanes.h"

static inline RTLanes rt_all_lanes(float value) { return (RTLanes){value, value, value, value}; }

static inline float rt_sum_of_lanes(RTLanes x) { return (x[0] + x[1]) + (x[2] + x[3]); }

/// Sums of a spectrum's amplitudes and of how much they changed, and the strongest power.
typedef struct RTFlux {
    float change;
    float total;
    float strongest;
} RTFlux;

/// Adds a spectrum's power to what is there, or writes it over; replaces old amplitudes by the spectrum's, and says how far
/// these are from each other.
///
/// Only every second bin has an amplitude: a window's main lobe is broader than that. `count` is a multiple of 8.
RTSAFE static inline RTFlux rt_hear(
    const float *_Nonnull real, const float *_Nonnull imaginary, float *_Nonnull amplitudes, float *_Nonnull power,
    int64_t count, bool isFirst) {
    RTLanes change = {0, 0, 0, 0}, total = change, strongest = change;
    for (int64_t k = 0; k < count; k += 8) {
        RTLanes x = rt_load(real + k), y = rt_load(imaginary + k), p = x * x + y * y;
        RTLanes u = rt_load(real + k + 4), v = rt_load(imaginary + k + 4), q = u * u + v * v;
        rt_store(power + k, isFirst ? p : p + rt_load(power + k));
        rt_store(power + k + 4, isFirst ? q : q + rt_load(power + k + 4));
        RTLanes half = __builtin_shufflevector(p, q, 0, 2, 4, 6);
        RTLanes now = rt_root(half), old = rt_load(amplitudes + k / 2);
        rt_store(amplitudes + k / 2, now);
        change += rt_magnitude(now - old);
        total += now + old;
        strongest = rt_where(now > strongest, now, strongest);
    }
    float most = 0;
    for (int lane = 0; lane < 4; lane += 1) most = strongest[lane] > most ? strongest[lane] : most;
    return (RTFlux){rt_sum_of_lanes(change), rt_sum_of_lanes(total), most * most};
}

/// The same where every bin has an amplitude; `count` is a multiple of 4.
RTSAFE static inline RTFlux rt_hear_all(
    const float *_Nonnull real, const float *_Nonnull imaginary, float *_Nonnull amplitudes, float *_Nonnull power,
    int64_t count, bool isFirst) {
    RTLanes change = {0, 0, 0, 0}, total = change, strongest = change;
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes x = rt_load(real + k), y = rt_load(imaginary + k), p = x * x + y * y;
        rt_store(power + k, isFirst ? p : p + rt_load(power + k));
        RTLanes now = rt_root(p), old = rt_load(amplitudes + k);
        rt_store(amplitudes + k, now);
        change += rt_magnitude(now - old);
        total += now + old;
        strongest = rt_where(now > strongest, now, strongest);
    }
    float most = 0;
    for (int lane = 0; lane < 4; lane += 1) most = strongest[lane] > most ? strongest[lane] : most;
    return (RTFlux){rt_sum_of_lanes(change), rt_sum_of_lanes(total), most * most};
}

/// Adds a spectrum's power to what is there, or writes it over; `count` is a multiple of 4.
RTSAFE static inline void rt_add_power(
    const float *_Nonnull real, const float *_Nonnull imaginary, float *_Nonnull power,
    int64_t count, bool isFirst) {
    for (int64_t k = 0; k < count; k += 4) {
        RTLanes x = rt_load(real + k), y = rt_load(imaginary + k), p = x * x + y * y;
        rt_store(power + k, isFirst ? p : p + rt_load(power + k));
    }
}

RTSAFE static inline float rt_sum(const float *_Nonnull values, int64_t count) {
    RTLanes a = {0, 0, 0, 0}, b = a;
    int64_t k = 0;
    for (; k + 8 <= count; k += 8) {
        a += rt_load(values + k);
        b += rt_load(values + k + 4);
    }
    float sum = rt_sum_of_lanes(a + b);
    for (; k < count; k += 1) sum += values[k];
    return sum;
}

/// The sum of the squares of values; `count` is a multiple of 8.
RTSAFE static inline float rt_energy(const float *_Nonnull values, int64_t count) {
    RTLanes a = {0, 0, 0, 0}, b = a;
    for (int64_t k = 0; k < count; k += 8) {
        RTLanes x = rt_load(values + k), y = rt_load(values + k + 4);
        a += x * x;
        b += y * y;
    }
    return rt_sum_of_lanes(a + b);
}

/// Multiplies values by a gain that goes evenly from one to another; `count` is a multiple of 4.
RTSAFE static inline void rt_ramp(float *_Nonnull values, float from, float to, int64_t count) {
    const RTLanes places = {0.5f, 1.5f, 2.5f, 3.5f};
    const float slope = (to - from) / (float)count;
    for (int64_t k = 0; k < count; k += 4) {
        rt_store(values + k, rt_load(values + k) * (from + (places + (float)k) * slope));
    }
}
