#pragma once

#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <stdint.h>

/// Where time stands at the first frame of a block: rolling from frame 0 at 120 quarters a minute, four a bar.
typedef struct Position {
    int64_t frame;
} Position;

/// Adds the position to an empty sequence as an object, at its first frame.
void position_append(Position position, LV2_Atom_Sequence *sequence, unsigned bytes);

/// The value of a control port with this designation; 0 where it is none of time's.
int position_value(Position position, const char *designation, float *value);
