package io.tickmark.kernel.settings;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Why a file could not be used, in words: the message of an exception is often only its path. */
public final class IoReason {
    private IoReason() {}

    /**
     * The reason without the path.
     *
     * @param error of a file or a folder
     * @return a few words, to be put in brackets
     */
    public static String of(final IOException error) {
        return switch (error) {
            case final FileSystemException e when e.getReason() != null -> e.getReason();
            case final AccessDeniedException _ -> "permission denied";
            case final FileAlreadyExistsException e -> e.getFile() + " is a file";
            case final NoSuchFileException e -> e.getFile() + " does not exist";
            default ->
                    Optional.ofNullable(error.getMessage())
                            .orElse(error.getClass().getSimpleName());
        };
    }
}
