#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "CRealtimeAttributes.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Sets flush-to-zero and denormals-are-zero for this thread, and masks floating-point exceptions.
///
/// A plugin may change these flags, so the engine calls this again before each plugin. It writes
/// the register only if the flags differ.
RTSAFE static inline void rt_flush_denormals(void) {
#if defined(__SSE2__)
    // 0x8040: flush-to-zero and denormals-are-zero; 0x1f80: all exceptions masked, rounding to nearest.
    if ((_mm_getcsr() & 0xffc0u) != 0x9fc0u) _mm_setcsr(0x9fc0u);
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    if (!(control & (1u << 24))) __asm__ volatile("msr fpcr, %0" : : "r"(control | (1u << 24)));
#endif
}

/// Returns the thread's floating-point control word, for `rt_restore_float_control`.
RTSAFE static inline uint64_t rt_float_control(void) {
#if defined(__SSE2__)
    return _mm_getcsr();
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
#else
    return 0;
#endif
}

RTSAFE static inline void rt_restore_float_control(uint64_t control) {
#if defined(__SSE2__)
    _mm_setcsr((unsigned)control);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
}

RTSAFE static inline void rt_clear(float *_Nonnull samples, int64_t count) {
    memset(samples, 0, (size_t)count * sizeof(float));
}

/// Returns a checksum of samples, bit by bit, that continues another one.
///
/// Four independent products keep the multiplier busy; the constants are odd and have many ones, as
/// in MurmurHash.
RTSAFE static inline uint64_t rt_checksum(
    uint64_t sum, const float *_Nonnull samples, int64_t count) {
    uint64_t lanes[4] = {sum ^ 0x9e3779b97f4a7c15u, sum + 0xc2b2ae3d27d4eb4fu, ~sum, sum};
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t words[4];
        memcpy(words, samples + i, sizeof words);
        for (int lane = 0; lane < 4; lane++) {
            lanes[lane] = (lanes[lane] ^ words[lane]) * 0x9ddfea08eb382d69u;
            lanes[lane] ^= lanes[lane] >> 29;
        }
    }
    for (; i < count; i++) {
        uint32_t word;
        memcpy(&word, samples + i, sizeof word);
        lanes[i & 3] = (lanes[i & 3] ^ word) * 0x9ddfea08eb382d69u;
        lanes[i & 3] ^= lanes[i & 3] >> 29;
    }
    uint64_t result = lanes[0];
    for (int lane = 1; lane < 4; lane++) {
        result = (result ^ lanes[lane]) * 0xff51afd7ed558ccdu;
        result ^= result >> 32;
    }
    return result;
}

/// Copies samples between buffers that do not overlap.
RTSAFE static inline void rt_copy(
    float *_Nonnull to, const float *_Nonnull from, int64_t count) {
    memcpy(to, from, (size_t)count * sizeof(float));
}

/// Copies samples between buffers that may overlap.
RTSAFE static inline void rt_move(
    float *_Nonnull to, const float *_Nonnull from, int64_t count) {
    memmove(to, from, (size_t)count * sizeof(float));
}

/// Returns whether all samples are finite.
RTSAFE static inline bool rt_is_finite(const float *_Nonnull samples, int64_t count) {
    int64_t i = 0;
#if defined(__SSE4_1__)
    // Without its sign bit, a number is finite if and only if its bits are less than those of
    // infinity.
    __m128i largest0 = _mm_setzero_si128(), largest1 = largest0;
// With the compiler's usual unrolling, setting up the loop takes longer than a short block.
#pragma clang loop unroll(disable)
    for (; i + 16 <= count; i += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(samples + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(samples + i + 4));
        __m128i c = _mm_loadu_si128((const __m128i *)(samples + i + 8));
        __m128i d = _mm_loadu_si128((const __m128i *)(samples + i + 12));
        largest0 = _mm_max_epu32(largest0, _mm_slli_epi32(a, 1));
        largest1 = _mm_max_epu32(largest1, _mm_slli_epi32(b, 1));
        largest0 = _mm_max_epu32(largest0, _mm_slli_epi32(c, 1));
        largest1 = _mm_max_epu32(largest1, _mm_slli_epi32(d, 1));
    }
    if (i + 8 <= count) {
        __m128i a = _mm_loadu_si128((const __m128i *)(samples + i));
        __m128i b = _mm_loadu_si128((const __m128i *)(samples + i + 4));
        largest0 = _mm_max_epu32(largest0, _mm_slli_epi32(a, 1));
        largest1 = _mm_max_epu32(largest1, _mm_slli_epi32(b, 1));
        i += 8;
    }
    const __m128i infinity = _mm_set1_epi32((int)0xff000000u);
    __m128i largest = _mm_max_epu32(largest0, largest1);
    if (_mm_movemask_epi8(_mm_cmpeq_epi32(_mm_max_epu32(largest, infinity), largest))) return false;
#endif
    for (; i < count; i += 1) {
        uint32_t bits;
        memcpy(&bits, samples + i, sizeof bits);
        if ((bits & 0x7fffffffu) > 0x7f7fffffu) return false;
    }
    return true;
}

/// Returns whether all bits of 16 samples are zero, ignoring the signs.
RTSAFE static inline bool rt_are_silent_16(const float *_Nonnull samples) {
#if defined(__SSE2__)
    __m128 a = _mm_or_ps(_mm_loadu_ps(samples), _mm_loadu_ps(samples + 4));
    __m128 b = _mm_or_ps(_mm_loadu_ps(samples + 8), _mm_loadu_ps(samples + 12));
    __m128i bits = _mm_slli_epi32(_mm_castps_si128(_mm_or_ps(a, b)), 1);
    return _mm_movemask_epi8(_mm_cmpeq_epi32(bits, _mm_setzero_si128())) == 0xffff;
#else
    uint32_t all = 0;
    for (int k = 0; k < 16; k += 1) {
        uint32_t bits;
        memcpy(&bits, samples + k, sizeof bits);
        all |= bits << 1;
    }
    return all == 0;
#endif
}

/// Copies samples between buffers that do not overlap; samples that are not finite or exceed
/// +240 dB become 0.
///
/// The squares of such samples would overflow, and no real sound is that loud.
RTSAFE static inline void rt_copy_sound(
    float *_Nonnull to, const float *_Nonnull from, int64_t count) {
    for (int64_t i = 0; i < count; i += 1) {
        float x = from[i];
        to[i] = x >= -1e12f && x <= 1e12f ? x : 0;
    }
}

/// The largest magnitude among the samples, and the sum of their squares.
typedef struct RTLevel {
    float peak;
    float squares;
} RTLevel;

RTSAFE static inline RTLevel rt_level(const float *_Nonnull samples, int64_t count) {
    RTLevel level = {0, 0};
    int64_t i = 0;
#if defined(__SSE2__)
    const __m128 magnitude = _mm_castsi128_ps(_mm_set1_epi32(0x7fffffff));
    __m128 peak = _mm_setzero_ps(), squares = peak;
    for (; i + 4 <= count; i += 4) {
        __m128 x = _mm_loadu_ps(samples + i);
        peak = _mm_max_ps(peak, _mm_and_ps(x, magnitude));
        squares = _mm_add_ps(squares, _mm_mul_ps(x, x));
    }
    float p[4], s[4];
    _mm_storeu_ps(p, peak);
    _mm_storeu_ps(s, squares);
    for (int k = 0; k < 4; k += 1) {
        if (p[k] > level.peak) level.peak = p[k];
        level.squares += s[k];
    }
#endif
    for (; i < count; i += 1) {
        float x = samples[i] < 0 ? -samples[i] : samples[i];
        if (x > level.peak) level.peak = x;
        level.squares += x * x;
    }
    return level;
}
