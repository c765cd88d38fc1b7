package io.tickmark.lab.compare;

import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.result.PackedRun;
import io.tickmark.lab.result.ResultFolder;
import io.tickmark.lab.result.ResultJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A run to be read, alone or beside others.
 *
 * @param name of the run
 * @param path as the user named it
 * @param result of the run
 * @param folder with the roles' files and the plan; empty where there is only a result
 */
public record Side(String name, Path path, RunResult result, Optional<Path> folder) {
    /**
     * Reads a run.
     *
     * @param name of the run
     * @param path of a result folder, of one that was packed, or of a {@code result.json}
     * @return the run
     * @throws UserError if there is no result
     */
    public static Side read(final String name, final Path path) {
        if (Files.isDirectory(path)) {
            return inFolder(name, path, path);
        }
        if (!Files.isRegularFile(path)) {
            throw UserError.usage(
                    path
                            + " does not exist; name a result folder that tickmark run left, one that was packed, or a"
                            + " result.json.");
        }
        if (PackedRun.isPacked(path)) {
            return inFolder(name, path, PackedRun.open(path));
        }
        final RunResult result = ResultJson.read(path);
        final Optional<Path> folder =
                Optional.ofNullable(path.toAbsolutePath().getParent())
                        .filter(parent ->
                                path.getFileName().toString().equals(ResultFolder.RESULT)
                                        && Files.isDirectory(parent.resolve(ResultFolder.ROLES)));
        return new Side(name, path, result, folder);
    }

    /**
     * Where the run lies.
     *
     * @return its folder; the file where it was packed, or where the result is all there is of it
     */
    public Path place() {
        return folder.filter(each -> each.getFileSystem().equals(path.getFileSystem()))
                .orElse(path);
    }

    private static Side inFolder(final String name, final Path path, final Path folder) {
        final Path result = folder.resolve(ResultFolder.RESULT);
        if (!Files.isRegularFile(result)) {
            throw UserError.usage(
                    path
                            + " holds no result.json; name a result folder that tickmark run left, or a result.json.");
        }
        return new Side(name, path, ResultJson.read(result), Optional.of(folder));
    }
}
