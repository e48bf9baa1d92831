#pragma once

#include "CRealtimeAttributes.h"

// RealtimeSanitizer's markers. They are there only when its runtime is preloaded; otherwise these calls do nothing.
__attribute__((weak)) void __rtsan_realtime_enter(void);
__attribute__((weak)) void __rtsan_realtime_exit(void);

/// From here to `rt_leave_realtime`, RealtimeSanitizer ends the program at an allocation, a lock or a blocking call.
RTSAFE static inline void rt_enter_realtime(void) {
    if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

RTSAFE static inline void rt_leave_realtime(void) {
    if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}
