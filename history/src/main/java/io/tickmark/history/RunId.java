package io.tickmark.history;

import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.RunResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The name of a run, made of what it is: start, host, plan, the name of its folder, and its
 * figures. The same result has the same name wherever its folder is copied or mounted; two runs
 * that begin in the same second in containers that look alike differ in their figures.
 */
final class RunId {
    /** 48 bits: of 100,000 runs two have the same name with a probability of 2 in 100,000. */
    private static final int DIGITS = 12;

    private static final int DIGITS_OF_OLD = 8;

    /** Ending of the file of a run that was packed. */
    private static final String PACKED = ".zip";

    private RunId() {}

    static String of(final RunResult run, final Path folder) {
        final StringBuilder text = new StringBuilder();
        text.append(run.startedAt()).append('\n');
        text.append(host(run)).append('\n');
        text.append(run.plan()).append('\n');
        text.append(nameOf(folder)).append('\n');
        run.aggregates().forEach(row -> add(row, text));
        try {
            final byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** A file with the name of the folder that was packed into it holds the same run. */
    private static String nameOf(final Path folder) {
        final String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
        return name.endsWith(PACKED) ? name.substring(0, name.length() - PACKED.length()) : name;
    }

    private static void add(final Aggregate row, final StringBuilder text) {
        text.append(row.test()).append(' ').append(row.channel()).append(' ');
        text.append(row.step()).append(' ').append(row.payloadBytes()).append('\n');
        for (final Map.Entry<String, Aggregate.Spread> figure :
                new TreeMap<>(row.figures()).entrySet()) {
            text.append(figure.getKey()).append(' ');
            text.append(asRead(figure.getValue().median())).append('\n');
        }
    }

    /** A result that is entered from its file must not differ from the one in memory. */
    private static double asRead(final double value) {
        return Double.isFinite(value) && value != 0 ? value : 0;
    }

    /** The name of the same run in the first two versions of the database. */
    static String old(final RunResult run, final Path folder) {
        return UUID.nameUUIDFromBytes(
                        (run.startedAt() + " " + folder.toAbsolutePath().normalize())
                                .getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, DIGITS_OF_OLD);
    }

    /** Name of the host, empty where it is not known. */
    static String host(final RunResult run) {
        return String.valueOf(
                run.environment().getOrDefault("host", Map.of()).getOrDefault("name", ""));
    }
}
