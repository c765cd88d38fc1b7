package io.tickmark.report;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file completely or not at all. */
final class WholeFile {
    private WholeFile() {}

    /**
     * Writes beside the target and moves it there.
     *
     * @param target replaced where it exists
     * @param text its content
     * @return the target
     */
    static Path write(final Path target, final String text) {
        final Path part = target.resolveSibling(target.getFileName() + ".part");
        try {
            Files.writeString(part, text);
            return Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (final IOException e) {
            try {
                Files.deleteIfExists(part);
            } catch (final IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw UserError.environment(
                    target
                            + " could not be written ("
                            + IoReason.of(e)
                            + "); make room or allow writing there, then run tickmark report "
                            + target.getParent()
                            + ".",
                    e);
        }
    }
}
