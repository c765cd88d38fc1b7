package io.tickmark.bench.aeron;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.settings.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.FutureTask;

/**
 * One side of the bare stream as a program: {@code send key=value ...} or {@code receive key=value
 * ...}, with the keys of {@link BareSettings}. Prints one line of figures.
 */
public final class BareAeron {
    private BareAeron() {}

    /**
     * Runs one side.
     *
     * @param args {@code send} or {@code receive}, then {@code key=value}
     * @throws Exception any failure
     */
    public static void main(final String... args) throws Exception {
        final boolean sends = args.length > 0 && args[0].equals("send");
        final Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < args.length; i++) {
            final String[] pair = args[i].split("=", 2);
            values.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        final BareSettings settings = Settings.read(BareSettings.class, values, key -> key);
        final FutureTask<String> side =
                new FutureTask<>(() -> sends ? send(settings) : receive(settings));
        new Thread(side, "bare-aeron").start();
        System.out.println(side.get());
    }

    private static String send(final BareSettings settings) {
        try (BareClient client = new BareClient(settings)) {
            final BareSender sender = new BareSender(settings, client);
            pin(settings);
            return "tool=bare_aeron side=send size=%d sent=%d"
                    .formatted(settings.payloadBytes(), sender.run());
        }
    }

    private static String receive(final BareSettings settings) {
        try (BareClient client = new BareClient(settings)) {
            final BareReceiver receiver = new BareReceiver(settings, client);
            pin(settings);
            final double perSecond = receiver.run();
            return "tool=bare_aeron side=receive size=%d received=%d mean_ns=%d msg_per_s=%.0f"
                    .formatted(
                            settings.payloadBytes(),
                            receiver.counted(),
                            receiver.meanDelayNs(),
                            perSecond);
        }
    }

    /** Last of all: what this thread starts would share its core. */
    private static void pin(final BareSettings settings) {
        if (settings.core() >= 0) {
            Affinity.pin(settings.core()).ifPresent(System.err::println);
        }
    }
}
