package io.tickmark.kernel.host;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Resource limits of this process, and what other processes already use. */
public final class LimitFacts {
    private static final String CGROUPS = "/sys/fs/cgroup";

    private LimitFacts() {}

    static Facts limits(final HostFiles files) {
        final Map<String, String> soft = softLimits(files.text("/proc/self/limits").orElse(""));
        return new Facts()
                .put("openFiles", limit(soft, "max open files"))
                .put("lockedMemoryBytes", limit(soft, "max locked memory"))
                .put("realTimePriority", limit(soft, "max realtime priority"))
                .put("nicePriority", limit(soft, "max nice priority"))
                .put("processes", limit(soft, "max processes"))
                .put("cpuQuotaCores", quota(files));
    }

    static Facts load(final HostFiles files) {
        final String[] parts = files.text("/proc/loadavg").orElse("").split("\\s+");
        final Facts facts = new Facts();
        if (parts.length >= 3) {
            facts.put("average1m", decimal(parts[0]))
                    .put("average5m", decimal(parts[1]))
                    .put("average15m", decimal(parts[2]));
        }
        return facts;
    }

    /** Most files and sockets of this process; empty where there is no limit. */
    private static OptionalLong openFiles(final HostFiles files) {
        return softLimits(files.text("/proc/self/limits").orElse("")).entrySet().stream()
                .filter(limit -> limit.getKey().equals("max open files"))
                .flatMap(limit -> HostFiles.leadingNumber(limit.getValue()).stream())
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /**
     * How many files and sockets this process may still open: the limit ({@code ulimit -n}) less
     * what is open. Any thread; it lists a folder of {@code /proc}, so it is not for a hot one.
     *
     * @return the number; empty where there is no limit, or the system does not report it
     */
    public static OptionalLong freeFiles() {
        return freeFiles(HostFiles.ofThisHost());
    }

    static OptionalLong freeFiles(final HostFiles files) {
        final List<String> open = files.names("/proc/self/fd");
        return openFiles(files).stream()
                .filter(limit -> !open.isEmpty())
                .map(limit -> Math.max(0, limit - open.size()))
                .findFirst();
    }

    private static Optional<Double> decimal(final String text) {
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (final NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Columns are separated by two or more spaces: name, soft limit, hard limit, unit. */
    private static Map<String, String> softLimits(final String text) {
        final Map<String, String> soft = new HashMap<>();
        text.lines()
                .map(line -> line.split("\\s{2,}"))
                .filter(columns -> columns.length >= 3)
                .forEach(columns -> soft.put(columns[0].toLowerCase(Locale.ROOT), columns[1]));
        return soft;
    }

    /** A number, or the word {@code unlimited}. */
    private static Optional<Object> limit(final Map<String, String> soft, final String name) {
        return Optional.ofNullable(soft.get(name))
                .map(text -> HostFiles.leadingNumber(text).<Object>map(n -> n).orElse(text));
    }

    /** The tightest quota of this process's control group and those above it. */
    private static Optional<Double> quota(final HostFiles files) {
        return groups(files)
                .map(group ->
                        group.unified()
                                ? quotaOf(files, group.folder())
                                : oldQuotaOf(files, group.folder()))
                .flatMap(Optional::stream)
                .min(Double::compare);
    }

    /** A control group that may hold the cores of this process back, version 2 or 1. */
    private record Group(boolean unified, String folder) {}

    private static Stream<Group> groups(final HostFiles files) {
        return files.text("/proc/self/cgroup")
                .orElse("")
                .lines()
                .map(line -> line.split(":", 3))
                .filter(parts -> parts.length == 3 && !parts[2].contains(".."))
                .flatMap(LimitFacts::groups);
    }

    private static Stream<Group> groups(final String[] parts) {
        final boolean unified = parts[1].isEmpty();
        if (!unified && !("," + parts[1] + ",").contains(",cpu,")) {
            return Stream.empty();
        }
        final String mount = unified ? CGROUPS : CGROUPS + "/cpu";
        return Stream.iterate(parts[2], path -> !path.isEmpty(), LimitFacts::parent)
                .map(path -> new Group(unified, path.equals("/") ? mount : mount + path));
    }

    /**
     * For how long a quota has kept tasks of this process's control group, or of one above it, from
     * their cores, all cores added up; empty where no group says so. Source: cpu.stat in
     * Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst.
     */
    static OptionalLong throttledNs(final HostFiles files) {
        return groups(files)
                .flatMap(group ->
                        files.text(group.folder() + "/cpu.stat").stream()
                                .flatMap(String::lines)
                                .map(LimitFacts::throttledNs)
                                .flatMapToLong(OptionalLong::stream)
                                .boxed())
                .mapToLong(Long::longValue)
                .max();
    }

    private static OptionalLong throttledNs(final String line) {
        final int blank = line.indexOf(' ');
        final long unitNs =
                switch (blank < 0 ? line : line.substring(0, blank)) {
                    case "throttled_usec" -> 1_000;
                    case "throttled_time" -> 1;
                    default -> 0;
                };
        return unitNs == 0
                ? OptionalLong.empty()
                : HostFiles.leadingNumber(line.substring(blank + 1))
                        .map(number -> OptionalLong.of(unitNs * number))
                        .orElseGet(OptionalLong::empty);
    }

    private static String parent(final String path) {
        final int slash = path.lastIndexOf('/');
        return path.equals("/") || slash < 0 ? "" : slash == 0 ? "/" : path.substring(0, slash);
    }

    /** {@code 50000 100000} is half a core, {@code max 100000} no quota. */
    private static Optional<Double> quotaOf(final HostFiles files, final String folder) {
        return files.text(folder + "/cpu.max")
                .map(text -> text.split("\\s+"))
                .filter(parts -> parts.length == 2)
                .flatMap(parts ->
                        ratio(
                                HostFiles.leadingNumber(parts[0]),
                                HostFiles.leadingNumber(parts[1])));
    }

    private static Optional<Double> oldQuotaOf(final HostFiles files, final String folder) {
        return ratio(
                files.number(folder + "/cpu.cfs_quota_us"),
                files.number(folder + "/cpu.cfs_period_us"));
    }

    private static Optional<Double> ratio(
            final Optional<Long> quotaUs, final Optional<Long> periodUs) {
        return quotaUs.filter(us -> us > 0)
                .flatMap(quota ->
                        periodUs.filter(us -> us > 0).map(period -> (double) quota / period));
    }
}
