package io.tickmark.wire;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.match.CapturedSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Writes {@code sessions.csv}: one row for each direction of each FIX session of each repeat. */
public final class SessionsFile {
    /** Its name in a role's folder. */
    public static final String NAME = "sessions.csv";

    private static final String HEADER =
            "repeat,side,from,to,sender,target,messages,unmatched,recorded,"
                    + "p50Ns,p99Ns,p999Ns,maxNs,segments,retransmissions,captureHoles\n";

    private SessionsFile() {}

    /**
     * Adds the sessions of a repeat to it.
     *
     * @param directory that exists
     * @param repeat of the trial, from 1
     * @param sessions to write
     * @throws UserError if it cannot be written
     */
    public static void write(
            final Path directory, final int repeat, final List<CapturedSession> sessions) {
        final Path file = directory.resolve(NAME);
        final StringBuilder text = new StringBuilder(Files.exists(file) ? "" : HEADER);
        for (final CapturedSession session : sessions) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "%d,%s,%s,%s,%s,%s,%d,%d,%d,%s,%s,%s,%d,%d,%d,%d%n",
                            repeat,
                            session.side().name().toLowerCase(Locale.ROOT),
                            session.from(),
                            session.to(),
                            cell(session.sender()),
                            cell(session.target()),
                            session.messages(),
                            session.unmatched(),
                            session.recorded(),
                            orBlank(session.percentileNs(50)),
                            orBlank(session.percentileNs(99)),
                            orBlank(session.percentileNs(99.9)),
                            session.maxNs(),
                            session.segments(),
                            session.retransmissions(),
                            session.holes()));
        }
        try {
            Files.writeString(
                    file,
                    text,
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (final IOException e) {
            throw UserError.environment(
                    "%s cannot be written (%s).".formatted(file, IoReason.of(e)), e);
        }
    }

    private static String orBlank(final OptionalLong ns) {
        return ns.isPresent() ? Long.toString(ns.getAsLong()) : "";
    }

    private static String cell(final String text) {
        return text.contains(",") || text.contains("\"")
                ? '"' + text.replace("\"", "\"\"") + '"'
                : text;
    }
}
