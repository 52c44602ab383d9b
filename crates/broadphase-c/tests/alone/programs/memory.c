/*
 * Searches whose results do not fit into memory.
 *
 * Prints "out of memory, then pairs" if all return that status, and the instances answer afterwards.
 */
#define _DEFAULT_SOURCE

#include "broadphase.h"

#include <stdio.h>
#include <sys/resource.h>

enum { MOST = 16000 };

static BpAabb boxes[MOST];

static int is_refused(BpStatus status, const void *list, size_t count) {
    return status == BP_STATUS_OUT_OF_MEMORY && list == NULL && count == 0;
}

static int fails(const char *id) {
    BpBroadPhase *broad_phase = NULL;
    const BpPair *pairs;
    const BpJoinPair *joined;
    size_t count;
    if (bp_create(id, NULL, &broad_phase) != BP_STATUS_OK) {
        return 1;
    }
    for (int call = 0; call < 2; call++) {
        BpStatus status = bp_find_pairs(broad_phase, boxes, MOST, &pairs, &count);
        if (!is_refused(status, pairs, count)) {
            return 2;
        }
        status = bp_join(broad_phase, boxes, MOST, boxes, MOST, &joined, &count);
        if (!is_refused(status, joined, count)) {
            return 3;
        }
        if (bp_find_pairs(broad_phase, boxes, 3, &pairs, &count) != BP_STATUS_OK || count != 3) {
            return 4;
        }
        if (bp_join(broad_phase, boxes, 2, boxes, 3, &joined, &count) != BP_STATUS_OK || count != 6) {
            return 5;
        }
    }
    return bp_destroy(broad_phase) == BP_STATUS_OK ? 0 : 6;
}

int main(void) {
    const struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        return 1;
    }
    for (int i = 0; i < MOST; i++) {
        boxes[i] = (BpAabb){{0, 0, 0}, {1, 1, 1}};
    }
    for (size_t i = 0; i < bp_algorithm_count(); i++) {
        const int step = fails(bp_algorithm_id(i));
        if (step != 0) {
            printf("%s fails in step %d: %s\n", bp_algorithm_id(i), step, bp_last_error());
            return 1;
        }
    }
    puts("out of memory, then pairs");
    return 0;
}
