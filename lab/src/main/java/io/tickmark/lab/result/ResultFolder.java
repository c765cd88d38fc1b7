package io.tickmark.lab.result;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The folder of one run. Writers must continue when it cannot be written: figures in memory are
 * worth more.
 */
public final class ResultFolder {
    /** The resolved plan. */
    public static final String PLAN = "plan.yaml";

    /** The machine. */
    public static final String ENVIRONMENT = "environment.json";

    /** Noise floors, before and after each trial. */
    public static final String NOISE = "noise.json";

    /** All figures. */
    public static final String RESULT = "result.json";

    /** The report for people. */
    public static final String REPORT = "report.html";

    /** Folder of the roles' files. */
    public static final String ROLES = "roles";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final int MOST_IN_A_SECOND = 1000;
    private static final int LONGEST_SLUG = 48;

    private final Path path;

    private ResultFolder(final Path path) {
        this.path = path;
    }

    /**
     * Makes a new folder {@code <time>_<plan>}.
     *
     * @param results folder of all runs, created where it does not exist
     * @param plan name of the plan
     * @param time of the run
     * @return the folder, not used by another run
     * @throws UserError if it cannot be created
     */
    public static ResultFolder create(
            final Path results, final String plan, final LocalDateTime time) {
        final String name = TIME.format(time) + "_" + plan;
        try {
            Files.createDirectories(results);
            for (int i = 1; i < MOST_IN_A_SECOND; i++) {
                final Path path = results.resolve(i == 1 ? name : name + "-" + i);
                try {
                    return new ResultFolder(Files.createDirectory(path));
                } catch (final FileAlreadyExistsException e) {
                    continue; // another run began in the same second
                }
            }
            throw new IOException("too many runs in one second");
        } catch (final IOException e) {
            throw notWritable(results, e);
        }
    }

    /**
     * Takes a folder that the user named.
     *
     * @param path of the folder, created where it does not exist
     * @return the folder
     * @throws UserError if it is not empty, or cannot be created
     */
    public static ResultFolder at(final Path path) {
        try {
            Files.createDirectories(path);
            try (Stream<Path> files = Files.list(path)) {
                if (files.findAny().isPresent()) {
                    throw UserError.usage(
                            "--out: "
                                    + path
                                    + " is not empty; name a folder that is new or empty.");
                }
            }
            return new ResultFolder(path);
        } catch (final IOException e) {
            throw notWritable(path, e);
        }
    }

    /**
     * The folder of a run that has ended.
     *
     * @param path of it, existing
     * @return the folder
     */
    public static ResultFolder of(final Path path) {
        return new ResultFolder(path);
    }

    /**
     * Where it is.
     *
     * @return its path
     */
    public Path path() {
        return path;
    }

    /**
     * Writes a file: readers see the old text or the new one, never a part.
     *
     * @param name of the file
     * @param text to write
     * @throws UserError if it cannot be written, a full disk for example; the old text is kept
     */
    public void write(final String name, final String text) {
        final Path unfinished = path.resolve("." + name + ".part");
        try {
            Files.writeString(unfinished, text);
            Files.move(
                    unfinished,
                    path.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (final IOException e) {
            delete(unfinished);
            throw notWritable(path.resolve(name), e);
        }
    }

    private static void delete(final Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (final IOException e) {
            // the write error has already been reported
        }
    }

    /**
     * Creates the folder of a role.
     *
     * @param test name of the test
     * @param channel as written in the plan
     * @param roleAndIndex such as {@code latency-pub-1}
     * @return its path; the same for all repeats
     * @throws UserError if it cannot be created
     */
    public Path role(final String test, final String channel, final String roleAndIndex) {
        final Path folder = path.resolve(ROLES).resolve(nameOf(test, channel, roleAndIndex));
        try {
            return Files.createDirectories(folder);
        } catch (final IOException e) {
            throw notWritable(folder, e);
        }
    }

    /**
     * Names the folder of a role.
     *
     * @param test name of the test
     * @param channel as written in the plan
     * @param roleAndIndex such as {@code latency-pub-1}
     * @return name of a folder in {@link #ROLES}
     */
    public static String nameOf(
            final String test, final String channel, final String roleAndIndex) {
        final String slug = slug(channel);
        return test + (slug.isEmpty() ? "" : "-" + slug) + "-" + roleAndIndex;
    }

    /** A channel as part of a file name; long ones end in a hash to stay distinct. */
    static String slug(final String channel) {
        final String slug =
                channel.toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9.]+", "-")
                        .replaceAll("^[-.]+|[-.]+$", "");
        return slug.length() <= LONGEST_SLUG
                ? slug
                : slug.substring(0, LONGEST_SLUG) + "-" + Integer.toHexString(channel.hashCode());
    }

    private static UserError notWritable(final Path path, final IOException e) {
        return UserError.environment(
                path
                        + " cannot be written ("
                        + IoReason.of(e)
                        + "); make room or allow writing there, or name another folder with --out.",
                e);
    }
}
