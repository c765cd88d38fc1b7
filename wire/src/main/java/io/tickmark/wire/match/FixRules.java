package io.tickmark.wire.match;

import java.util.List;

/**
 * What FIX messages are looked for, and how they are known again.
 *
 * @param inPort to which messages go in
 * @param outPort from which copies come out
 * @param types of messages that count (35=), empty for all of the application
 * @param idTags that identify a message together, empty for the body
 * @param skip so many copies are not recorded first
 * @param matchWindowNs how long a copy may come after its message
 * @param maxMessageBytes longest message
 */
public record FixRules(
        int inPort,
        int outPort,
        List<String> types,
        List<Integer> idTags,
        long skip,
        long matchWindowNs,
        int maxMessageBytes) {
    /** Copies the lists. */
    public FixRules {
        types = List.copyOf(types);
        idTags = List.copyOf(idTags);
    }

    /**
     * Whether a stream is the gateway's.
     *
     * @param sourcePort it comes from
     * @param destinationPort it goes to
     * @return true if one of them is a port of the gateway
     */
    public boolean concerns(final int sourcePort, final int destinationPort) {
        return side(sourcePort, destinationPort) != null;
    }

    /** Which way a stream goes, null for a stream of other ports. */
    FixSide side(final int sourcePort, final int destinationPort) {
        if (destinationPort == inPort) {
            return FixSide.IN;
        }
        if (sourcePort == outPort) {
            return FixSide.OUT;
        }
        if (sourcePort == inPort) {
            return FixSide.BACK;
        }
        return destinationPort == outPort ? FixSide.REQUEST : null;
    }
}
