package io.tickmark.engines.dds;

import java.util.Optional;

/** The transport of samples between processes. */
enum Carrier {
    UDP("udp", "1"),
    SHARED_MEMORY("shm", "2"),
    UDP6("udp6", "8");

    private final String word;
    private final String number;

    Carrier(final String word, final String number) {
        this.word = word;
        this.number = number;
    }

    String word() {
        return word;
    }

    /** By our name, or by the number that DDS latency tests use. */
    static Optional<Carrier> of(final String text) {
        for (final Carrier carrier : values()) {
            if (carrier.word.equals(text) || carrier.number.equals(text)) {
                return Optional.of(carrier);
            }
        }
        return Optional.empty();
    }
}
