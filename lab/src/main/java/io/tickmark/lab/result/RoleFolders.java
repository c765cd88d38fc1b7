package io.tickmark.lab.result;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** The folders of roles in a result folder. */
public final class RoleFolders {
    private final Path roles;

    /**
     * Opens a result folder.
     *
     * @param resultFolder may lack its roles
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
            // names are read from a file: one with separators must not point elsewhere
            return roles.equals(folder.getParent()) && Files.isDirectory(folder)
                    ? Optional.of(folder)
                    : Optional.empty();
        } catch (final InvalidPathException e) {
            return Optional.empty();
        }
    }
}
