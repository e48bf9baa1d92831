#pragma once
#include <ebur128.h>

/// libebur128's modes combined as an integer.
///
/// Swift imports the modes as values of an enum, which cannot be combined with `|`.
static const int loudness_meter_mode = EBUR128_MODE_I | EBUR128_MODE_TRUE_PEAK;
