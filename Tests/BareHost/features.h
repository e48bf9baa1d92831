#pragma once

#include <lv2/core/lv2.h>
#include <lv2/urid/urid.h>

/// The number of a URI.
LV2_URID urid(const char *uri);

/// The features of one instance, ended by NULL.
const LV2_Feature *const *features_make(int blockFrames, double sampleRate);
