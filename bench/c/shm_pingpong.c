/*
 * Round trips of messages between two processes through shared memory, both sides spinning: the
 * floor under any ping-pong over shared memory on this machine. Each side copies the message into
 * a place of the other's, and the side that pings copies the answer out and checks its number.
 * Places are reused at once, so that no side ever touches memory that is not in a cache.
 *
 *   shm_pingpong COUNT SIZE [CPU_PING CPU_PONG]
 */
#include "floor.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define CACHE_LINE 64
#define MIN_BYTES 8
#define MAX_BYTES 4096

/* Two lines apart, because the prefetcher of some processors takes lines in pairs. */
struct place {
    _Alignas(2 * CACHE_LINE) _Atomic int64_t number;
    char message[MAX_BYTES];
};

struct places {
    struct place ping, pong;
};

/* Spins until the place has this number; false when the other side is too slow to be alive. */
static int wait_for(struct place *place, int64_t value) {
    for (unsigned spins = 1; atomic_load_explicit(&place->number, memory_order_acquire) != value; spins++) {
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

static void put(struct place *place, const char *message, size_t size, int64_t number) {
    memcpy(place->message, message, size);
    atomic_store_explicit(&place->number, number, memory_order_release);
}

static int pong(struct places *shared, size_t size, int64_t last) {
    for (int64_t i = 1; i <= last; i++) {
        if (!wait_for(&shared->ping, i)) return 1;
        put(&shared->pong, shared->ping.message, size, i);
    }
    return 0;
}

/* One round trip; false if no answer came, or not to this message. */
static int ping(struct places *shared, size_t size, int64_t number) {
    static char message[MAX_BYTES], answer[MAX_BYTES];
    int64_t answered;
    memcpy(message, &number, sizeof number);
    put(&shared->ping, message, size, number);
    if (!wait_for(&shared->pong, number)) return 0;
    memcpy(answer, shared->pong.message, size);
    memcpy(&answered, answer, sizeof answered);
    return answered == number;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: %s COUNT SIZE [CPU_PING CPU_PONG]\n", argv[0]);
        return 2;
    }
    long count = number(argv[1], "COUNT", 1, 100000000), warm_up = count / 10, taken = 0;
    size_t size = (size_t)number(argv[2], "SIZE", MIN_BYTES, MAX_BYTES);
    int ping_cpu = argc == 5 ? (int)number(argv[3], "CPU_PING", -1, CPU_SETSIZE - 1) : -1;
    int pong_cpu = argc == 5 ? (int)number(argv[4], "CPU_PONG", -1, CPU_SETSIZE - 1) : -1;
    struct places *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int64_t *samples = malloc((size_t)count * sizeof *samples);
    if (shared == MAP_FAILED || !samples) die("memory");
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* never outlives its parent */
        pin(pong_cpu);
        _exit(pong(shared, size, warm_up + count));
    }
    pin(ping_cpu);
    for (int64_t i = 1; i <= warm_up + count; i++) {
        int64_t sent_ns = now_ns();
        if (!ping(shared, size, i)) break;
        if (i > warm_up) samples[taken++] = now_ns() - sent_ns;
    }
    if (taken < count) kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("tool=shm_pingpong size=%zu ", size);
    print_samples(samples, taken);
    return taken < count ? 1 : 0;
}
