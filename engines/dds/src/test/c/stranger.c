/* Writes what nobody expects on topic "tickmark": program DOMAIN COUNT, built with STRANGER_DESCRIPTOR and STRANGER_TYPE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/dds.h"
#include STRANGER_HEADER

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    dds_entity_t participant = dds_create_participant(atoi(argv[1]), NULL, NULL);
    dds_entity_t topic = dds_create_topic(participant, &STRANGER_DESCRIPTOR, "tickmark", NULL, NULL);
    dds_entity_t writer = dds_create_writer(participant, topic, NULL, NULL);
    if (participant < 0 || topic < 0 || writer < 0) return 3;
    STRANGER_TYPE message;
    memset(&message, 0xff, sizeof message);
    for (int i = 0; i < atoi(argv[2]); i++) {
        dds_write(writer, &message);
        if (i == 0) fputs("writes\n", stderr);
        dds_sleepfor(DDS_MSECS(5));
    }
    dds_delete(participant);
    return 0;
}
