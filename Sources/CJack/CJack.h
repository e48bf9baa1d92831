#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/thread.h>
#include <jack/uuid.h>

#include "CJackCalls.h"
