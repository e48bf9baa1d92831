// A disk that can be stalled: in a program linked with this library, `pwrite` waits before it
// writes.
#pragma once

/// Makes all writes in the next `milliseconds` wait until that time has passed.
void slow_disk_stand_still(int milliseconds);
