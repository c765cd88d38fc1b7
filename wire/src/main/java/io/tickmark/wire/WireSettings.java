package io.tickmark.wire;

import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.match.FixRules;
import io.tickmark.wire.net.IpDecoder.DuplicateRule;
import java.time.Duration;
import java.util.List;

/**
 * How a capture is read.
 *
 * @param inPort to which FIX messages go in
 * @param outPort from which their copies come out
 * @param skip copies that are not recorded first
 * @param types of FIX messages that count
 * @param idTags that identify a FIX message
 * @param idMask how the identity of messages that count begins
 * @param decode which messages are looked for
 * @param duplicates what is done about packets seen twice
 * @param matchWindow how long a copy may come after its message
 * @param holeTimeout how long missing bytes of a connection are waited for
 * @param maxUnmatchedPercent copies whose message, measured messages, and packets and copies that
 *     may be missing
 * @param maxUncopiedPercent messages that may have no copy or echo
 * @param maxMessageBytes longest FIX message
 */
public record WireSettings(
        @Setting(
                        help = "Port of the gateway to which FIX messages go in.",
                        byDefault = "3000",
                        min = 1,
                        max = 65535)
                int inPort,
        @Setting(
                        help =
                                "Port of the gateway from which their copies come out; may be the same.",
                        byDefault = "3001",
                        min = 1,
                        max = 65535)
                int outPort,
        @Setting(
                        help = "Histogram records (copies) to leave out at the beginning.",
                        byDefault = "1000",
                        min = 0)
                long skip,
        @Setting(
                        help =
                                "Types of FIX messages that count (35=), such as W (default: all application messages).",
                        label = "TYPE,...")
                List<String> types,
        @Setting(
                        help =
                                "Tags that identify a FIX message, all of them together; where one is absent, the body"
                                        + " identifies it.",
                        byDefault = "9703",
                        min = 1,
                        max = 999_999,
                        label = "TAG,...")
                List<Integer> idTags,
        @Setting(
                        help =
                                "How the value of the first of these tags begins in messages that count, ? for any character.",
                        label = "MASK")
                String idMask,
        @Setting(
                        help =
                                "Messages to look for: auto takes FIX on those ports and stamped messages of tickmark elsewhere.",
                        byDefault = "auto")
                Decode decode,
        @Setting(
                        help =
                                "Packets seen twice: auto removes them from captures on all devices (Linux cooked).",
                        byDefault = "auto")
                DuplicateRule duplicates,
        @Setting(
                        help = "How long after its message a copy may arrive.",
                        byDefault = "60s",
                        min = 1e6,
                        max = 3600e9)
                Duration matchWindow,
        @Setting(
                        help =
                                "How long to wait for bytes that the capture lacks, where the other direction of"
                                        + " their connection is not captured.",
                        byDefault = "1s",
                        min = 1e6,
                        max = 3600e9)
                Duration holeTimeout,
        @Setting(
                        help =
                                "Largest percentage of copies whose message was not seen, of messages that the application"
                                        + " measured and the capture lacks, of stamped messages whose step was"
                                        + " over, and of packets and copies that the capture lost; with more,"
                                        + " the result has failed (with --capture it warns).",
                        byDefault = "1",
                        unit = "%",
                        min = 0,
                        max = 100)
                double maxUnmatchedPercent,
        @Setting(
                        help =
                                "Largest percentage of messages of which no copy, or no echo, was seen; with more, the result has"
                                        + " failed (with --capture it warns). 100 for a gateway that passes on only"
                                        + " some of them.",
                        byDefault = "1",
                        unit = "%",
                        min = 0,
                        max = 100)
                double maxUncopiedPercent,
        @Setting(
                        help = "Longest FIX message.",
                        byDefault = "65536",
                        unit = "bytes",
                        min = 64,
                        max = 1 << 24)
                int maxMessageBytes) {
    /** Checks what the bounds do not. */
    public WireSettings {
        types = List.copyOf(types);
        idTags = List.copyOf(idTags);
        types.stream()
                .filter(type -> !type.matches("[!-~]{1,7}"))
                .findFirst()
                .ifPresent(type -> {
                    throw UserError.usage(
                            "--types: '%s' is not a message type; name some like W or 8."
                                    .formatted(type));
                });
    }

    /**
     * The same with other ports.
     *
     * @param newInPort to which messages go in
     * @param newOutPort from which copies come out
     * @return settings
     */
    public WireSettings withPorts(final int newInPort, final int newOutPort) {
        return new WireSettings(
                newInPort,
                newOutPort,
                skip,
                types,
                idTags,
                idMask,
                decode,
                duplicates,
                matchWindow,
                holeTimeout,
                maxUnmatchedPercent,
                maxUncopiedPercent,
                maxMessageBytes);
    }

    FixRules rules() {
        return new FixRules(
                inPort,
                outPort,
                types,
                new FixRules.Identity(idTags, idMask),
                skip,
                matchWindow.toNanos(),
                maxMessageBytes);
    }

    /** Which messages are looked for in a capture. */
    public enum Decode {
        /** FIX on the gateway's ports, stamped messages of this bench everywhere else. */
        AUTO,
        /** FIX only. */
        FIX,
        /** Stamped messages of this bench only. */
        STAMPED
    }
}
