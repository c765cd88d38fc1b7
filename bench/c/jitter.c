/*
 * What a core takes from a loop that does nothing but read the clock: the floor under our jitter
 * test, without a JVM whose threads want the core as well.
 *
 *   jitter SECONDS [CPU]
 */
#include "floor.h"

#define WARM_UP_NS 100000000LL

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: %s SECONDS [CPU]\n", argv[0]);
        return 2;
    }
    double seconds = (double)number(argv[1], "SECONDS", 1, 3600);
    pin(argc == 3 ? (int)number(argv[2], "CPU", -1, CPU_SETSIZE - 1) : -1);
    int64_t last = now_ns();
    for (int64_t end = last + WARM_UP_NS; last < end;) last = now_ns();
    int64_t longest = 0;
    long passes = 0, from_10us = 0, from_100us = 0;
    for (int64_t end = last + (int64_t)(seconds * 1e9); last < end;) {
        int64_t now = now_ns(), pass = now - last;
        last = now;
        passes++;
        if (pass > longest) longest = pass;
        if (pass >= 10000) {
            from_10us++;
            if (pass >= 100000) from_100us++;
        }
    }
    printf("tool=jitter passes=%ld max_ns=%lld gaps_10us=%.3f gaps_100us=%.3f\n", passes,
           (long long)longest, (double)from_10us / seconds, (double)from_100us / seconds);
    return 0;
}
