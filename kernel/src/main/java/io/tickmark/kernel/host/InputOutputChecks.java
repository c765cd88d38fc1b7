package io.tickmark.kernel.host;

import io.tickmark.kernel.host.HostCheck.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What sockets, network cards and disks do to figures. */
final class InputOutputChecks {
    private static final long SMALL_BUFFER_BYTES = 2L << 20;
    private static final long SLOW_COALESCING_US = 5;

    private final Recorded recorded;
    private final List<HostCheck> found = new ArrayList<>();

    InputOutputChecks(final Recorded recorded) {
        this.recorded = recorded;
    }

    List<HostCheck> all() {
        buffers();
        coalescing();
        bypass();
        found.addAll(new StorageChecks(recorded).all());
        return found;
    }

    private void buffers() {
        recorded.number("sockets", "receiveBufferMaxBytes")
                .ifPresent(bytes -> {
                    if (bytes < SMALL_BUFFER_BYTES) {
                        found.add(
                                new HostCheck(
                                        Severity.WARNING,
                                        "socket buffers",
                                        text("Sockets may buffer only %.0f KiB", bytes / 1024),
                                        "bursts over UDP are lost early",
                                        "raise it",
                                        "sysctl -w net.core.rmem_max=" + SMALL_BUFFER_BYTES,
                                        "streams over UDP"));
                    } else {
                        ok(
                                "socket buffers",
                                text("Sockets may buffer %.0f KiB", bytes / 1024),
                                "streams over UDP");
                    }
                });
    }

    /** A card that waits for more packets adds that wait to each latency at low rates. */
    private void coalescing() {
        recorded.environment()
                .getOrDefault("network", Map.of())
                .forEach((name, facts) -> {
                    if (facts instanceof final Map<?, ?> card
                            && card.get("receiveCoalesceUs") instanceof final Number us) {
                        if (us.longValue() > SLOW_COALESCING_US) {
                            found.add(
                                    new HostCheck(
                                            Severity.NOTE,
                                            "interrupt coalescing of " + name,
                                            text(
                                                    "%s waits up to %d us for more packets",
                                                    name, us.longValue()),
                                            "each wait is part of a latency at low rates",
                                            "do not wait",
                                            "ethtool -C " + name + " rx-usecs 0",
                                            "latency over a network"));
                        } else {
                            ok(
                                    "interrupt coalescing of " + name,
                                    text("%s waits %d us for more packets", name, us.longValue()),
                                    "latency over a network");
                        }
                    }
                });
    }

    private void bypass() {
        final String libraries = recorded.text("sockets", "kernelBypass");
        if (!libraries.isEmpty()) {
            found.add(
                    new HostCheck(
                            Severity.NOTE,
                            "kernel bypass",
                            "Sockets go round the kernel (" + libraries + ")",
                            "figures are not those of the kernel's network",
                            "",
                            "",
                            "comparisons"));
        }
    }

    private void ok(final String subject, final String is, final String helps) {
        found.add(new HostCheck(Severity.OK, subject, is, "", "", "", helps));
    }

    private static String text(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
