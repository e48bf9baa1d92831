#pragma once

#include <lv2/core/lv2.h>
#include <lv2/urid/urid.h>

#include "worker.h"

/// The number of a URI.
LV2_URID urid(const char *uri);

/// The map from URIs to numbers.
LV2_URID_Map *urid_map(void);

/// The features of one instance, ended by NULL, with the worker that does its work.
///
/// The first five are for restoring a state too.
const LV2_Feature *const *features_make(int blockFrames, double sampleRate, Worker *worker);

/// Those features that are for restoring a state.
const LV2_Feature *const *features_of_state(const LV2_Feature *const *features);
