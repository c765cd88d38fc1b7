/*
 * Round trips over Cyclone DDS in C, as our engine makes them: the client's listener counts that
 * something came and its spinning thread takes it, the server writes back from its listener.
 *
 *   dds_pingpong server DOMAIN reliable|best-effort CORE
 *   dds_pingpong client DOMAIN reliable|best-effort SIZE COUNT CORE
 */
#include "floor.h"

#include <dds/dds.h>
#include <stdatomic.h>

#include "Message.h"

#define WARM_UP 20000
#define MAX_SIZE (1 << 20)

static dds_entity_t writer, reader;
static atomic_long arrivals;

static dds_entity_t checked(dds_entity_t entity, const char *what) {
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

/* Into memory of our own, so that nothing is allocated for a sample. */
static uint8_t bytes[MAX_SIZE];

static int take(dds_entity_t from, tickmark_Message *message) {
    void *samples[1] = {message};
    dds_sample_info_t info;
    message->data._buffer = bytes;
    message->data._maximum = MAX_SIZE;
    message->data._release = false;
    return dds_take(from, samples, &info, 1, 1) > 0 && info.valid_data;
}

static void echo(dds_entity_t from, void *arg) {
    tickmark_Message message;
    (void)arg;
    while (take(from, &message)) checked(dds_write(writer, &message), "write");
}

static void arrived(dds_entity_t from, void *arg) {
    (void)from;
    (void)arg;
    atomic_fetch_add_explicit(&arrivals, 1, memory_order_release);
}

static void open_both(const char *domain, const char *kind, int is_client) {
    dds_entity_t participant =
        checked(dds_create_participant((uint32_t)number(domain, "DOMAIN", 0, 232), NULL, NULL), "participant");
    int reliable = !strcmp(kind, "reliable");
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, 0);
    /* As ddsperf has it: one ping is outstanding, and a full history would block the echo. */
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
    dds_entity_t ping = checked(dds_create_topic(participant, &tickmark_Message_desc, "c_ping", NULL, NULL), "topic");
    dds_entity_t pong = checked(dds_create_topic(participant, &tickmark_Message_desc, "c_pong", NULL, NULL), "topic");
    dds_listener_t *listener = dds_create_listener(NULL);
    dds_lset_data_available(listener, is_client ? arrived : echo);
    writer = checked(dds_create_writer(participant, is_client ? ping : pong, qos, NULL), "writer");
    reader = checked(dds_create_reader(participant, is_client ? pong : ping, qos, listener), "reader");
    dds_delete_qos(qos);
    dds_delete_listener(listener);
}

static void await_match(void) {
    int64_t end = now_ns() + 4 * PATIENCE_NS;
    dds_publication_matched_status_t out = {0};
    dds_subscription_matched_status_t in = {0};
    while (out.current_count == 0 || in.current_count == 0) {
        if (now_ns() > end) {
            fprintf(stderr, "nobody came\n");
            exit(3);
        }
        usleep(10000);
        dds_get_publication_matched_status(writer, &out);
        dds_get_subscription_matched_status(reader, &in);
    }
    usleep(300000); /* the other side matches a moment later */
}

static int64_t round_trip(uint8_t *payload, long size) {
    tickmark_Message message = {.data = {(uint32_t)size, (uint32_t)size, payload, false}};
    long seen = atomic_load_explicit(&arrivals, memory_order_acquire);
    int64_t start = now_ns();
    checked(dds_write(writer, &message), "write");
    for (;;) {
        if (atomic_load_explicit(&arrivals, memory_order_acquire) != seen && take(reader, &message)) {
            return now_ns() - start;
        }
        if (now_ns() - start > PATIENCE_NS) {
            fprintf(stderr, "an echo was lost\n");
            exit(3);
        }
    }
}

int main(int argc, char **argv) {
    if (argc == 5 && !strcmp(argv[1], "server")) {
        pin((int)number(argv[4], "CORE", -1, 4095));
        open_both(argv[2], argv[3], 0);
        sleep(60);
        return 0;
    }
    if (argc != 7 || strcmp(argv[1], "client")) {
        fprintf(stderr, "usage: see the head of dds_pingpong.c\n");
        return 2;
    }
    long size = number(argv[4], "SIZE", 16, MAX_SIZE);
    long count = number(argv[5], "COUNT", 1, 100000000);
    pin((int)number(argv[6], "CORE", -1, 4095));
    open_both(argv[2], argv[3], 1);
    await_match();
    uint8_t *payload = calloc(1, (size_t)size);
    int64_t *ns = malloc((size_t)count * sizeof *ns);
    if (!payload || !ns) die("memory");
    for (long i = 0; i < WARM_UP; i++) round_trip(payload, size);
    for (long i = 0; i < count; i++) ns[i] = round_trip(payload, size);
    printf("tool=dds_pingpong size=%ld ", size);
    print_samples(ns, count);
    return 0;
}
