// A search that the C library's headers show to GNU sources only.
#pragma once

#include <stdbool.h>
#include <stddef.h>

char *_Nullable strcasestr(const char *_Nonnull text, const char *_Nonnull word);

/// Whether a text holds a word, upper and lower case alike.
static inline bool text_holds(const char *_Nonnull text, const char *_Nonnull word) {
    return strcasestr(text, word) != NULL;
}
