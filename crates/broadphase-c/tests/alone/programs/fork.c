/*
 * Searches in child processes: before the parent has searched, by a user who may have no threads; and after it has searched
 * on several threads.
 *
 * Prints nothing but "same pairs" if every child finds its parent's pairs, and an instance in use stays in use.
 */
#define _POSIX_C_SOURCE 200809L

#include "broadphase.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OBJECTS = 60000, FAILED = -1, SECONDS = 60 };

static BpAabb boxes[OBJECTS];

static float next_place(void) {
    static uint64_t state = 147;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (float)(state >> 40) / (float)(1 << 24) * 60;
}

static long count(BpBroadPhase *broad_phase, size_t objects) {
    const BpPair *pairs;
    size_t found;
    if (bp_find_pairs(broad_phase, boxes, objects, &pairs, &found) != BP_STATUS_OK) {
        return FAILED;
    }
    return (long)found;
}

static BpBroadPhase *create(const char *id) {
    BpBroadPhase *broad_phase;
    if (bp_create(id, NULL, &broad_phase) != BP_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", id, bp_last_error());
        exit(EXIT_FAILURE);
    }
    return broad_phase;
}

/* The exit code of a child. A child that hangs is killed. */
static int wait_for(pid_t child) {
    for (int tenths = 0; tenths < 10 * SECONDS; tenths++) {
        const struct timespec nap = {0, 100000000};
        int status;
        if (waitpid(child, &status, WNOHANG) == child) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
        }
        nanosleep(&nap, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    fprintf(stderr, "the child hangs\n");
    return FAILED;
}

/* What a child searches with. */
typedef enum { PARENTS_INSTANCE, NEW_INSTANCE, NEW_THREAD, CASES } Case;

typedef struct {
    const char *id;
    size_t objects;
    long expected;
} Search;

static void *on_a_thread(void *argument) {
    const Search *search = argument;
    BpBroadPhase *broad_phase = create(search->id);
    return count(broad_phase, search->objects) == search->expected ? argument : NULL;
}

static int is_right_in_a_child(BpBroadPhase *parents, Search search, Case which) {
    const pid_t child = fork();
    if (child == 0) {
        int is_right;
        if (which == NEW_THREAD) {
            pthread_t thread;
            void *result = NULL;
            is_right = pthread_create(&thread, NULL, on_a_thread, &search) == 0
                && pthread_join(thread, &result) == 0 && result != NULL;
        } else {
            BpBroadPhase *own = which == NEW_INSTANCE ? create(search.id) : parents;
            is_right = count(own, search.objects) == search.expected;
        }
        _exit(!is_right);
    }
    return wait_for(child) == 0;
}

static int algorithm_faults(const char *id, size_t objects) {
    BpBroadPhase *broad_phase = create(id);
    const Search search = {id, objects, count(broad_phase, objects)};
    int faults = search.expected <= 0;
    for (Case which = 0; which < CASES; which++) {
        if (!is_right_in_a_child(broad_phase, search, which)) {
            fprintf(stderr, "%s, %zu objects: fault in child %d\n", id, objects, (int)which);
            faults++;
        }
    }
    faults += count(broad_phase, objects) != search.expected;
    bp_destroy(broad_phase);
    return faults;
}

enum { LIMITS = 40, NOBODY = 65534 };

/* Pairs that a child finds whose user may have that many processes and threads. */
static long limited_count(long limit) {
    long found = FAILED;
#ifdef __linux__
    int ends[2];
    if (pipe(ends) != 0) {
        return FAILED;
    }
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit threads = {(rlim_t)limit, (rlim_t)limit};
        const Search none = {"auto", 0, 0};
        pthread_t thread;
        int code = setenv("RAYON_NUM_THREADS", "64", 1) != 0 || setrlimit(RLIMIT_NPROC, &threads) != 0;
        /* The limit does not bind the superuser. */
        code = code || (geteuid() == 0 && setuid(NOBODY) != 0);
        /* It binds this process. */
        code = code || (limit == 1 && pthread_create(&thread, NULL, on_a_thread, (void *)&none) == 0);
        for (int call = 0; call < 2; call++) {
            found = count(create("auto"), OBJECTS);
            code = code || write(ends[1], &found, sizeof found) != sizeof found;
        }
        _exit(code);
    }
    const int is_ended = wait_for(child) == 0;
    long again = FAILED;
    const int is_read = read(ends[0], &again, sizeof again) == sizeof again
        && read(ends[0], &found, sizeof found) == sizeof found;
    close(ends[0]);
    close(ends[1]);
    if (!is_ended || !is_read || found != again) {
        fprintf(stderr, "%ld threads: the child failed, or found other pairs first\n", limit);
        return FAILED;
    }
#else
    (void)limit;
#endif
    return found;
}

static volatile sig_atomic_t is_over = 0;

static void *search_again_and_again(void *broad_phase) {
    while (!is_over) {
        count(broad_phase, OBJECTS / 3);
    }
    return NULL;
}

/* Forks while another thread is in a call. */
static int in_use_faults(void) {
    BpBroadPhase *broad_phase = create("brute-force");
    const long expected = count(create("auto"), OBJECTS);
    pthread_t thread;
    int code = expected > 0 ? 1 : FAILED;
    pthread_create(&thread, NULL, search_again_and_again, broad_phase);
    /* The call may end just before the fork: then the child is not asked, and another one is. */
    for (int attempts = 0; attempts < 100 && code == 1; attempts++) {
        while (bp_set_layers(broad_phase, NULL, 0) != BP_STATUS_IN_USE) {
        }
        const pid_t child = fork();
        if (child == 0) {
            const BpPair *pairs;
            size_t found;
            if (bp_set_layers(broad_phase, NULL, 0) != BP_STATUS_IN_USE) {
                _exit(1);
            }
            const int is_refused = bp_find_pairs(broad_phase, boxes, 9, &pairs, &found) == BP_STATUS_IN_USE
                && bp_destroy(broad_phase) == BP_STATUS_IN_USE && count(create("auto"), OBJECTS) == expected;
            _exit(is_refused ? 0 : 2);
        }
        code = wait_for(child);
    }
    is_over = 1;
    pthread_join(thread, NULL);
    bp_destroy(broad_phase);
    if (code != 0) {
        fprintf(stderr, "an instance in use at the fork: fault %d in the child\n", code);
    }
    return code != 0;
}

int main(void) {
    for (int object = 0; object < OBJECTS; object++) {
        for (int axis = 0; axis < 3; axis++) {
            boxes[object].min[axis] = next_place();
            boxes[object].max[axis] = boxes[object].min[axis] + 1;
        }
    }
    int faults = 0;
    long limited[LIMITS + 1];
    for (long limit = 1; limit <= LIMITS; limit++) {
        limited[limit] = limited_count(limit);
    }
    const long expected = count(create("auto"), OBJECTS);
    for (long limit = 1; limit <= LIMITS; limit++) {
#ifdef __linux__
        faults += expected <= 0 || limited[limit] != expected;
#endif
    }
    faults += algorithm_faults("auto", 500);
    faults += algorithm_faults("auto", OBJECTS);
    faults += algorithm_faults("sweep-grid", OBJECTS);
    faults += algorithm_faults("brute-force", OBJECTS / 3);
    faults += in_use_faults();
    if (faults == 0) {
        printf("same pairs\n");
    }
    return faults != 0;
}
