#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the options of a command line and a callback that receives each input.
int LLVMFuzzerRunDriver(
    int *_Nonnull argumentCount, char *_Nullable *_Nonnull *_Nonnull arguments,
    int (*_Nonnull callback)(const uint8_t *_Nullable data, size_t size));

/// Mutates an input in place with libFuzzer's own mutations and its dictionary. Returns the new
/// size.
size_t LLVMFuzzerMutate(uint8_t *_Nonnull data, size_t size, size_t maximumSize);
