package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.gateway.GatewaySettings.SlowPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * When a consumer is slow and what happens then, by its CompID: the first rule that matches,
 * otherwise the general one.
 */
final class SlowRules {
    private static final int LEAST_BYTES = 4096;

    private final SlowLimits others;
    private final List<Rule> rules = new ArrayList<>();

    /** {@code name} without the {@code *} where it is the beginning of names only. */
    private record Rule(String name, boolean isPrefix, SlowLimits limits) {
        boolean fits(final String compId) {
            return isPrefix ? compId.startsWith(name) : compId.equals(name);
        }
    }

    /**
     * Rules as a user writes them.
     *
     * @param others applies to sessions without a rule
     * @param texts such as {@code VIP*=disconnect:65536:2s}
     * @throws UserError if one of them cannot be understood
     */
    SlowRules(final SlowLimits others, final List<String> texts) {
        this.others = others;
        texts.forEach(text -> rules.add(parse(text)));
    }

    private Rule parse(final String text) {
        final int equals = text.lastIndexOf('=');
        final String name = text.substring(0, Math.max(0, equals));
        final String[] parts = text.substring(equals + 1).split(":", 3);
        if (name.isEmpty()) {
            throw wrong(text, "it has no CompID");
        }
        final boolean isPrefix = name.endsWith("*");
        return new Rule(
                isPrefix ? name.substring(0, name.length() - 1) : name,
                isPrefix,
                new SlowLimits(
                        policy(text, parts[0]),
                        parts.length > 1 ? bytes(text, parts[1]) : others.bytes(),
                        parts.length > 2 ? timeNs(text, parts[2]) : others.timeNs()));
    }

    private static SlowPolicy policy(final String text, final String word) {
        for (final SlowPolicy policy : SlowPolicy.values()) {
            if (policy.name().toLowerCase(Locale.ROOT).equals(word)) {
                return policy;
            }
        }
        throw wrong(text, "'" + word + "' is not one of drop, conflate, disconnect, block");
    }

    private static int bytes(final String text, final String number) {
        try {
            final int bytes = Integer.parseInt(number);
            if (bytes >= LEAST_BYTES && bytes <= 1 << 30) {
                return bytes;
            }
        } catch (final NumberFormatException e) {
            // reported below
        }
        throw wrong(text, "'" + number + "' is not a number of bytes from 4096 to 1073741824");
    }

    private static long timeNs(final String text, final String time) {
        final long ns = Durations.parse(time, "--slow-sessions '" + text + "'").toNanos();
        if (ns == 0) {
            throw wrong(text, "its time must be longer than 0");
        }
        return ns;
    }

    private static UserError wrong(final String text, final String why) {
        return UserError.usage(
                "--slow-sessions '%s': %s; write ID=POLICY[:BYTES[:TIME]], for example 'VIP*=disconnect:65536:2s'."
                        .formatted(text, why));
    }

    /** The rule for a consumer. */
    SlowLimits of(final String compId) {
        for (final Rule rule : rules) {
            if (rule.fits(compId)) {
                return rule.limits();
            }
        }
        return others;
    }

    /** The most bytes that may wait for any of them. */
    int mostBytes() {
        return Math.max(
                others.bytes(),
                rules.stream().mapToInt(rule -> rule.limits().bytes()).max().orElse(0));
    }

    /** Whether the newest message of each symbol is to be kept for one of them. */
    boolean conflates() {
        return others.policy() == SlowPolicy.CONFLATE
                || rules.stream().anyMatch(rule -> rule.limits().policy() == SlowPolicy.CONFLATE);
    }

    /**
     * When a consumer is slow, and what happens then.
     *
     * @param policy what happens to its messages
     * @param bytes it is slow while this many are pending for it
     * @param timeNs it is slow once its socket has accepted nothing for this long
     */
    record SlowLimits(SlowPolicy policy, int bytes, long timeNs) {}
}
