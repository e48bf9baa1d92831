// What real-time Swift needs from C: each function here neither allocates, locks nor blocks.
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
#include "CRealtimeSanitizer.h"
#include "CRealtimeSystem.h"
#include "CRealtimeVectors.h"
