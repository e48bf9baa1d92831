#pragma once

/// Lets the `@_noLocks` check of a Swift caller pass: the function neither allocates, locks nor blocks.
#define RTSAFE __attribute__((swift_attr("@_noLocks")))
