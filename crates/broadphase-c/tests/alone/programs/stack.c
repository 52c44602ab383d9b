/*
 * Searches on a thread with the stack that the header asks for.
 *
 * Prints nothing but "fits" if all return. With an argument, the stack is larger, and the bytes that each algorithm
 * used are printed.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "broadphase.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STATED = 128 * 1024, AMPLE = 1024 * 1024, GUARD = 64 * 1024, MOST = 4000, FRAMES = 4, UNUSED = 0xa5 };

static BpAabb boxes[MOST];

typedef enum { RANDOM, COINCIDENT, SORTED, REVERSED, POWERS, NESTED, INPUTS } Input;

/* Boxes of one frame. Returns their number. */
static size_t lay(Input input, int frame) {
    const size_t objects = input == COINCIDENT || input == NESTED ? 500 : (size_t)(MOST - 300 * frame);
    unsigned long long state = 9;
    for (size_t i = 0; i < objects; i++) {
        float low[3] = {0, 0, 0}, side = 1;
        const size_t place = input == REVERSED ? objects - i : i;
        float power = 1;
        for (size_t halvings = i / 3 % 120; halvings > 0; halvings--) {
            power *= 0.5f;
        }
        for (int axis = 0; axis < 3; axis++) {
            if (input == RANDOM) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                low[axis] = (float)(state >> 40) / (float)(1 << 20) + (float)(i % 5) * (float)frame * 0.1f;
            } else if (input == SORTED || input == REVERSED) {
                low[axis] = axis == 0 ? (float)place * 0.9f + (float)frame : 0;
            } else if (input == POWERS) {
                low[axis] = (int)(i % 3) == axis ? power : 0;
                side = power * 0.1f;
            } else if (input == NESTED) {
                low[axis] = -power;
                side = 2 * power;
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            boxes[i].min[axis] = low[axis];
            boxes[i].max[axis] = low[axis] + side;
        }
    }
    return objects;
}

static void *search(void *argument) {
    BpBroadPhase *broad_phase = NULL;
    BpStatus status = bp_create(argument, NULL, &broad_phase);
    for (int all = 0; all < INPUTS * FRAMES && status == BP_STATUS_OK; all++) {
        const BpPair *pairs;
        size_t found;
        const size_t objects = lay((Input)(all / FRAMES), all % FRAMES);
        status = bp_find_pairs(broad_phase, boxes, objects, &pairs, &found);
        BpNearest nearest;
        if (status == BP_STATUS_OK) {
            status = bp_query_nearest(broad_phase, boxes, objects, boxes[0].min, &nearest);
        }
    }
    /* A failure needs stack, too. */
    const BpPair *pairs;
    size_t found;
    boxes[0].max[0] = 1e38f * 10;
    const int is_refused = bp_find_pairs(broad_phase, boxes, 1, &pairs, &found) == BP_STATUS_INVALID_BOX;
    return status == BP_STATUS_OK && bp_destroy(broad_phase) == BP_STATUS_OK && is_refused ? argument : NULL;
}

/* Bytes of a stack that were used by a thread that searches, or nothing if it failed. */
static size_t used_by(char *id, size_t size) {
    /* An access below the stack ends the program. */
    unsigned char *memory = mmap(NULL, GUARD + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD, PROT_NONE) != 0) {
        return 0;
    }
    memset(memory + GUARD, UNUSED, size);
    pthread_attr_t attributes;
    pthread_t thread;
    void *result = NULL;
    pthread_attr_init(&attributes);
    const int is_done = pthread_attr_setstack(&attributes, memory + GUARD, size) == 0
        && pthread_create(&thread, &attributes, search, id) == 0 && pthread_join(thread, &result) == 0;
    size_t unused = 0;
    while (unused < size && memory[GUARD + unused] == UNUSED) {
        unused++;
    }
    munmap(memory, GUARD + size);
    return is_done && result != NULL ? size - unused : 0;
}

int main(int argc, char **argv) {
    (void)argv;
    /* The calling thread does all work. */
    setenv("RAYON_NUM_THREADS", "1", 1);
    int faults = 0;
    for (size_t k = 0; k < bp_algorithm_count(); k++) {
        char id[64];
        strncpy(id, bp_algorithm_id(k), sizeof id - 1);
        id[sizeof id - 1] = 0;
        const size_t used = used_by(id, argc > 1 ? AMPLE : STATED);
        if (argc > 1) {
            printf("%s: %zu\n", id, used);
        }
        faults += used == 0;
    }
    if (faults == 0 && argc == 1) {
        printf("fits\n");
    }
    return faults != 0;
}
