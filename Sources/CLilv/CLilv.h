#pragma once
// SwiftPM would link all libraries of lilv-0.pc, of which only lilv is called. Its header is found next
// to those of LV2.
#include <lilv-0/lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/options/options.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#include "FileLock.h"
#include "PluginCalls.h"
#include "PluginChild.h"
#include "PluginFolder.h"
#include "PluginLog.h"
#include "PluginMemory.h"
#include "PluginWork.h"
