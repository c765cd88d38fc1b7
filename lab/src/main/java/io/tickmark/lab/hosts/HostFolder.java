package io.tickmark.lab.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files that the roles of one run write on a host, until they are collected. */
final class HostFolder {
    /** Names of folders and files: nothing that points elsewhere. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

    private final Path folder;

    /** Creates the folder, accessible only by the user. */
    HostFolder(final Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
    }

    Path make(final String name) throws IOException {
        return Files.createDirectories(inside(name));
    }

    private Path inside(final String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new IOException("not a name of a folder: " + name);
        }
        return folder.resolve(name);
    }

    /**
     * Sends the files of a folder, and empties it; {@code sent} is called after each part.
     *
     * @return what is missing, for a message; empty where nothing is
     */
    String send(final String name, final Frames frames, final Runnable sent) throws IOException {
        final Path wanted = inside(name);
        if (!Files.isDirectory(wanted)) {
            return wanted + " no longer exists";
        }
        final List<Path> files;
        try (Stream<Path> inside = Files.walk(wanted)) {
            files = inside.filter(Files::isRegularFile).toList();
        }
        final byte[] buffer = new byte[1 << 16];
        for (final Path file : files) {
            frames.say(new FromHost.FileBegins(wanted.relativize(file).toString()));
            try (InputStream in = Files.newInputStream(file)) {
                for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                    if (length > 0) {
                        frames.write(Frames.FILES, buffer, 0, length);
                        sent.run();
                    }
                }
            }
            Files.delete(file);
        }
        return "";
    }

    /** Removes the folder with its content. */
    void remove() {
        try (Stream<Path> all = Files.walk(folder)) {
            for (final Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (final IOException e) {
            System.err.println("Left behind: " + folder + " (" + e + ")");
        }
    }
}
