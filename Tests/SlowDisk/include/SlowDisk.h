// A disk that stands still for a while: linked into a program, `pwrite` waits before it writes.
#pragma once

/// From now on and for so many milliseconds, what is written waits until they are over.
void slow_disk_stand_still(int milliseconds);
