/* A DDS program of somebody else: program DOMAIN reliable|best-effort echo|write [COUNT]. It ends after 60 s at the latest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/dds.h"
#include "Message.h"

static dds_entity_t checked(dds_entity_t entity, const char *what) {
    if (entity < 0) {
        fprintf(stderr, "%s: %s\n", what, dds_strretcode(entity));
        exit(3);
    }
    return entity;
}

static void echo(dds_entity_t reader, dds_entity_t writer) {
    dds_time_t end = dds_time() + DDS_SECS(60);
    while (dds_time() < end) {
        void *samples[1] = {NULL};
        dds_sample_info_t info;
        int taken = dds_take(reader, samples, &info, 1, 1);
        if (taken > 0) {
            if (info.valid_data) checked(dds_write(writer, samples[0]), "write");
            dds_return_loan(reader, samples, taken);
        } else {
            dds_sleepfor(DDS_MSECS(1));
        }
    }
}

static void write_many(dds_entity_t writer, int count) {
    dds_publication_matched_status_t matched = {0};
    dds_time_t end = dds_time() + DDS_SECS(60);
    while (matched.current_count == 0 && dds_time() < end) {
        dds_sleepfor(DDS_MSECS(10));
        dds_get_publication_matched_status(writer, &matched);
    }
    unsigned char bytes[64];
    for (int i = 0; i < count; i++) {
        tickmark_Message message;
        memset(&message, 0, sizeof message);
        memset(bytes, i, sizeof bytes);
        message.data._maximum = message.data._length = sizeof bytes;
        message.data._buffer = bytes;
        checked(dds_write(writer, &message), "write");
        dds_sleepfor(DDS_MSECS(1));
    }
    dds_sleepfor(DDS_SECS(2));
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    dds_entity_t participant = checked(dds_create_participant(atoi(argv[1]), NULL, NULL), "participant");
    dds_qos_t *qos = dds_create_qos();
    int reliable = !strcmp(argv[2], "reliable");
    dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(1));
    dds_qset_history(qos, reliable ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST, 1000);
    dds_entity_t forward = checked(dds_create_topic(participant, &tickmark_Message_desc, "tickmark", NULL, NULL), "topic");
    dds_entity_t reply = checked(dds_create_topic(participant, &tickmark_Message_desc, "tickmark_reply", NULL, NULL), "topic");
    if (!strcmp(argv[3], "echo")) {
        dds_entity_t writer = checked(dds_create_writer(participant, reply, qos, NULL), "writer");
        echo(checked(dds_create_reader(participant, forward, qos, NULL), "reader"), writer);
    } else {
        write_many(checked(dds_create_writer(participant, forward, qos, NULL), "writer"), atoi(argv[4]));
    }
    dds_delete_qos(qos);
    dds_delete(participant);
    return 0;
}
