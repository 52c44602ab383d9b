/*
 * Finds the pairs of moving boxes with the C interface (C99), then the box nearest to a point.
 *
 * Prints a line for each frame, such as "frame 0: 0-7 3-9", and "nearest: 4".
 */
#include "broadphase.h"

#include <stdio.h>
#include <stdlib.h>

enum { OBJECTS = 12, FRAMES = 4 };

/* Moves the boxes. Whole numbers, so that the same boxes are easily computed elsewhere. */
static void move_boxes(BpAabb boxes[OBJECTS], int frame) {
    for (int object = 0; object < OBJECTS; object++) {
        const int corner[3] = {
            (object * 7 + frame * (object % 3)) % 10,
            (object * 5 + frame) % 10,
            (object * 3) % 10,
        };
        for (int axis = 0; axis < 3; axis++) {
            boxes[object].min[axis] = (float)corner[axis];
            boxes[object].max[axis] = (float)(corner[axis] + 3);
        }
    }
}

/* Ends the program with the text of the last error if a call failed. */
static void require(BpStatus status, const char *what) {
    if (status != BP_STATUS_OK) {
        fprintf(stderr, "%s: %s (status %d)\n", what, bp_last_error(), (int)status);
        exit(EXIT_FAILURE);
    }
}

static int compare_pairs(const void *left, const void *right) {
    const BpPair *p = left, *q = right;
    if (p->a != q->a) {
        return p->a < q->a ? -1 : 1;
    }
    return (p->b > q->b) - (p->b < q->b);
}

int main(void) {
    BpSettings settings = {0};
    settings.objects = OBJECTS;
    BpBroadPhase *broad_phase;
    require(bp_create("auto", &settings, &broad_phase), "bp_create");

    BpAabb boxes[OBJECTS];
    BpPair sorted[OBJECTS * (OBJECTS - 1) / 2];
    for (int frame = 0; frame < FRAMES; frame++) {
        move_boxes(boxes, frame);
        const BpPair *pairs;
        size_t count;
        require(bp_find_pairs(broad_phase, boxes, OBJECTS, &pairs, &count), "bp_find_pairs");

        /* The list is in any order, and belongs to the instance. */
        for (size_t i = 0; i < count; i++) {
            sorted[i] = pairs[i];
        }
        qsort(sorted, count, sizeof *sorted, compare_pairs);
        printf("frame %d:", frame);
        for (size_t i = 0; i < count; i++) {
            printf(" %u-%u", (unsigned)sorted[i].a, (unsigned)sorted[i].b);
        }
        printf("\n");
    }

    /* Queries are about the last frame, and take its boxes again. */
    const float point[3] = {5, 5, 20};
    BpNearest nearest;
    require(bp_query_nearest(broad_phase, boxes, OBJECTS, point, &nearest), "bp_query_nearest");
    printf("nearest: %u\n", (unsigned)nearest.object);

    bp_destroy(broad_phase);
    return EXIT_SUCCESS;
}
