#pragma once

#include "CRealtimeAttributes.h"

// RealtimeSanitizer's markers, which exist only if its runtime is preloaded; otherwise these calls
// do nothing.
__attribute__((weak)) void __rtsan_realtime_enter(void);
__attribute__((weak)) void __rtsan_realtime_exit(void);

/// From this call to `rt_leave_realtime`, RealtimeSanitizer aborts the program at any allocation,
/// lock or blocking call.
RTSAFE static inline void rt_enter_realtime(void) {
    if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

RTSAFE static inline void rt_leave_realtime(void) {
    if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}
