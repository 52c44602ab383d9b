/* Writes the boxes of moving objects as a trace that `harness` reads. C99, no libraries.
 *
 *     cc -o trace_writer trace_writer.c -lm && ./trace_writer falling.bpt
 *
 * The three trace_ functions are all that another engine needs; main is an example of their use.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* min x, y, z, max x, y, z */
typedef struct { float v[6]; } Box;

/* The box of an object that is absent in a frame. Its index is not reused. */
static const Box ABSENT = {{INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY}};

typedef struct {
    FILE *file;
    uint32_t objects, frames;
    float dt;
} Trace;

/* 32 bits, little-endian whatever the machine. */
static bool put_u32(FILE *file, uint32_t value) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (8 * i));
    return fwrite(bytes, 1, 4, file) == 4;
}

static bool put_f32(FILE *file, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_u32(file, bits);
}

static bool put_header(const Trace *t) {
    return fwrite("BPTRACE1", 1, 8, t->file) == 8 && put_u32(t->file, t->objects) &&
           put_u32(t->file, t->frames) && put_f32(t->file, t->dt) && put_u32(t->file, 0);
}

/* Begins a trace of `objects` boxes a frame, dt seconds from frame to frame. */
static bool trace_open(Trace *t, const char *path, uint32_t objects, float dt) {
    *t = (Trace){.file = fopen(path, "wb"), .objects = objects, .dt = dt};
    return t->file && put_header(t);
}

/* Appends a frame: a box for each object, index = object. */
static bool trace_frame(Trace *t, const Box *boxes) {
    for (uint32_t object = 0; object < t->objects; object++)
        for (int i = 0; i < 6; i++)
            if (!put_f32(t->file, boxes[object].v[i])) return false;
    t->frames++;
    return true;
}

/* Completes the header, now that the number of frames is known. */
static bool trace_close(Trace *t) {
    bool ok = fseek(t->file, 0, SEEK_SET) == 0 && put_header(t);
    return fclose(t->file) == 0 && ok;
}

/* Three unit boxes: one rests, one falls onto it, one is present for a while. */
int main(int argc, char **argv) {
    const float dt = 1.0f / 60.0f;
    Trace trace;
    bool ok = argc == 2 && trace_open(&trace, argv[1], 3, dt);
    for (int frame = 0; ok && frame < 60; frame++) {
        float t = (float)frame * dt, bottom = fmaxf(1.0f, 3.0f - 4.9f * t * t);
        Box boxes[3] = {
            {{0, 0, 0, 1, 1, 1}},
            {{0.5f, 0, bottom, 1.5f, 1, bottom + 1}},
            {{0.9f, 0, 0, 1.9f, 1, 1}},
        };
        if (frame < 20 || frame >= 40) boxes[2] = ABSENT;
        ok = trace_frame(&trace, boxes);
    }
    if (!ok || !trace_close(&trace)) {
        fprintf(stderr, "usage: %s OUT.bpt, in a folder that can be written\n", argv[0]);
        return 1;
    }
    return 0;
}
