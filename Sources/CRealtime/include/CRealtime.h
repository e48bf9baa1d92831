// What real-time Swift needs from C: each function here neither allocates, locks nor blocks.
#pragma once

#include "CRealtimeBlock.h"
#include "CRealtimeClock.h"
#include "CRealtimeFloat.h"
#include "CRealtimeLanes.h"
#include "CRealtimeMath.h"
#include "CRealtimeSanitizer.h"
#include "CRealtimeSystem.h"
