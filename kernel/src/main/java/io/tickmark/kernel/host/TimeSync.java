package io.tickmark.kernel.host;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * Which service synchronises this machine's clock, and how well by its own account: the kernel
 * (adjtimex(2)), chrony, or the PTP daemons. It is only recorded, not used for corrections: offsets
 * between hosts are measured.
 */
public final class TimeSync {
    /** The group of the environment record. */
    public static final String GROUP = "timeSync";

    /** Value where no synchronisation is known. */
    public static final String NONE = "none";

    /** Suffix of a state where the kernel reports that the clock is synchronised. */
    static final String IN_STEP = ", synchronised";

    /** Suffix of a state where the kernel reports that the clock is not synchronised. */
    static final String NOT_IN_STEP = ", not synchronised";

    private static final String STATE = "state";
    private static final long ASK_MS = 2_000;

    /** Names of processes, as the kernel truncates them to 15 bytes. */
    private static final List<String> DAEMONS =
            List.of("chronyd", "ptp4l", "phc2sys", "ntpd", "systemd-timesyn");

    /** Bits of {@code timex.status}, see adjtimex(2). */
    private static final int UNSYNCHRONISED = 0x40;

    /** Places in {@code struct timex} where long has 64 bits. */
    private static final int TIMEX_BYTES = 208;

    private static final int MAX_ERROR_AT = 24;
    private static final int ESTIMATED_ERROR_AT = 32;
    private static final int STATUS_AT = 40;

    private final HostFiles files;
    private final BiFunction<List<String>, Long, Optional<String>> commands;

    TimeSync(
            final HostFiles files,
            final BiFunction<List<String>, Long, Optional<String>> commands) {
        this.files = files;
        this.commands = commands;
    }

    /** The facts of this machine. */
    static Facts facts(final HostFiles files) {
        final TimeSync sync = new TimeSync(files, Command::output);
        return sync.all(files.isThisHost() ? kernel() : Map.of());
    }

    /**
     * Which service synchronises the clock, in a few words.
     *
     * @param environment as {@link Environment#describe} returns it
     * @return for example {@code chronyd, synchronised} or {@code none}; empty where the record
     *     does not have it
     */
    public static String state(final Map<String, Map<String, Object>> environment) {
        return String.valueOf(environment.getOrDefault(GROUP, Map.of()).getOrDefault(STATE, ""));
    }

    Facts all(final Map<String, Object> kernel) {
        final List<String> running = running();
        final Facts facts = new Facts();
        facts.put(STATE, state(running, kernel.get("kernelSynchronised")));
        facts.addAbsent(kernel);
        if (running.contains("chronyd")) {
            facts.put("chrony", chrony());
        }
        if (running.contains("ptp4l")) {
            facts.put("ptp", ptp());
        }
        return facts.put("ptpClocks", ptpClocks());
    }

    /**
     * A container does not see the daemons of its machine, but the kernel shows the effect of their
     * work.
     */
    private static String state(final List<String> running, final Object inStep) {
        final String daemons = String.join(" and ", running);
        if (Boolean.TRUE.equals(inStep)) {
            return (running.isEmpty() ? "a daemon not seen from here" : daemons) + IN_STEP;
        }
        if (running.isEmpty()) {
            return NONE;
        }
        return inStep == null ? daemons : daemons + NOT_IN_STEP;
    }

    private List<String> running() {
        final List<String> found = new ArrayList<>();
        for (final String name : files.names("/proc")) {
            if (Character.isDigit(name.charAt(0))) {
                files.text("/proc/" + name + "/comm")
                        .filter(DAEMONS::contains)
                        .filter(daemon -> !found.contains(daemon))
                        .ifPresent(found::add);
            }
        }
        found.sort(null);
        return found;
    }

    /** What {@code chronyc tracking} reports; without the address of its source. */
    private Map<String, Object> chrony() {
        final Map<String, Object> said = new LinkedHashMap<>();
        commands.apply(List.of("chronyc", "-c", "-n", "tracking"), ASK_MS)
                .map(line -> line.strip().split(","))
                .filter(fields -> fields.length >= 14)
                .ifPresent(fields -> {
                    number(said, "stratum", fields[2], 1);
                    number(said, "systemOffsetNs", fields[4], 1e9);
                    number(said, "rmsOffsetNs", fields[6], 1e9);
                    number(said, "frequencyPpm", fields[7], 1);
                    number(said, "rootDelayNs", fields[10], 1e9);
                    number(said, "rootDispersionNs", fields[11], 1e9);
                    said.put("leapStatus", fields[13].strip());
                });
        return said;
    }

    /** What ptp4l reports to {@code pmc}; only root may query it on most machines. */
    private Map<String, Object> ptp() {
        final Map<String, Object> said = new LinkedHashMap<>();
        commands.apply(
                        List.of(
                                "pmc",
                                "-u",
                                "-b",
                                "0",
                                "GET CURRENT_DATA_SET",
                                "GET PORT_DATA_SET"),
                        ASK_MS)
                .ifPresent(text -> {
                    for (final String line : text.lines().toList()) {
                        final String[] words = line.strip().split("\\s+");
                        if (words.length == 2) {
                            switch (words[0]) {
                                case "offsetFromMaster" -> number(said, "offsetNs", words[1], 1);
                                case "meanPathDelay" -> number(said, "pathDelayNs", words[1], 1);
                                case "stepsRemoved" -> number(said, "stepsRemoved", words[1], 1);
                                case "portState" -> said.putIfAbsent("portState", words[1]);
                                default -> {
                                    // says nothing about the clock
                                }
                            }
                        }
                    }
                });
        return said;
    }

    private static void number(
            final Map<String, Object> said, final String name, final String text, final double by) {
        try {
            final double value = Double.parseDouble(text.strip()) * by;
            if (name.endsWith("Ns") || value == Math.rint(value)) {
                said.put(name, Math.round(value));
            } else {
                said.put(name, value);
            }
        } catch (final NumberFormatException e) {
            // another version of the program
        }
    }

    /** Clocks of network cards, and of hypervisors, that the kernel offers as devices. */
    private List<String> ptpClocks() {
        return files.names("/sys/class/ptp").stream()
                .map(name ->
                        files.text("/sys/class/ptp/" + name + "/clock_name")
                                .map(clock -> name + " (" + clock + ")")
                                .orElse(name))
                .toList();
    }

    /** What the kernel knows; the query changes nothing and needs no rights. */
    private static Map<String, Object> kernel() {
        final Map<String, Object> said = new LinkedHashMap<>();
        final Optional<MethodHandle> call =
                Libc.find(
                        "adjtimex",
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
        if (call.isEmpty() || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            return said;
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment timex = arena.allocate(TIMEX_BYTES, Long.BYTES);
            if ((int) call.get().invokeExact(timex) >= 0) {
                final boolean isInStep =
                        (timex.get(ValueLayout.JAVA_INT, STATUS_AT) & UNSYNCHRONISED) == 0;
                said.put("kernelSynchronised", isInStep);
                if (isInStep) {
                    said.put(
                            "kernelEstimatedErrorUs",
                            timex.get(ValueLayout.JAVA_LONG, ESTIMATED_ERROR_AT));
                    said.put("kernelMaxErrorUs", timex.get(ValueLayout.JAVA_LONG, MAX_ERROR_AT));
                }
            }
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        return said;
    }

    /** A system program that is queried. */
    static final class Command {
        private static final int MAX_BYTES = 65_536;

        private Command() {}

        /** What it prints; empty where it is missing, fails, or takes longer. */
        static Optional<String> output(final List<String> words, final long atMostMs) {
            final Process process;
            try {
                process =
                        new ProcessBuilder(words)
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start();
            } catch (final IOException e) {
                return Optional.empty();
            }
            try {
                process.getOutputStream().close();
                final CompletableFuture<byte[]> said =
                        CompletableFuture.supplyAsync(() -> read(process));
                final String text =
                        new String(
                                said.get(atMostMs, TimeUnit.MILLISECONDS), StandardCharsets.UTF_8);
                return process.waitFor(atMostMs, TimeUnit.MILLISECONDS) && process.exitValue() == 0
                        ? Optional.of(text)
                        : Optional.empty();
            } catch (final IOException | ExecutionException | TimeoutException e) {
                return Optional.empty();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        }

        private static byte[] read(final Process process) {
            try {
                return process.getInputStream().readNBytes(MAX_BYTES);
            } catch (final IOException e) {
                return new byte[0];
            }
        }
    }
}
