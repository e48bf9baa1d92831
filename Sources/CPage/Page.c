#include "CPage.h"

// `#embed` is part of C23, and clang offers it for all versions of C. It notes each file as a
// dependency, so a changed file is included again.
#pragma clang diagnostic ignored "-Wc23-extensions"

// To add a file, include its bytes here, and add its path to `files`. PageAssetTests finds files
// that are not listed.

static const unsigned char index_html[] = {
#embed "Assets/index.html"
};

#define FILE_AT(path, bytes) { path, bytes, sizeof bytes }

static const struct PageFile files[] = {
    FILE_AT("index.html", index_html),
};

size_t page_file_count(void) { return sizeof files / sizeof *files; }

struct PageFile page_file(size_t index) { return files[index]; }
