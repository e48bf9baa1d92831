// The inner loops of engine.py.
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef double complex number;

static double power(number z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

// One Gauss-Seidel sweep over `count` partials, each with a row of `width` bins of the window's transform in `rows`,
// which begins at bin `first[i]` of the spectrum, and a row of its mirror image if `has_image[i]`. The spectrum becomes
// the rest, and `amounts` the corrected partials. `inverse` has the reciprocal of each row's energy.
void sweep(
    int count, int width, number *spectrum, const int32_t *first, const number *rows, const int32_t *has_image,
    const int32_t *image_first, const number *image_rows, number *amounts, const double *inverse, int is_reversed) {
    for (int turn = 0; turn < count; turn++) {
        int i = is_reversed ? count - 1 - turn : turn;
        number *bins = spectrum + first[i];
        const number *row = rows + (long)i * width;
        number sum = 0;
        for (int j = 0; j < width; j++) sum += conj(row[j]) * bins[j];
        number change = sum * inverse[i];
        amounts[i] += change;
        for (int j = 0; j < width; j++) bins[j] -= change * row[j];
        if (!has_image[i]) continue;
        number *mirrored = spectrum + image_first[i];
        const number *image = image_rows + (long)i * width;
        for (int j = 0; j < width; j++) mirrored[j] -= conj(change) * image[j];
    }
}

// Adds each row, times its amount, to the spectrum.
void lay(int count, int width, number *spectrum, const int32_t *first, const number *rows, const number *amounts) {
    for (int i = 0; i < count; i++) {
        number *bins = spectrum + first[i];
        const number *row = rows + (long)i * width;
        for (int j = 0; j < width; j++) bins[j] += amounts[i] * row[j];
    }
}

// The transform of a Hann window at a distance in bins, relative to its middle, and its derivative by the frequency.
static void lobe(double distance, double *value, double *slope) {
    double apart = fabs(distance);
    if (apart < 1e-4) {
        *value = 1;
        *slope = 0;
    } else if (fabs(apart - 1) < 1e-4) {
        *value = 0.5;
        *slope = distance > 0 ? 0.75 : -0.75;
    } else {
        double angle = M_PI * distance, rest = 1 - distance * distance;
        double sinc = sin(angle) / angle, sinc_slope = (cos(angle) - sinc) / distance;
        *value = sinc / rest;
        *slope = -(sinc_slope / rest + sinc * 2 * distance / (rest * rest));
    }
}

// Fits `count` lobes together to the spectrum `rest` of `bins` bins, which becomes the rest: frequencies in bins, complex
// amounts, the relative slope, and the misfit of each. Each sweep is a Gauss-Newton step of one lobe after the other;
// `reach` bins to either side are fitted, `wide` bins are subtracted.
void lobes(
    int count, int bins, number *rest, double *frequencies, number *amounts, number *slopes, double *misfits, int sweeps,
    int reach, int wide, double largest_step) {
    for (int turn = 0; turn < sweeps; turn++) {
        for (int i = 0; i < count; i++) {
            int middle = (int)floor(frequencies[i] + 0.5);
            int from = middle - wide < 0 ? 0 : middle - wide;
            int to = middle + wide > bins - 1 ? bins - 1 : middle + wide;
            double values[33], changes[33], vv = 0, vc = 0, cc = 0;
            number value_sum = 0, change_sum = 0;
            for (int k = from; k <= to; k++) {
                lobe(k - frequencies[i], &values[k - from], &changes[k - from]);
                rest[k] += amounts[i] * values[k - from];
                if (abs(k - middle) > reach) continue;
                double value = values[k - from], change = changes[k - from];
                vv += value * value;
                vc += value * change;
                cc += change * change;
                value_sum += value * rest[k];
                change_sum += change * rest[k];
            }
            double determinant = vv * cc - vc * vc;
            number amount = (value_sum * cc - change_sum * vc) / determinant;
            number moved = (change_sum * vv - value_sum * vc) / determinant;
            slopes[i] = moved * conj(amount) / (power(amount) + 1e-30);
            double step = fmax(-largest_step, fmin(largest_step, creal(slopes[i])));
            frequencies[i] = fmax(0.5, fmin(bins - 2, frequencies[i] + step));
            vv = 0;
            value_sum = 0;
            for (int k = from; k <= to; k++) {
                lobe(k - frequencies[i], &values[k - from], &changes[k - from]);
                if (abs(k - middle) > reach) continue;
                vv += values[k - from] * values[k - from];
                value_sum += values[k - from] * rest[k];
            }
            amounts[i] = value_sum / vv;
            for (int k = from; k <= to; k++) rest[k] -= amounts[i] * values[k - from];
        }
    }
    for (int i = 0; i < count; i++) {
        int middle = (int)floor(frequencies[i] + 0.5);
        double energy = 0, left = 0;
        for (int k = middle - reach; k <= middle + reach; k++) {
            if (k < 0 || k >= bins) continue;
            double value, change;
            lobe(k - frequencies[i], &value, &change);
            energy += value * value;
            left += power(rest[k]);
        }
        misfits[i] = left / (power(amounts[i]) * energy + 1e-30);
    }
}
