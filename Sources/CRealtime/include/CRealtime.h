// The C functions that real-time Swift code needs. Functions marked `RTSAFE` neither allocate nor
// lock, and do not block (`rt_wait_while` waits for a bounded time).
#pragma once

#include "CRealtimeAngle.h"
#include "CRealtimeBlock.h"
#include "CRealtimeClock.h"
#include "CRealtimeFloat.h"
#include "CRealtimeFutex.h"
#include "CRealtimeLanes.h"
#include "CRealtimeLogarithm.h"
#include "CRealtimeMath.h"
#include "CRealtimeMessages.h"
#include "CRealtimeNeighbours.h"
#include "CRealtimePeaks.h"
#include "CRealtimeSanitizer.h"
#include "CRealtimeSystem.h"
#include "CRealtimeVectors.h"
