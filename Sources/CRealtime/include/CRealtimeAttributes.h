#pragma once

/// Marks a function that neither allocates, locks nor blocks, so that Swift's `@_noLocks` check
/// accepts calls of it.
#define RTSAFE __attribute__((swift_attr("@_noLocks")))
