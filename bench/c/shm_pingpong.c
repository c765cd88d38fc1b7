/*
 * Round trips between two processes over two cache lines of shared memory, both sides spinning:
 * the floor under any ping-pong over shared memory on this machine.
 *
 *   shm_pingpong COUNT [CPU_PING CPU_PONG]
 */
#include "floor.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define CACHE_LINE 64

/* Two lines apart, because the prefetcher of some processors takes lines in pairs. */
struct lines {
    _Alignas(2 * CACHE_LINE) _Atomic int64_t ping;
    _Alignas(2 * CACHE_LINE) _Atomic int64_t pong;
};

/* Spins until the line holds the value; false when the other side is too slow to be alive. */
static int wait_for(_Atomic int64_t *line, int64_t value) {
    for (unsigned spins = 1; atomic_load_explicit(line, memory_order_acquire) != value; spins++) {
        if (spins % (1u << 16) == 0) {
            /* Rarely enough not to matter; two processes on one core need it to get on at all. */
            static int64_t since_ns;
            static int64_t since_value = -1;
            if (since_value != value) {
                since_value = value;
                since_ns = now_ns();
            }
            if (now_ns() - since_ns > PATIENCE_NS) return 0;
            sched_yield();
        }
    }
    return 1;
}

static int pong(struct lines *shared, int64_t last) {
    for (int64_t i = 1; i <= last; i++) {
        if (!wait_for(&shared->ping, i)) return 1;
        atomic_store_explicit(&shared->pong, i, memory_order_release);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: %s COUNT [CPU_PING CPU_PONG]\n", argv[0]);
        return 2;
    }
    long count = number(argv[1], "COUNT", 1, 100000000), warm_up = count / 10, taken = 0;
    int ping_cpu = argc == 4 ? (int)number(argv[2], "CPU_PING", -1, CPU_SETSIZE - 1) : -1;
    int pong_cpu = argc == 4 ? (int)number(argv[3], "CPU_PONG", -1, CPU_SETSIZE - 1) : -1;
    struct lines *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int64_t *samples = malloc((size_t)count * sizeof *samples);
    if (shared == MAP_FAILED || !samples) die("memory");
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* never outlives its parent */
        pin(pong_cpu);
        _exit(pong(shared, warm_up + count));
    }
    pin(ping_cpu);
    for (int64_t i = 1; i <= warm_up + count; i++) {
        int64_t sent_ns = now_ns();
        atomic_store_explicit(&shared->ping, i, memory_order_release);
        if (!wait_for(&shared->pong, i)) break;
        if (i > warm_up) samples[taken++] = now_ns() - sent_ns;
    }
    if (taken < count) kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("tool=shm_pingpong ");
    print_samples(samples, taken);
    return taken < count ? 1 : 0;
}
