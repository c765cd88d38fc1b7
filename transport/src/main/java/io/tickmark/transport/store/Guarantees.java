package io.tickmark.transport.store;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.transport.PlainMessages;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a store guarantees with the parameters of a channel, in terms that are the same for all
 * engines, so that several can be compared and a ratio between them is meaningful.
 *
 * @param durability class of a message that is stable
 * @param members processes that keep it
 * @param quorum how many of them must have it before it is stable
 * @param acknowledged what makes it stable, and which component confirms it; a few words
 * @param synced when it is forced to disk; a few words
 * @param batching how messages are batched in transit; a few words, {@code none} for none
 * @param compression of stored messages; {@code none} for none
 * @param deletion when messages are deleted
 */
public record Guarantees(
        Durability durability,
        int members,
        int quorum,
        String acknowledged,
        String synced,
        String batching,
        String compression,
        Deletion deletion) {
    /**
     * The same for messages of tests without a store, where the engine keeps those as well.
     *
     * @param slowReceiver what happens to messages that a receiver is too slow for
     * @return the terms
     */
    public PlainMessages plain(final String slowReceiver) {
        return new PlainMessages(
                durability.words(), acknowledged, synced, batching, compression, slowReceiver);
    }

    /**
     * As figures of a result.
     *
     * @return by name, in the order to show
     */
    public Map<String, Object> facts() {
        final Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("durability", durability.words());
        facts.put("members", members);
        facts.put("quorum", quorum);
        facts.put("acknowledgedBy", acknowledged);
        facts.put("synced", synced);
        facts.put("batching", batching);
        facts.put("compression", compression);
        facts.put(RoleSummary.DELETION, deletion.name().toLowerCase(Locale.ROOT));
        return facts;
    }

    /**
     * As figures of a result.
     *
     * @param areKnown false where the server was not started here and does not report its settings
     * @return {@link #facts()} or {@link #claimedFacts()}
     */
    public Map<String, Object> facts(final boolean areKnown) {
        return areKnown ? facts() : claimedFacts();
    }

    /**
     * The same where the class rests only on what the channel says: a server that was not started
     * here may be configured differently, and did not report it.
     *
     * @return figures whose {@code durability} is claimed
     */
    public Map<String, Object> claimedFacts() {
        final Map<String, Object> facts = facts();
        facts.put("durability", durability.words() + ", claimed");
        return facts;
    }
}
