/* What the floors share: clock, pinning, percentiles, arguments. Linux, C11. */
#ifndef TICKMARK_FLOOR_H
#define TICKMARK_FLOOR_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Nothing here waits longer than this for the other side, so that nothing spins for ever. */
#define PATIENCE_NS 5000000000LL

static inline int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void die(const char *what) {
    perror(what);
    exit(3);
}

/* A whole number between two bounds, or the end with exit code 2. */
static inline long number(const char *text, const char *name, long min, long max) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || end == text || value < min || value > max) {
        fprintf(stderr, "%s: '%s' is not a number from %ld to %ld\n", name, text, min, max);
        exit(2);
    }
    return value;
}

/* Pins the process to a core; -1 leaves it where the scheduler likes. */
static inline void pin(int cpu) {
    cpu_set_t set;
    if (cpu < 0) return;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set)) die("core");
}

static inline struct sockaddr_in loopback(int port) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons((uint16_t)port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Prints count, min, p50, p99, p99.9 and max of the samples; sorts them. */
static inline void print_samples(int64_t *ns, long count) {
    if (count == 0) {
        printf("count=0\n");
        return;
    }
    qsort(ns, (size_t)count, sizeof *ns, ascending);
    printf("count=%ld min_ns=%lld p50_ns=%lld p99_ns=%lld p999_ns=%lld max_ns=%lld\n", count,
           (long long)ns[0], (long long)ns[count / 2], (long long)ns[count - 1 - count / 100],
           (long long)ns[count - 1 - count / 1000], (long long)ns[count - 1]);
}

#endif
