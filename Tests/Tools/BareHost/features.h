#pragma once

#include <lv2/core/lv2.h>
#include <lv2/urid/urid.h>

#include "worker.h"

/// Returns the number for a URI.
LV2_URID urid(const char *uri);

/// Returns the map from URIs to numbers.
LV2_URID_Map *urid_map(void);

/// Creates the features of one instance, terminated by NULL, including its worker's schedule.
///
/// The first five are also used to restore a state.
const LV2_Feature *const *features_make(int blockFrames, double sampleRate, Worker *worker);

/// Returns the features that are used to restore a state.
const LV2_Feature *const *features_of_state(const LV2_Feature *const *features);
