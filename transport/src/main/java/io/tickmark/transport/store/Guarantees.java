package io.tickmark.transport.store;

import io.tickmark.kernel.result.TrialResult.RoleSummary;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a store promises with the parameters of a channel, in words that are the same for all
 * engines, so that several stand side by side and a ratio between them means something.
 *
 * @param durability class of a message that is stable
 * @param members processes that keep it
 * @param quorum how many of them must have it before it is stable
 * @param acknowledged what makes it stable, and who says so; a few words
 * @param synced when it is forced to disk; a few words
 * @param batching how messages are put together on their way; a few words, {@code none} for none
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
     * The same where the class rests on what the channel says alone: a server that was not started
     * here may be set otherwise, and did not say.
     *
     * @return figures whose {@code durability} is claimed
     */
    public Map<String, Object> claimedFacts() {
        final Map<String, Object> facts = facts();
        facts.put("durability", durability.words() + ", claimed");
        return facts;
    }
}
