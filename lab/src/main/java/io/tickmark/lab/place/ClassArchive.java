package io.tickmark.lab.place;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The classes that a role's process loads, as the JVM maps them instead of reading and verifying
 * them again (class data sharing, JEP 350): half of the time until a role is ready. There is one
 * archive for each class path, in the folder {@code classes} of the installation. A process with
 * that class path writes it at its end, when everything is measured; those after it use it. Writing
 * takes longer than all later starts of a single run would gain, so that the first run only leaves
 * a mark: the run after it writes. Until then a process uses {@link #OF_EVERY_ROLE}, which the
 * build makes and which is copied to hosts with the jars.
 *
 * <p>Its name is derived from the Java and from all jars with their sizes and times, so that a
 * changed jar gets another archive. An archive that the JVM itself finds not to fit (another
 * collector with other pointers, for example) is silently ignored; the same happens where the
 * folder cannot be written. Code is compiled as usual: an archive contains classes, not compiled
 * code.
 */
public final class ClassArchive {
    /** Folder of archives in an installation; without it there are no archives. */
    static final String FOLDER = "classes";

    /**
     * What every role's process loads, as far as it is in the jars that the class path of each
     * begins with: a path in an installation. Another Java has no use for it.
     */
    public static final String OF_EVERY_ROLE = FOLDER + "/role-" + Runtime.version() + ".jsa";

    /** Of a user who wants what there is to be used and nothing to be written. */
    private static final String AS_IT_IS = "-Xshare:auto";

    private static final String ENDING = ".jsa";
    private static final String PART_ENDING = ".part";

    /** Of the mark that a run has used a class path. */
    private static final String USED_ENDING = ".used";

    /** A process that announced an archive and has not kept it for this long never will. */
    private static final Duration LONGEST_IN_MAKING = Duration.ofHours(12);

    /**
     * Suppresses messages of the JVM about an archive on standard output, between the role's lines.
     */
    private static final List<String> QUIET =
            List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off", "-Xlog:aot=off");

    /** A user who sets one of these manages class loading; with agents no archive is written. */
    private static final List<String> OTHERWISE =
            List.of(
                    "-Xshare",
                    "-XX:SharedArchiveFile",
                    "-XX:ArchiveClassesAtExit",
                    "-XX:+AutoCreateSharedArchive",
                    "-XX:SharedClassListFile",
                    "-XX:DumpLoadedClassList",
                    "-XX:AOT",
                    "-agent",
                    "-javaagent");

    private static final Set<String> UNCOMPRESSED = Set.of("-XX:+UseZGC", "-XX:-UseCompressedOops");

    static final ClassArchive NONE =
            new ClassArchive(List.of(), Optional.empty(), Optional.empty());

    private final List<String> flags;
    private final Optional<Path> file;
    private final Optional<Path> part;

    private ClassArchive(
            final List<String> flags, final Optional<Path> file, final Optional<Path> part) {
        this.flags = flags;
        this.file = file;
        this.part = part;
    }

    /**
     * The archive of a process about to be started on this machine.
     *
     * @param home of the installation, empty where there is none
     * @param java the folder of the Java that it runs on
     * @param flags of its JVM
     * @param jars paths of its class path
     * @param runStartedAt when this process, which starts the other, was started itself
     */
    static ClassArchive of(
            final Optional<Path> home,
            final Path java,
            final List<String> flags,
            final List<Path> jars,
            final Instant runStartedAt) {
        if (home.isEmpty()
                || flags.stream()
                        .filter(flag -> !flag.equals(AS_IT_IS))
                        .anyMatch(flag -> OTHERWISE.stream().anyMatch(flag::startsWith))) {
            return NONE;
        }
        final Path folder = home.get().resolve(FOLDER);
        try {
            final String key = key(java, jars);
            final Path file = folder.resolve(key + ENDING);
            if (Files.isRegularFile(file)) {
                return new ClassArchive(
                        and("-XX:SharedArchiveFile=" + file), Optional.empty(), Optional.empty());
            }
            if (flags.contains(AS_IT_IS)
                    || !wasUsedBefore(
                            Files.createDirectories(folder).resolve(key + USED_ENDING),
                            runStartedAt)
                    || isInMaking(folder, key)) {
                return ofEveryRole(home.get(), flags, jars);
            }
            final Path part = Files.createFile(folder.resolve(partName(key)));
            return new ClassArchive(
                    and("-XX:ArchiveClassesAtExit=" + part), Optional.of(file), Optional.of(part));
        } catch (final IOException e) {
            return ofEveryRole(
                    home.get(), flags, jars); // a missing jar, or a folder of another user
        }
    }

    /**
     * The class path of another build begins with other jars. A JVM whose references are not
     * compressed does not take it, and would go without its own archive as well.
     */
    private static ClassArchive ofEveryRole(
            final Path home, final List<String> flags, final List<Path> jars) {
        if (flags.stream().anyMatch(UNCOMPRESSED::contains)) {
            return NONE;
        }
        final Path file = home.resolve(OF_EVERY_ROLE);
        final boolean isOfTheseJars =
                !jars.isEmpty() && home.resolve("lib").equals(jars.getFirst().getParent());
        return isOfTheseJars && Files.isRegularFile(file)
                ? new ClassArchive(
                        and("-XX:SharedArchiveFile=" + file), Optional.empty(), Optional.empty())
                : NONE;
    }

    private static List<String> and(final String flag) {
        return Stream.concat(Stream.of(flag), QUIET.stream()).toList();
    }

    private static boolean wasUsedBefore(final Path mark, final Instant runStartedAt)
            throws IOException {
        if (Files.notExists(mark)) {
            Files.createFile(mark);
            return false;
        }
        return Files.getLastModifiedTime(mark).toInstant().isBefore(runStartedAt);
    }

    /** Processes of two containers may have the same id. */
    private static String partName(final String key) {
        return key + "." + ProcessHandle.current().pid() + "." + UUID.randomUUID() + PART_ENDING;
    }

    /**
     * Whether a living process has announced an archive. What others announced who can no longer
     * keep it is deleted.
     *
     * @param folder of archives
     * @param key of the class path
     * @return whether there will be one, unless the process fails
     * @throws IOException if the folder cannot be read
     */
    public static boolean isInMaking(final Path folder, final String key) throws IOException {
        boolean isInMaking = false;
        try (DirectoryStream<Path> parts =
                Files.newDirectoryStream(folder, key + ".*" + PART_ENDING)) {
            for (final Path other : parts) {
                final String name = other.getFileName().toString();
                final int begin = key.length() + 1;
                final String maker = name.substring(begin, name.indexOf('.', begin));
                if (isAbandoned(maker, Files.getLastModifiedTime(other).toInstant())) {
                    Files.deleteIfExists(other);
                } else {
                    isInMaking = true;
                }
            }
        }
        return isInMaking;
    }

    /**
     * Whether nobody will keep it: only the process that announced it would, and its id is in the
     * name. A younger process may have that id by now.
     */
    private static boolean isAbandoned(final String maker, final Instant changedAt) {
        return changedAt.isBefore(Instant.now().minus(LONGEST_IN_MAKING))
                || !maker.matches("[0-9]{1,18}")
                || ProcessHandle.of(Long.parseLong(maker))
                        .filter(process ->
                                !process.info()
                                        .startInstant()
                                        .orElse(Instant.EPOCH)
                                        .isAfter(changedAt))
                        .isEmpty();
    }

    /**
     * What the names of the files of a class path begin with, up to the first dot.
     *
     * @param java the folder of the Java
     * @param jars paths of the class path
     * @return the key
     * @throws IOException if a jar is missing
     */
    public static String key(final Path java, final List<Path> jars) throws IOException {
        final StringBuilder text = new StringBuilder();
        text.append(java).append(' ').append(Runtime.version());
        for (final Path jar : jars) {
            final BasicFileAttributes file = Files.readAttributes(jar, BasicFileAttributes.class);
            text.append('\n')
                    .append(jar)
                    .append(' ')
                    .append(file.size())
                    .append(' ')
                    .append(file.lastModifiedTime().toMillis());
        }
        return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** Flags for the process, before those of its plan. */
    List<String> flags() {
        return flags;
    }

    /**
     * To be called once the process has ended: the archive that it wrote is used from now on.
     * Idempotent.
     *
     * @param exitCode of the process; the archive of a killed one is not kept
     */
    void keep(final int exitCode) {
        if (part.isEmpty()) {
            return;
        }
        try {
            if (exitCode == 0 && Files.exists(part.get()) && Files.size(part.get()) > 0) {
                Files.move(part.get(), file.orElseThrow(), StandardCopyOption.ATOMIC_MOVE);
                final String name = file.orElseThrow().getFileName().toString();
                Files.deleteIfExists(
                        file.orElseThrow().resolveSibling(name.replace(ENDING, USED_ENDING)));
            } else {
                Files.deleteIfExists(part.get());
            }
        } catch (final IOException e) {
            part.get().toFile().deleteOnExit(); // the next process tries
        }
    }
}
