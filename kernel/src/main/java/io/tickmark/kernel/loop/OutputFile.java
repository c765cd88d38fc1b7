package io.tickmark.kernel.loop;

import io.tickmark.kernel.settings.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A text file in a format of the field. It never fails: at the first error the sentence is kept and
 * nothing more is written, because a measurement must continue. Data is passed to the system after
 * each call, so that the file is complete up to the moment a process is killed.
 */
public final class OutputFile {
    private final Optional<Path> path;
    private String failure = "";

    private OutputFile(final Optional<Path> path) {
        this.path = path;
    }

    /**
     * A new, empty file in the role's folder; where there is none (by hand, without {@code --out}),
     * relative to the working directory, as the vendor's tools do it.
     *
     * @param directory of the role
     * @param name as set, possibly with a path; empty for no file
     * @param ending appended to the name: thread number and extension
     * @return the file, which ignores writes where none is requested
     */
    public static OutputFile create(
            final Optional<Path> directory, final String name, final String ending) {
        if (name.isEmpty()) {
            return new OutputFile(Optional.empty());
        }
        final Path file = Path.of(name + ending);
        final OutputFile created =
                new OutputFile(Optional.of(directory.map(d -> d.resolve(file)).orElse(file)));
        created.write("", StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        return created;
    }

    /**
     * Appends text.
     *
     * @param text with its line ends
     */
    public void append(final String text) {
        write(text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void write(final String text, final StandardOpenOption... options) {
        if (path.isEmpty() || !failure.isEmpty()) {
            return;
        }
        try {
            Files.writeString(path.get(), text, StandardCharsets.UTF_8, options);
        } catch (final IOException e) {
            failure =
                    "%s could not be written (%s); it is incomplete, but the figures of the result are complete."
                            .formatted(path.get(), IoReason.of(e));
        }
    }

    /**
     * Whether it is written at all.
     *
     * @return false where it ignores writes
     */
    public boolean isWanted() {
        return path.isPresent();
    }

    /**
     * The first error.
     *
     * @return a sentence, empty where there was none
     */
    public String failure() {
        return failure;
    }
}
