package io.tickmark.transport.broker;

import io.tickmark.transport.EngineErrors;
import java.util.Optional;

/**
 * What a subscription makes of the messages that a stored topic delivers: each is passed on once
 * and in order, and those that are left out are reported. One thread takes messages; any thread
 * reports.
 */
public final class StoredIntake {
    private final String store;
    private final EngineErrors troubles;
    private long wanted;
    private long ordinal = -1;

    /**
     * Nothing has been passed on yet.
     *
     * @param store what holds the topic at the server, one word such as <i>queue</i>
     * @param fromOrdinal first message that is passed on
     */
    public StoredIntake(final String store, final long fromOrdinal) {
        this.store = store;
        troubles =
                new EngineErrors(
                        "Reading the " + store + " met a problem: %s.",
                        "Reading the " + store + " met %d problems, the first: %s.");
        wanted = fromOrdinal;
    }

    /**
     * Judges the next message: it is left out where it is damaged, was not asked for, or was
     * delivered before.
     *
     * @param message as it was delivered
     * @return whether it is to be passed on
     */
    public boolean isNext(final StoredMessage<?> message) {
        if (!message.isWhole()) {
            foundDamaged("a message");
            return false;
        }
        if (message.ordinal() < wanted) {
            if (ordinal >= 0) {
                foundLate(message);
            }
            return false;
        }
        return true;
    }

    /**
     * A message is passed on.
     *
     * @param message that was judged to be next
     */
    public void passOn(final StoredMessage<?> message) {
        ordinal = message.ordinal();
        wanted = ordinal + 1;
    }

    /** {@return ordinal of the message that was passed on last; -1 for none} */
    public long ordinal() {
        return ordinal;
    }

    /**
     * Notes what the user should know of the store.
     *
     * @param what a clause without its full stop
     */
    public void found(final String what) {
        troubles.add(what);
    }

    /**
     * A message was left out because it is damaged, or somebody else's.
     *
     * @param which message, such as <i>a message at offset 7</i>
     */
    public void foundDamaged(final String which) {
        found(which + " that no test has written, or whose checksum is wrong; it is left out");
    }

    /**
     * A message was left out because one with a higher ordinal came before it.
     *
     * @param message that came too late
     */
    public void foundLate(final StoredMessage<?> message) {
        found(
                "message %d after message %d; it is left out, because another program writes to the %s"
                        .formatted(message.ordinal(), ordinal, store));
    }

    /** {@return what was found, a sentence; empty where nothing was} */
    public Optional<String> sentence() {
        return troubles.sentence();
    }
}
