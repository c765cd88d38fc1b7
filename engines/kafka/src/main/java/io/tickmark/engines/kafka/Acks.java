package io.tickmark.engines.kafka;

/** Who acknowledges a message ({@code acks} of Kafka's producer). */
enum Acks {
    /** Nobody: it counts as sent when it is in the socket. */
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
