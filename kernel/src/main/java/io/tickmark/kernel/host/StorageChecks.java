package io.tickmark.kernel.host;

import io.tickmark.kernel.host.HostCheck.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What disks and file systems do to stores. */
final class StorageChecks {
    private static final String DISKS = "disks";
    private static final String HELPS = "stores";

    /** Lists what there is. */
    private static final String LOCAL_DISKS = "findmnt -t ext4,xfs";

    private static final long LITTLE_FREE_BYTES = 1L << 30;

    /** What a store that syncs each message would be asked for even at a modest rate. */
    private static final double MODEST_SYNCS_PER_SECOND = 10_000;

    private static final Set<String> NETWORK_MOUNTS =
            Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "ceph", "glusterfs");
    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
    private static final Set<String> LAYERED = Set.of("overlay", "aufs", "fuse.fuse-overlayfs");
    private static final Set<String> COPYING = Set.of("btrfs", "zfs", "bcachefs");

    private final Recorded recorded;
    private final List<HostCheck> found = new ArrayList<>();

    StorageChecks(final Recorded recorded) {
        this.recorded = recorded;
    }

    List<HostCheck> all() {
        recorded.environment().getOrDefault(DISKS, Map.of()).forEach(this::disk);
        fileSystem(
                DiskFacts.RESULTS, "file system", "Results and stores go to ", "--store-directory");
        fileSystem(
                DiskFacts.TEMPORARY,
                "temporary files",
                "Stores without '--store-directory' go to ",
                "--store-directory");
        room();
        syncs();
        return found;
    }

    /** A virtual one says what its hypervisor lets it say. */
    private void disk(final String name, final Object facts) {
        if (!(facts instanceof final Map<?, ?> disk)
                || !(disk.get("rotational") instanceof final Boolean spins)
                || name.startsWith("loop")
                || name.contains("ram")) {
            return;
        }
        final Object model = disk.get("model");
        final Object cache = disk.get("writeCache");
        final String called =
                name
                        + (model == null ? "" : " (" + model.toString().strip() + ")")
                        + (cache == null ? "" : ", write cache: " + cache + ",");
        if (recorded.flag("virtualisation", "virtualMachine").orElse(false)) {
            ok("disk " + name, called + " is a virtual disk, and what lies behind it is not told");
        } else if (spins) {
            found.add(
                    new HostCheck(
                            Severity.NOTE,
                            "disk " + name,
                            called + " is a spinning disk",
                            "a synced write waits for the platter, milliseconds each",
                            "put stores on a solid-state disk made for writing",
                            "lsblk -d -o NAME,MODEL,ROTA",
                            HELPS));
        } else {
            ok("disk " + name, called + " is a solid-state disk");
        }
    }

    private void fileSystem(
            final String folder, final String subject, final String begin, final String option) {
        final String type = recorded.within(DISKS, folder, "fileSystem").orElse("").toString();
        final String better = "name a folder on a local disk with '" + option + "'";
        if (NETWORK_MOUNTS.contains(type)) {
            found.add(
                    new HostCheck(
                            Severity.WARNING,
                            subject,
                            begin + "a network mount (" + type + ")",
                            "each write waits for another machine",
                            better,
                            LOCAL_DISKS,
                            HELPS));
        } else if (MEMORY.contains(type)) {
            final String effect = "what is synced there costs nothing and is lost with the machine";
            note(subject, begin + "memory (" + type + ")", effect, better);
        } else if (LAYERED.contains(type)) {
            final String is = begin + "the layers of a container (" + type + ")";
            note(subject, is, "each write goes through two file systems", better);
        } else if (COPYING.contains(type)) {
            final String effect =
                    "what is overwritten is written to a new place, and syncs take longer";
            note(subject, begin + type, effect, better + ", ext4 or xfs");
        } else if (!type.isEmpty()) {
            ok(subject, begin + type);
        }
    }

    private void note(
            final String subject, final String is, final String effect, final String better) {
        found.add(new HostCheck(Severity.NOTE, subject, is, effect, better, LOCAL_DISKS, HELPS));
    }

    private void room() {
        recorded.within(DISKS, DiskFacts.RESULTS, "freeBytes")
                .filter(Number.class::isInstance)
                .map(bytes -> ((Number) bytes).longValue())
                .ifPresent(bytes -> {
                    if (bytes < LITTLE_FREE_BYTES) {
                        found.add(
                                new HostCheck(
                                        Severity.WARNING,
                                        "room",
                                        text(
                                                "Only %d MiB are free where the results go",
                                                bytes >> 20),
                                        "a run that fills the disk keeps no files",
                                        "make room, or choose another place with '--out'",
                                        "df -h",
                                        HELPS));
                    } else {
                        ok("room", text("%d MiB are free where the results go", bytes >> 20));
                    }
                });
    }

    /** Measured by {@link SyncedWrites}, where somebody asked for it. */
    private void syncs() {
        recorded.number(DISKS, "syncedWritesPerSecond")
                .ifPresent(rate -> {
                    final String is = text("The disk takes %.0f synced writes a second", rate);
                    if (rate < MODEST_SYNCS_PER_SECOND) {
                        found.add(
                                new HostCheck(
                                        Severity.NOTE,
                                        "synced writes",
                                        is,
                                        text(
                                                "a store that syncs each message goes no faster; at 100,000 messages a second"
                                                        + " each sync has to cover %.0f",
                                                Math.ceil(100_000 / Math.max(1, rate))),
                                        "use a disk with a write cache that survives a power cut, or a store that syncs"
                                                + " groups of messages",
                                        "",
                                        "stores that sync (D2, D4)"));
                    } else {
                        ok("synced writes", is);
                    }
                });
    }

    private void ok(final String subject, final String is) {
        found.add(new HostCheck(Severity.OK, subject, is, "", "", "", HELPS));
    }

    private static String text(final String format, final Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
