package io.tickmark.kernel.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Disks, and the file system that results are written to. */
final class DiskFacts {
    /** Group of the folder that results are written to. */
    static final String RESULTS = "resultsFolder";

    /**
     * Group of the folder of temporary files, where stores without a configured folder put their
     * data.
     */
    static final String TEMPORARY = "temporaryFolder";

    private static final String BLOCK = "/sys/block";
    private static final int SECTOR_BYTES = 512;
    private static final int MAX_DISKS = 64;

    private DiskFacts() {}

    static Facts disks(final HostFiles files, final Path resultsFolder) {
        final Facts facts =
                new Facts()
                        .put(RESULTS, store(resultsFolder))
                        .put(TEMPORARY, store(Path.of(System.getProperty("java.io.tmpdir"))));
        final List<String> all =
                files.names(BLOCK).stream()
                        .filter(name -> files.number(BLOCK + "/" + name + "/size").orElse(0L) > 0)
                        .toList();
        all.stream()
                .limit(MAX_DISKS)
                .forEach(name -> facts.put(name, disk(files, BLOCK + "/" + name)));
        return facts.putNotListed(all.size() - MAX_DISKS);
    }

    private static Map<String, Object> disk(final HostFiles files, final String folder) {
        return new Facts()
                .put("model", files.text(folder + "/device/model"))
                .put("sizeBytes", files.number(folder + "/size").map(n -> n * SECTOR_BYTES))
                .put("rotational", files.number(folder + "/queue/rotational").map(n -> n != 0))
                .put("scheduler", files.chosen(folder + "/queue/scheduler"))
                .put("writeCache", files.text(folder + "/queue/write_cache"))
                .toMap();
    }

    /** Of the nearest existing folder: the results folder itself may be created later. */
    private static Map<String, Object> store(final Path folder) {
        final Optional<Path> existing = existing(folder.toAbsolutePath());
        try {
            final FileStore store = Files.getFileStore(existing.orElseThrow(IOException::new));
            return new Facts()
                    .put("fileSystem", store.type())
                    .put("freeBytes", store.getUsableSpace())
                    .put("totalBytes", store.getTotalSpace())
                    .toMap();
        } catch (final IOException | SecurityException e) {
            return Map.of();
        }
    }

    private static Optional<Path> existing(final Path folder) {
        Optional<Path> at = Optional.of(folder);
        while (at.isPresent() && !Files.exists(at.get())) {
            at = Optional.ofNullable(at.get().getParent());
        }
        return at;
    }
}
