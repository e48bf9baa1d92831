// Calls of Linux that Swift's own module of the C library leaves out.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/prctl.h>

#include "ChildProcess.h"

/// Names the calling thread for process viewers; 15 bytes are kept.
static inline void linux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
