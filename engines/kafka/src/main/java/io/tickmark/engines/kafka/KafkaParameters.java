package io.tickmark.engines.kafka;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.transport.broker.BrokerSettings;
import io.tickmark.transport.store.Deletion;
import java.time.Duration;
import java.util.Locale;

/** Parameters of a Kafka channel: brokers, producer, stored part. */
record KafkaParameters(
        BrokerSettings broker,
        @Setting(help = "Who acknowledges a message (Kafka's acks).", byDefault = "all") Acks acks,
        @Setting(
                        help =
                                "Whether a batch that is sent again is stored once (enable.idempotence); needs"
                                        + " acks=all.",
                        byDefault = "true")
                boolean idempotence,
        @Setting(
                        help = "How long a batch waits to be filled (linger.ms).",
                        byDefault = "0",
                        min = 0,
                        max = 60e9)
                Duration linger,
        @Setting(
                        help = "Largest batch (batch.size).",
                        byDefault = "16384",
                        unit = "bytes",
                        min = 0,
                        max = 1 << 26)
                int batchBytes,
        @Setting(help = "Compression of batches (compression.type).", byDefault = "none")
                Compression compression,
        @Setting(
                        help =
                                "Maximum bytes that may wait in the producer (buffer.memory); more is back-pressure.",
                        byDefault = "33554432",
                        unit = "bytes",
                        min = 65_536,
                        max = 1 << 30)
                int bufferBytes,
        @Setting(
                        help =
                                "Brokers that are started, as one cluster on this machine; each keeps every"
                                        + " message.",
                        byDefault = "1",
                        min = 1,
                        max = 5)
                int members,
        @Setting(
                        help =
                                "Messages after which a broker syncs its file before it acknowledges"
                                        + " (flush.messages); 0 leaves it to the system.",
                        byDefault = "0",
                        min = 0,
                        max = 1 << 30)
                int flushMessages,
        @Setting(
                        help =
                                "Store: when messages are deleted; acknowledged ones by Kafka's deleteRecords.",
                        byDefault = "kept")
                Deletion deletion,
        @Setting(
                        help = "Heap of each broker that is started.",
                        byDefault = "512",
                        unit = "MiB",
                        min = 128,
                        max = 65_536)
                int brokerHeapMib) {
    /** Of a batch with one message: headers of both, and headroom. */
    private static final int BATCH_OVERHEAD_BYTES = 4096;

    /** The largest batch that holds a single message. */
    int mostBatchBytes() {
        return broker.maxPayloadBytes() + BATCH_OVERHEAD_BYTES;
    }

    /** How many brokers have to have a message when all in sync acknowledge it. */
    int quorum() {
        return members / 2 + 1;
    }

    /** Whether what is acknowledged is at several brokers, and not lost with the leader. */
    boolean outlivesLeader() {
        return acks == Acks.ALL && members > 1;
    }

    /** Kafka's producer resends batches without storing them twice only where all acknowledge. */
    boolean isIdempotent() {
        return idempotence && acks == Acks.ALL;
    }

    /** Which brokers acknowledge a message ({@code acks} of Kafka's producer). */
    enum Acks {
        /** None: it counts as sent when it is in the socket. */
        NONE("0"),
        /** The leader, once it has written it. */
        LEADER("1"),
        /** The leader, once all in-sync replicas have it. */
        ALL("all");

        private final String word;

        Acks(final String word) {
            this.word = word;
        }

        /** As Kafka spells it. */
        String word() {
            return word;
        }
    }

    /** How the producer compresses batches. */
    enum Compression {
        /** Not at all. */
        NONE,
        /** By gzip. */
        GZIP,
        /** By Snappy. */
        SNAPPY,
        /** By LZ4. */
        LZ4,
        /** By Zstandard. */
        ZSTD;

        /** As Kafka spells it. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
