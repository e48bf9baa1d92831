#pragma once
#include <string.h>
#include <zlib.h>

/// Begins to write a gzip file with the best compression; `deflateInit2` is a macro, which Swift
/// cannot import.
///
/// Returns `Z_OK`, or an error of zlib. `deflateEnd` frees the stream.
static inline int gzip_begin(z_stream *stream) {
    memset(stream, 0, sizeof *stream);
    // 15 is the largest window, and 16 selects the format of gzip.
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
