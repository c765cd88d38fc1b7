package io.tickmark.bench.wire;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.WireContext;
import io.tickmark.wire.WireReader;
import io.tickmark.wire.WireResult;
import io.tickmark.wire.WireSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Reads a capture again and again in one JVM and prints the median rate of the passes after the
 * first, the rate of the first, and the most memory the process had. {@code make FILE PACKETS}
 * makes a clean one.
 */
public final class ReadCapture {
    /** Shorter than the captures: as much is outstanding in a long one as in a short one. */
    private static final String WINDOW = "1s";

    private ReadCapture() {}

    /**
     * Reads, or makes.
     *
     * @param args {@code FILE PASSES IN_PORT OUT_PORT}, or {@code make FILE PACKETS}
     * @throws IOException if a file cannot be read or written
     */
    public static void main(final String... args) throws IOException {
        if (args[0].equals("make")) {
            SyntheticCapture.write(Path.of(args[1]), Long.parseLong(args[2]));
            return;
        }
        final WireSettings settings =
                Settings.read(
                        WireSettings.class,
                        Map.of(
                                "skip",
                                "0",
                                "inPort",
                                args[2],
                                "outPort",
                                args[3],
                                "matchWindow",
                                WINDOW),
                        key -> key);
        final NanoClock clock = SystemNanoClock.INSTANCE;
        final double[] rates = new double[Integer.parseInt(args[1])];
        long matched = 0;
        for (int pass = 0; pass < rates.length; pass++) {
            final long beginNs = clock.nanoTime();
            final WireResult result =
                    new WireReader(settings, WireContext.NONE, () -> false).read(Path.of(args[0]));
            rates[pass] = result.packets().packets() * 1e9 / (clock.nanoTime() - beginNs);
            matched = result.fix().orElseThrow().counts().matched();
        }
        final double first = rates[0];
        final double[] later = Arrays.copyOfRange(rates, 1, rates.length);
        Arrays.sort(later);
        System.out.printf(
                java.util.Locale.ROOT,
                "tool=read_capture packets_per_s=%.0f first_pass_per_s=%.0f matched=%d resident_bytes=%d%n",
                later[later.length / 2],
                first,
                matched,
                residentBytes());
    }

    /** The most the process had in memory (proc(5), VmHWM). */
    private static long residentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
    }
}
