package io.tickmark.lab.result;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A result folder as one file to pass on: a zip archive of all its files, and {@value #SUMS} as
 * {@code sha256sum -c} reads it. The same folder gives the same bytes.
 */
public final class PackedRun {
    /** Ending of such files. */
    public static final String ENDING = ".zip";

    private static final String SUMS = "SHA256SUMS";

    /** Limit of an archive of unknown origin: more cannot be a run. */
    private static final int MOST_FILES = 100_000;

    private static final long MOST_BYTES = 8L << 30;
    private static final long MOST_BYTES_OF_SUMS = 32L << 20;

    private PackedRun() {}

    /**
     * What was packed.
     *
     * @param sum SHA-256 sum of the file, in hexadecimal digits
     * @param leftOut links in the folder, and whatever else is no plain file
     */
    public record Packed(String sum, int leftOut) {}

    /**
     * Whether a folder can be packed into a file, before anything is done for it.
     *
     * @param folder of a run
     * @param file to write: a new one, outside the folder
     * @throws UserError if it cannot
     */
    public static void check(final Path folder, final Path file) {
        final Path target = file.toAbsolutePath().normalize();
        if (!file.toString().endsWith(ENDING)) {
            throw UserError.usage(
                    "--zip: %s has to end in %s, by which other commands recognise it."
                            .formatted(file, ENDING));
        }
        if (Files.exists(file)) {
            throw UserError.usage(
                    "--zip: %s already exists; name a file that does not exist yet."
                            .formatted(file));
        }
        if (!Files.isDirectory(target.getParent())) {
            throw UserError.usage(
                    "--zip: there is no folder %s; make it, or name another."
                            .formatted(target.getParent()));
        }
        if (real(target.getParent()).startsWith(real(folder))) {
            throw UserError.usage(
                    "--zip: %s is in the folder that it would hold; name a file elsewhere."
                            .formatted(file));
        }
    }

    /** Either may be named by a link. */
    private static Path real(final Path folder) {
        try {
            return folder.toRealPath();
        } catch (final IOException e) {
            throw UserError.usage("--zip: %s: %s".formatted(folder, IoReason.of(e)));
        }
    }

    /**
     * Packs a folder. A partly written file is deleted.
     *
     * @param folder of a run; links in it are left out and counted, and the sums of an archive from
     *     which it was unpacked are made again
     * @param file to write, see {@link #check(Path, Path)}
     * @return the sum of the file, and how much was left out
     * @throws UserError if the folder cannot be read, holds more than may be opened again, or the
     *     file cannot be written
     */
    public static Packed write(final Path folder, final Path file) {
        check(folder, file);
        final Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            final Path root = folder.toRealPath(); // the folder itself may be named by a link
            final Map<Boolean, List<Path>> entries;
            try (Stream<Path> all = Files.walk(root)) {
                entries =
                        all.filter(each -> !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
                                .filter(each -> !each.equals(root.resolve(SUMS)))
                                .sorted()
                                .collect(
                                        Collectors.partitioningBy(each ->
                                                Files.isRegularFile(
                                                        each, LinkOption.NOFOLLOW_LINKS)));
            }
            final List<Path> files = entries.get(true);
            if (isTooMuch(files, 1, MOST_BYTES_OF_SUMS)) { // with the sums
                throw UserError.usage(
                        ("--zip: %s holds more than %d files or 8 GiB, which no command would open again; remove"
                                        + " what others do not need.")
                                .formatted(folder, MOST_FILES));
            }
            final MessageDigest whole = sha256();
            try (OutputStream out =
                            new DigestOutputStream(
                                    new BufferedOutputStream(Files.newOutputStream(part)), whole);
                    ZipOutputStream zip = new ZipOutputStream(out)) {
                final Map<String, String> sums = new TreeMap<>();
                for (final Path each : files) {
                    final String name = root.relativize(each).toString();
                    zip.putNextEntry(entry(name));
                    final DigestOutputStream summed = new DigestOutputStream(zip, sha256());
                    Files.copy(each, summed);
                    sums.put(name, HexFormat.of().formatHex(summed.getMessageDigest().digest()));
                }
                zip.putNextEntry(entry(SUMS));
                for (final Map.Entry<String, String> sum : sums.entrySet()) {
                    zip.write(
                            (sum.getValue() + "  " + sum.getKey() + "\n")
                                    .getBytes(StandardCharsets.UTF_8));
                }
            }
            Files.move(part, file);
            return new Packed(HexFormat.of().formatHex(whole.digest()), entries.get(false).size());
        } catch (final IOException e) {
            try {
                Files.deleteIfExists(part);
            } catch (final IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw UserError.environment(
                    "--zip: %s cannot be written (%s); make room, or name a file in another folder."
                            .formatted(file, IoReason.of(e)),
                    e);
        }
    }

    /** Without the time at which it was packed, which would make two of the same run differ. */
    private static ZipEntry entry(final String name) {
        final ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
        return entry;
    }

    /**
     * Whether a path is that of such a file.
     *
     * @param path as the user named it
     * @return whether it is a file with this ending
     */
    public static boolean isPacked(final Path path) {
        return path.toString().endsWith(ENDING) && Files.isRegularFile(path);
    }

    /**
     * Opens such a file for reading, and checks that its content is unchanged. It stays open until
     * the process ends.
     *
     * @param file packed by {@link #write}
     * @return its folder
     * @throws UserError if it is not such a file, or its content was changed
     */
    public static Path open(final Path file) {
        final FileSystem zip;
        try {
            zip = FileSystems.newFileSystem(file, Map.of("accessMode", "readOnly"));
        } catch (final IOException | RuntimeException e) {
            throw UserError.usage(
                    "%s is not a zip archive that can be read (%s); name a result folder, or a file of 'tickmark report --zip'."
                            .formatted(file, e.getMessage()));
        }
        final Path root = zip.getPath("/");
        try {
            compareWithSums(file, root);
        } catch (final IOException | RuntimeException e) {
            try {
                zip.close();
            } catch (final IOException closing) {
                e.addSuppressed(closing);
            }
            if (e instanceof final UserError error) {
                throw error;
            }
            throw broken(file, e.getMessage());
        }
        return root;
    }

    private static void compareWithSums(final Path file, final Path root) throws IOException {
        final List<Path> all;
        try (Stream<Path> walk = Files.walk(root)) {
            all = walk.filter(Files::isRegularFile).limit(MOST_FILES + 1L).toList();
        }
        if (isTooMuch(all, 0, 0)) {
            throw UserError.usage(
                    "%s holds more than %d files or 8 GiB, which no run does; name another."
                            .formatted(file, MOST_FILES));
        }
        final Map<String, String> sums = sums(file, root.resolve(SUMS));
        for (final Path each : all) {
            final String name = root.relativize(each).toString();
            if (!name.equals(SUMS) && !sum(each, Files.size(each)).equals(sums.remove(name))) {
                throw broken(file, name + " is not as it was packed");
            }
        }
        if (!sums.isEmpty()) {
            throw broken(file, sums.keySet().iterator().next() + " is missing");
        }
    }

    private static boolean isTooMuch(
            final List<Path> files, final int moreFiles, final long moreBytes) throws IOException {
        long bytes = moreBytes;
        for (final Path each : files) {
            bytes += Files.size(each);
        }
        return files.size() + moreFiles > MOST_FILES || bytes > MOST_BYTES;
    }

    private static Map<String, String> sums(final Path file, final Path sums) throws IOException {
        if (!Files.isRegularFile(sums) || Files.size(sums) > MOST_BYTES_OF_SUMS) {
            throw UserError.usage(
                    "%s holds no %s, so it is not a packed run; name a file that 'tickmark report --zip' wrote."
                            .formatted(file, SUMS));
        }
        final Map<String, String> found = new HashMap<>();
        for (final String line : Files.readAllLines(sums, StandardCharsets.UTF_8)) {
            final int gap = line.indexOf("  ");
            if (gap < 0) {
                throw broken(file, SUMS + " has a line without a name");
            }
            found.put(line.substring(gap + 2), line.substring(0, gap));
        }
        return found;
    }

    private static String sum(final Path file, final long most) throws IOException {
        final MessageDigest digest = sha256();
        final byte[] buffer = new byte[1 << 16];
        long read = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                read += length;
                if (read > most) {
                    throw new IOException(file + " is longer than the archive says");
                }
                digest.update(buffer, 0, length);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static UserError broken(final Path file, final String why) {
        return UserError.usage(
                "%s is damaged or was changed: %s; get a new copy of the file."
                        .formatted(file, why));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
