#pragma once
#include <ebur128.h>

/// libebur128's modes as numbers: Swift takes apart no flags made of flags.
static const int loudness_meter_mode = EBUR128_MODE_I | EBUR128_MODE_TRUE_PEAK;
