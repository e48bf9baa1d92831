#pragma once

#include <lilv-0/lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <stdint.h>

/// The transport position at the first frame of a block.
///
/// The transport rolls from frame 0 at 120 quarter notes per minute, with four per bar.
typedef struct Position {
    int64_t frame;
} Position;

/// Adds the position to an empty sequence as an object, at its first frame.
void position_append(Position position, LV2_Atom_Sequence *sequence, unsigned bytes);

/// Stores the value for a control port with this designation; returns 0 if it is not a time
/// designation.
int position_value(Position position, const char *designation, float *value);
