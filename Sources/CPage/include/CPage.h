// The files of the page in the browser, which are part of the program.
#pragma once

#include <stddef.h>

/// A file in `Assets`.
struct PageFile {
    /// The path from `Assets`, such as `views/stage.js`.
    const char *path;
    /// The content, without a terminating zero.
    const unsigned char *bytes;
    /// The length of the content.
    size_t size;
};

/// Returns the number of files.
size_t page_file_count(void);

/// Returns the file with an index from 0; the index must be less than the number of files.
struct PageFile page_file(size_t index);
