/*
 * A one-way stream of UDP datagrams over loopback, both sides spinning, each message by a send of
 * its own or in kernel batches (UDP_SEGMENT out, UDP_GRO in): what the kernel gives at most.
 *
 *   udp_stream receive PORT SIZE BATCH [CPU]
 *   udp_stream send    PORT SIZE BATCH SECONDS [CPU]
 *   udp_stream sendto  PORT SIZE BATCH SECONDS [CPU]
 *
 * 'send' connects its socket, and so hears from that receiver alone; 'sendto' names the receiver in
 * each call, as who serves several must: the kernel looks the way up each time.
 * BATCH 1 means plain. Each message carries its number and the time, read once for each send call;
 * the receiver looks at each: gaps in the numbers, and the delay by one clock read for each receive
 * call.
 * A datagram shorter than SIZE ends the receiver.
 */
#include "floor.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#define UDP_GRO 104
#endif
#define MAX_BYTES 65507
#define MAX_SEGMENTS 64
#define BUFFER_BYTES 4000000

static char bytes[65536];

static int open_socket(int buffer_option) {
    int fd = socket(AF_INET, SOCK_DGRAM, 0), wanted = BUFFER_BYTES;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, buffer_option, &wanted, sizeof wanted)) die("socket");
    return fd;
}

/* Each message begins with its number, so that the receiver knows what was sent. */
static void number_messages(uint64_t first, long batch, size_t size) {
    for (long i = 0; i < batch; i++) {
        uint64_t sequence = first + (uint64_t)i;
        memcpy(bytes + (size_t)i * size, &sequence, sizeof sequence);
    }
}

/* The time stands behind the number. */
static void stamp_messages(long batch, size_t size, int64_t sent_ns) {
    for (long i = 0; i < batch; i++)
        memcpy(bytes + (size_t)i * size + sizeof(uint64_t), &sent_ns, sizeof sent_ns);
}

/* What a receiver knows of the messages it looked at. */
struct seen {
    uint64_t next, gaps;
    int64_t delay_ns, longest_ns;
};

static void look_at_messages(struct seen *seen, size_t length, size_t size, int64_t at_ns) {
    for (size_t offset = 0; offset + size <= length; offset += size) {
        uint64_t sequence;
        int64_t sent_ns;
        memcpy(&sequence, bytes + offset, sizeof sequence);
        memcpy(&sent_ns, bytes + offset + sizeof sequence, sizeof sent_ns);
        seen->gaps += sequence != seen->next;
        seen->next = sequence + 1;
        seen->delay_ns += at_ns - sent_ns;
        if (at_ns - sent_ns > seen->longest_ns) seen->longest_ns = at_ns - sent_ns;
    }
}

static int run_sender(int port, size_t size, long batch, int named, double seconds) {
    struct sockaddr_in receiver = loopback(port);
    int fd = open_socket(SO_SNDBUF), segment = (int)size;
    uint64_t sent = 0;
    if (batch > 1 && setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof segment))
        die("UDP_SEGMENT");
    struct sockaddr *name = named ? (struct sockaddr *)&receiver : NULL;
    socklen_t name_length = named ? sizeof receiver : 0;
    if (!named && connect(fd, (struct sockaddr *)&receiver, sizeof receiver)) die("connect");
    int64_t start_ns = now_ns(), end_ns = start_ns + (int64_t)(seconds * 1e9), at_ns = start_ns;
    while (at_ns < end_ns) {
        number_messages(sent, batch, size);
        stamp_messages(batch, size, at_ns = now_ns());
        if (sendto(fd, bytes, size * (size_t)batch, MSG_DONTWAIT, name, name_length) >= 0)
            sent += (uint64_t)batch;
        else if (errno != EAGAIN && errno != ENOBUFS)
            die("send");
    }
    for (int i = 0; i < 20; i++) {
        /* The end may be dropped like any datagram: again, when the receiver has caught up. */
        usleep(20000);
        if (sendto(fd, bytes, 1, 0, name, name_length) < 0) break;
    }
    printf("tool=udp_stream side=send size=%zu batch=%ld sent=%llu msg_per_s=%.0f\n", size, batch,
           (unsigned long long)sent, (double)sent / ((double)(at_ns - start_ns) / 1e9));
    return 0;
}

static int run_receiver(int port, size_t size, long batch) {
    struct sockaddr_in own = loopback(port);
    int fd = open_socket(SO_RCVBUF), on = 1;
    uint64_t received = 0, highest = 0, calls = 0, sequence;
    int64_t first_ns = 0, last_ns = now_ns(), start_ns = last_ns;
    struct seen seen = {0};
    if (batch > 1 && setsockopt(fd, IPPROTO_UDP, UDP_GRO, &on, sizeof on)) die("UDP_GRO");
    if (bind(fd, (struct sockaddr *)&own, sizeof own)) die("bind");
    for (unsigned spins = 1;; spins++) {
        ssize_t length = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (length < 0) {
            if (errno != EAGAIN) die("recv");
            if (spins % 1024) continue;
            int64_t at_ns = now_ns(); /* patience counts from the start until something came */
            if (at_ns - (received ? last_ns : start_ns) > PATIENCE_NS) break;
            continue;
        }
        if ((size_t)length < size) break; /* the end */
        /* A batch has messages of one size, so the control message need not be looked at. */
        memcpy(&sequence, bytes + (size_t)length - size, sizeof sequence);
        highest = sequence > highest ? sequence : highest;
        received += (uint64_t)length / size;
        last_ns = now_ns();
        if (calls++ == 0) first_ns = last_ns;
        look_at_messages(&seen, (size_t)length, size, last_ns);
    }
    printf("tool=udp_stream side=receive size=%zu batch=%ld received=%llu lost=%llu "
           "msg_per_call=%.1f msg_per_s=%.0f gaps=%llu mean_ns=%.0f max_ns=%lld\n",
           size, batch, (unsigned long long)received,
           (unsigned long long)(received ? highest + 1 - received : 0),
           calls ? (double)received / (double)calls : 0.0,
           last_ns > first_ns && first_ns ? (double)received / ((double)(last_ns - first_ns) / 1e9) : 0.0,
           (unsigned long long)seen.gaps, received ? (double)seen.delay_ns / (double)received : 0.0,
           (long long)seen.longest_ns);
    return received ? 0 : 1;
}

int main(int argc, char **argv) {
    int named = argc > 1 && !strcmp(argv[1], "sendto");
    int sends = named || (argc > 1 && !strcmp(argv[1], "send")), arguments = sends ? 6 : 5;
    if ((argc != arguments && argc != arguments + 1) || (!sends && strcmp(argv[1], "receive"))) {
        fprintf(stderr, "usage: %s receive PORT SIZE BATCH [CPU] | "
                "send|sendto PORT SIZE BATCH SECONDS [CPU]\n", argv[0]);
        return 2;
    }
    int port = (int)number(argv[2], "PORT", 1, 65535);
    long batch = number(argv[4], "BATCH", 1, MAX_SEGMENTS);
    size_t size = (size_t)number(argv[3], "SIZE", 16, MAX_BYTES / batch);
    pin(argc > arguments ? (int)number(argv[arguments], "CPU", -1, CPU_SETSIZE - 1) : -1);
    return sends ? run_sender(port, size, batch, named, (double)number(argv[5], "SECONDS", 1, 600))
                 : run_receiver(port, size, batch);
}
