// The functions of the C library have no real-time annotation. Each of these is a pure function of
// its arguments that neither allocates nor locks.
#pragma once

#include <math.h>

#include "CRealtimeAttributes.h"

RTSAFE static inline double rt_sin(double radians) { return sin(radians); }
RTSAFE static inline double rt_cos(double radians) { return cos(radians); }
RTSAFE static inline double rt_tan(double radians) { return tan(radians); }
RTSAFE static inline double rt_exp(double x) { return exp(x); }
RTSAFE static inline double rt_exp2(double x) { return exp2(x); }
RTSAFE static inline double rt_log(double x) { return log(x); }
RTSAFE static inline double rt_pow(double base, double exponent) { return pow(base, exponent); }
// Swift's `rounded(_:)` passes its rule through type metadata, which the real-time check rejects.
RTSAFE static inline double rt_floor(double x) { return floor(x); }
RTSAFE static inline double rt_round(double x) { return round(x); }
RTSAFE static inline double rt_ceil(double x) { return ceil(x); }
RTSAFE static inline double rt_sqrt(double x) { return sqrt(x); }
RTSAFE static inline double rt_atan2(double y, double x) { return atan2(y, x); }
