package io.tickmark.engines.aeron.archive;

import io.tickmark.transport.store.Durability;
import io.tickmark.transport.store.Guarantees;

/** What recorded means, by the parameters. */
final class ArchiveGuarantees {
    private ArchiveGuarantees() {}

    static Guarantees of(final ArchiveParameters parameters) {
        final boolean synced = parameters.sync() > 0;
        final boolean several = parameters.members() > 1;
        return new Guarantees(
                durability(synced, 2 * parameters.needed() > parameters.members() && several),
                parameters.members(),
                parameters.needed(),
                several
                        ? "recorded by %d of %d archives, by their positions"
                                .formatted(parameters.needed(), parameters.members())
                        : "recorded, by the archive's position",
                switch (parameters.sync()) {
                    case 0 -> "never (page cache)";
                    case 1 -> "data of each block";
                    default -> "data and metadata of each block";
                },
                "blocks as they come, no waiting",
                "none",
                parameters.deletion());
    }

    /** One member alone may have a message that fewer than most of them must have. */
    private static Durability durability(final boolean synced, final boolean quorum) {
        if (quorum) {
            return synced ? Durability.D4 : Durability.D3;
        }
        return synced ? Durability.D2 : Durability.D1;
    }
}
