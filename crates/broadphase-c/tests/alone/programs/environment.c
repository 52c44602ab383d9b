/*
 * Searches in every floating-point environment of the calling thread: rounding modes, denormal numbers as zeros, traps.
 *
 * Prints nothing but "same pairs" if all find the pairs of brute force in the default one, and leave it unchanged.
 */
#include "broadphase.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
/* MXCSR: to nearest, down, up, towards zero; FTZ, DAZ, both; traps on all exceptions. */
enum { DEFAULT = 0x1f80 };
static const unsigned long environments[] = {
    0x3f80, 0x1f80, 0x5f80, 0x7f80, 0x9f80, 0x1fc0, 0x9fc0, 0xbf80, 0x3fc0, 0xbfc0,
    0xdf80, 0x5fc0, 0xdfc0, 0xff80, 0x7fc0, 0xffc0, 0x0000,
};
static unsigned long environment(void) {
    return _mm_getcsr() & ~0x3fu; /* without the flags of past exceptions */
}
static void set_environment(unsigned long value) {
    _mm_setcsr((unsigned)value);
}
#elif defined(__aarch64__)
/* FPCR: the rounding modes, each with and without FZ. */
enum { DEFAULT = 0 };
static const unsigned long environments[] = {
    0x800000, 0, 0x400000, 0xc00000, 0x1000000, 0x1800000, 0x1400000, 0x1c00000,
};
static unsigned long environment(void) {
    unsigned long value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return value;
}
static void set_environment(unsigned long value) {
    __asm__ volatile("msr fpcr, %0" : : "r"(value));
}
#else
enum { DEFAULT = 0 };
static const unsigned long environments[] = {0};
static unsigned long environment(void) {
    return 0;
}
static void set_environment(unsigned long value) {
    (void)value;
}
#endif

enum { SMALL = 600, LARGE = 24000, FRAMES = 3 };

/* A unit of length, and where the coordinates begin. */
typedef struct {
    const char *name;
    float unit, origin;
} Scale;

static const Scale SCALES[] = {
    {"touching boxes", 0.5f, -3.0f},
    {"denormal coordinates", 0x1p-149f, 0.0f},
    {"denormal gaps", 0x1p-149f, FLT_MIN},
};

static BpAabb boxes[FRAMES][LARGE];

/* A wall of bricks: some touch, others are one unit apart. Every ninth moves. */
static void lay(int objects, Scale scale) {
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int object = 0; object < objects; object++) {
            const int row = object / 40, moved = object % 9 == 0 ? frame : 0;
            const int low[3] = {object % 40 * 3 + row % 2 + moved, row % 30 * 2, row / 30 * 2};
            const int size[3] = {2 + row % 3 / 2, 2 - object % 2, 2};
            for (int axis = 0; axis < 3; axis++) {
                BpAabb *b = &boxes[frame][object];
                b->min[axis] = scale.origin + (float)low[axis] * scale.unit;
                b->max[axis] = scale.origin + (float)(low[axis] + size[axis]) * scale.unit;
            }
        }
    }
}

/* A hash of the pairs of all frames that does not depend on their order. */
static unsigned long long search(const char *id, int objects, unsigned long value) {
    BpBroadPhase *broad_phase;
    unsigned long long hash = 0;
    set_environment(value);
    BpStatus status = bp_create(id, NULL, &broad_phase);
    for (int frame = 0; frame < FRAMES && status == BP_STATUS_OK; frame++) {
        const BpPair *pairs;
        size_t count;
        status = bp_find_pairs(broad_phase, boxes[frame], (size_t)objects, &pairs, &count);
        for (size_t i = 0; i < count; i++) {
            const unsigned long long pair = ((unsigned long long)pairs[i].a << 32 | pairs[i].b) + (unsigned)frame + 1;
            hash += (pair ^ pair >> 29) * 0x9e3779b97f4a7c15u;
        }
    }
    bp_destroy(broad_phase);
    const unsigned long after = environment();
    set_environment(DEFAULT);
    if (status != BP_STATUS_OK || after != value) {
        fprintf(stderr, "%s: status %d, environment %lx before and %lx after\n", id, (int)status, value, after);
        exit(EXIT_FAILURE);
    }
    return hash;
}

static int faults_of(const char *id, int objects, Scale scale, unsigned long long expected) {
    int faults = 0;
    for (size_t i = 0; i < sizeof environments / sizeof *environments; i++) {
        if (search(id, objects, environments[i]) != expected) {
            fprintf(stderr, "%s, %d objects, %s: other pairs in %lx\n", id, objects, scale.name, environments[i]);
            faults++;
        }
    }
    return faults;
}

int main(void) {
    int faults = 0;
    for (size_t i = 0; i < sizeof SCALES / sizeof *SCALES; i++) {
        /* The first search of all starts the threads of the pool, in an environment that is not the default. */
        lay(LARGE, SCALES[i]);
        const unsigned long long first = search("auto", LARGE, environments[0]);
        unsigned long long expected = search("brute-force", LARGE, DEFAULT);
        faults += first != expected;
        faults += faults_of("auto", LARGE, SCALES[i], expected);
        lay(SMALL, SCALES[i]);
        expected = search("brute-force", SMALL, DEFAULT);
        for (size_t k = 0; k < bp_algorithm_count(); k++) {
            faults += faults_of(bp_algorithm_id(k), SMALL, SCALES[i], expected);
        }
    }
    if (faults == 0) {
        printf("same pairs\n");
    }
    return faults != 0;
}
