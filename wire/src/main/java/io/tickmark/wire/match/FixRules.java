package io.tickmark.wire.match;

import java.util.List;

/**
 * What FIX messages are looked for, and how they are known again.
 *
 * @param inPort to which messages go in
 * @param outPort from which copies come out
 * @param types of messages that count (35=), empty for all of the application
 * @param identity how messages are known again
 * @param skip so many copies are not recorded first
 * @param matchWindowNs how long a copy may come after its message
 * @param maxMessageBytes longest message
 */
public record FixRules(
        int inPort,
        int outPort,
        List<String> types,
        Identity identity,
        long skip,
        long matchWindowNs,
        int maxMessageBytes) {
    /**
     * How messages are known again.
     *
     * @param tags that identify a message together, empty for the body
     * @param mask how the value of the first tag begins in messages that count, {@code ?} for any
     *     character; empty for all
     */
    public record Identity(List<Integer> tags, String mask) {
        /** Copies the list. */
        public Identity {
            tags = List.copyOf(tags);
        }
    }

    /** Copies the list. */
    public FixRules {
        types = List.copyOf(types);
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

    /** The direction of a stream, null for a stream of other ports. */
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
