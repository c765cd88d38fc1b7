package io.tickmark.wire;

import io.tickmark.wire.file.Ending;
import io.tickmark.wire.match.ClockOffset;
import io.tickmark.wire.match.FixCounts;
import io.tickmark.wire.match.StampCounts;
import io.tickmark.wire.tcp.TcpCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a user should keep in mind about a capture, as sentences. */
final class WireWarnings {
    private static final long CLOCK_MOVED_NS = 1_000;

    private final List<String> sentences = new ArrayList<>();
    private final WireResult result;

    private WireWarnings(final WireResult result) {
        this.result = result;
    }

    static List<String> of(final WireResult result) {
        final WireWarnings warnings = new WireWarnings(result);
        warnings.file();
        warnings.capture();
        warnings.fix();
        warnings.stamps();
        warnings.sentences.addAll(result.warnings());
        return List.copyOf(warnings.sentences);
    }

    private void file() {
        if (result.ending().isEmpty()) {
            say("The reading was stopped after %d packets.", result.packets().packets());
        }
        result.ending()
                .filter(ending -> ending.kind() == Ending.Kind.CUT_OFF)
                .ifPresent(ending -> say("%s: %s", result.file(), ending.sentence()));
        if (result.packets().unknownLink() > 0) {
            say(
                    "%d packets have link type %d, which is not known here.",
                    result.packets().unknownLink(), result.packets().unknownLinkType());
        }
    }

    private void capture() {
        result.dropped().stream()
                .filter(count -> count > 0)
                .forEach(count ->
                        say(
                                "The capture lost %d packets: give it a larger buffer (--buffer-mib), or the machine less to do.",
                                count));
        if (result.packets().truncated() > 0) {
            say(
                    "%d packets are cut off: capture with snap length 0 (tcpdump -s 0), or messages in them are lost.",
                    result.packets().truncated());
        }
        final TcpCounts tcp = result.tcp().counts();
        if (tcp.holes() > 0) {
            say(
                    "The capture lacks %d bytes in %d places that were on the wire; messages in them are neither in nor out.",
                    tcp.holeBytes(), tcp.holes());
        }
    }

    private void fix() {
        if (result.fix().isEmpty() || result.fix().get().counts().in() == 0) {
            elsewhere();
        }
        if (result.fix().isEmpty()) {
            return;
        }
        final FixCounts counts = result.fix().get().counts();
        if (counts.outUnmatched() > 0) {
            say(
                    "%d copies came out of which no message was seen going in: they are counted and have no latency.",
                    counts.outUnmatched());
        }
        if (counts.ambiguous() > 0) {
            say(
                    "%d messages had the identity of one before; their copies were timed from the newest."
                            + " Name a tag that identifies them (--id-tags).",
                    counts.ambiguous());
        }
        if (counts.garbled() > 0) {
            say("%d pieces are garbled, the first %s.", counts.garbled(), counts.firstGarbled());
        }
        if (counts.matched() > 0 && counts.matched() <= result.settings().skip()) {
            say(
                    "All %d copies were left out as warm-up: name a smaller SKIP than %d.",
                    counts.matched(), result.settings().skip());
        }
        if (counts.ignored() > 0) {
            say(
                    "%d FIX messages were not measured, as stamped messages came first; say --decode fix.",
                    counts.ignored());
        }
    }

    private void elsewhere() {
        if (!result.fixPortsElsewhere().isEmpty()) {
            say(
                    "FIX was seen on port %s: name the gateway's ports with --in-port and --out-port.",
                    result.fixPortsElsewhere().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ")));
        }
    }

    private void stamps() {
        final StampCounts counts = result.stamps().counts();
        if (counts.ignored() > 0) {
            say(
                    "%d stamped messages were not measured, as FIX came first; say --decode stamped.",
                    counts.ignored());
        }
        if (counts.unproven() > 0) {
            say(
                    "%d messages of less than 32 bytes look stamped, which nothing proves;"
                            + " if they are, say --decode stamped to have them measured.",
                    counts.unproven());
        }
        if (counts.messages() == 0) {
            return;
        }
        if (result.context().offset().isEmpty()) {
            say(
                    "How the clock of the capture stands to that of the stamps is not known, so nothing is said of"
                            + " one way; 'tickmark capture' and runs with --capture keep it.");
        }
        result.context()
                .log()
                .filter(log -> log.notKept() > 0)
                .ifPresent(log ->
                        say(
                                "The application's log holds more than the %d messages that are matched; %d times of it"
                                        + " were not looked at, so which messages were on the wire only is not known.",
                                log.size(), log.notKept()));
        result.context()
                .offset()
                .map(ClockOffset::movedNs)
                .filter(ns -> ns > CLOCK_MOVED_NS)
                .ifPresent(ns ->
                        say(
                                "The wall clock moved by %d ns against the monotonic one during the capture;"
                                        + " what is said of one way is that much uncertain.",
                                ns));
    }

    private void say(final String sentence, final Object... values) {
        sentences.add(String.format(java.util.Locale.ROOT, sentence, values));
    }
}
