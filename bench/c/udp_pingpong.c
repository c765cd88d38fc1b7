/*
 * Round trips of UDP datagrams over loopback, both sides spinning on a connected socket: the floor
 * under any ping-pong over UDP on this machine. One clock read before and one after each trip.
 *
 *   udp_pingpong server PORT [CPU]
 *   udp_pingpong client PORT SIZE COUNT [CPU]
 *
 * The client's last datagram has one byte and ends the server.
 */
#include "floor.h"

#define END_BYTES 1
#define MAX_BYTES 65507
#define LOST_AFTER_NS 1000000000LL

static char bytes[65536];

/* Spins until a datagram is there; its length, or -1 when the deadline has passed. */
static ssize_t receive(int fd, int64_t deadline_ns) {
    for (unsigned spins = 1;; spins++) {
        ssize_t length = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (length >= 0) return length;
        /* Refused: the other side is not up yet, which the next ping finds out. */
        if (errno != EAGAIN && errno != ECONNREFUSED) die("recv");
        /* The clock is read rarely, so that it does not delay the receive that succeeds. */
        if (spins % 1024 == 0 && now_ns() > deadline_ns) return -1;
    }
}

static int serve(int port) {
    struct sockaddr_in own = loopback(port), peer;
    socklen_t length = sizeof peer;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct timeval patience = {PATIENCE_NS / 1000000000LL, 0};
    if (fd < 0 || bind(fd, (struct sockaddr *)&own, sizeof own)) die("bind");
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience)) die("SO_RCVTIMEO");
    ssize_t first = recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&peer, &length);
    if (first < 0) die("no client came");
    if (connect(fd, (struct sockaddr *)&peer, length)) die("connect");
    if (send(fd, bytes, (size_t)first, 0) < 0) die("send");
    for (;;) {
        ssize_t got = receive(fd, now_ns() + PATIENCE_NS);
        if (got < 0) {
            fprintf(stderr, "the client fell silent\n");
            return 1;
        }
        if (got == END_BYTES) return 0;
        if (send(fd, bytes, (size_t)got, MSG_DONTWAIT) < 0 && errno != ECONNREFUSED) die("send");
    }
}

/* One round trip; false if the answer did not come. Answers to earlier pings are passed over. */
static int ping(int fd, size_t size, uint64_t sequence) {
    memcpy(bytes, &sequence, sizeof sequence);
    if (send(fd, bytes, size, MSG_DONTWAIT) < 0 && errno != ECONNREFUSED) die("send");
    int64_t deadline_ns = 0;
    for (;;) {
        uint64_t answered;
        if (deadline_ns == 0) deadline_ns = now_ns() + LOST_AFTER_NS;
        if (receive(fd, deadline_ns) < 0) return 0;
        memcpy(&answered, bytes, sizeof answered);
        if (answered == sequence) return 1;
    }
}

static int run_client(int port, size_t size, long count) {
    struct sockaddr_in server = loopback(port);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    int64_t *samples = malloc((size_t)count * sizeof *samples);
    int64_t start_ns = now_ns();
    uint64_t sequence = 0;
    long taken = 0, lost = 0;
    if (fd < 0 || connect(fd, (struct sockaddr *)&server, sizeof server)) die("connect");
    if (!samples) die("malloc");
    while (!ping(fd, size, sequence++)) {
        if (now_ns() - start_ns > PATIENCE_NS) {
            fprintf(stderr, "no server answers at port %d\n", port);
            return 3;
        }
    }
    for (long i = 0; i < count / 10; i++) ping(fd, size, sequence++); /* warm-up */
    for (long i = 0; i < count; i++) {
        int64_t sent_ns = now_ns();
        if (ping(fd, size, sequence++))
            samples[taken++] = now_ns() - sent_ns;
        else if (++lost > 20)
            break; /* the server is gone */
    }
    for (int i = 0; i < 3; i++) {
        /* Refused once the server has ended, as it should. */
        if (send(fd, bytes, END_BYTES, 0) < 0) break;
    }
    printf("tool=udp_pingpong size=%zu lost=%ld ", size, lost);
    print_samples(samples, taken);
    free(samples);
    return lost > 20 ? 1 : 0;
}

int main(int argc, char **argv) {
    if ((argc == 3 || argc == 4) && !strcmp(argv[1], "server")) {
        pin(argc == 4 ? (int)number(argv[3], "CPU", -1, CPU_SETSIZE - 1) : -1);
        return serve((int)number(argv[2], "PORT", 1, 65535));
    }
    if ((argc == 5 || argc == 6) && !strcmp(argv[1], "client")) {
        pin(argc == 6 ? (int)number(argv[5], "CPU", -1, CPU_SETSIZE - 1) : -1);
        return run_client((int)number(argv[2], "PORT", 1, 65535),
                          (size_t)number(argv[3], "SIZE", 8, MAX_BYTES),
                          number(argv[4], "COUNT", 1, 100000000));
    }
    fprintf(stderr, "usage: %s server PORT [CPU] | client PORT SIZE COUNT [CPU]\n", argv[0]);
    return 2;
}
