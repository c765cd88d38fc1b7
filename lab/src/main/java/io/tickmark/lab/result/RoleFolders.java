package io.tickmark.lab.result;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** The folders that roles left in a result folder. */
public final class RoleFolders {
    private final Path roles;

    /**
     * Looks into a result folder.
     *
     * @param resultFolder may have lost its roles
     */
    public RoleFolders(final Path resultFolder) {
        this.roles = resultFolder.resolve(ResultFolder.ROLES);
    }

    /**
     * The folder of one role.
     *
     * @param test name of the test
     * @param channel as the plan has it
     * @param role its name
     * @param index from 1
     * @return empty where there is none
     */
    public Optional<Path> find(
            final String test, final String channel, final String role, final int index) {
        try {
            final Path folder =
                    roles.resolve(ResultFolder.nameOf(test, channel, role + "-" + index));
            // names come out of a file: one with separators in it must not lead elsewhere
            return roles.equals(folder.getParent()) && Files.isDirectory(folder)
                    ? Optional.of(folder)
                    : Optional.empty();
        } catch (final InvalidPathException e) {
            return Optional.empty();
        }
    }
}
