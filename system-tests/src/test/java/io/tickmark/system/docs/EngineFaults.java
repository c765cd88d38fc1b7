package io.tickmark.system.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The faults that an engine's tests bring about, as {@code faults.txt} in its folder declares them.
 *
 * @param engine as people call it
 * @param declared what stands behind each fault: names of tests, or {@code none} and why
 */
record EngineFaults(String engine, Map<Fault, String> declared) {
    static final String FILE = "faults.txt";

    private static final String ENGINE = "engine ";
    private static final String NONE = "none ";

    /** What differs between engines; its line begins with its name in lower case. */
    enum Fault {
        NOBODY("nobody there, or something else"),
        KILLED("killed and back"),
        STILL("stands still"),
        FULL("full, or refusing"),
        LENGTH("message too long for it"),
        CREDENTIALS("wrong credentials"),
        SETTINGS("there with other settings");

        private final String head;

        Fault(final String head) {
            this.head = head;
        }
    }

    /** Folders of all that serve channels; gateways have their faults in the tests of all. */
    static List<Path> folders() {
        try (Stream<Path> folders = Files.list(Repository.ROOT.resolve("engines"))) {
            return folders.filter(folder ->
                            Files.exists(
                                    folder.resolve(
                                            "src/main/resources/META-INF/services/io.tickmark.transport.Transport")))
                    .sorted()
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a declaration; a folder may have several engines.
     *
     * @throws IllegalArgumentException if a line is none, or a fault is missing
     */
    static List<EngineFaults> read(final String text) {
        final List<EngineFaults> all = new ArrayList<>();
        for (final String line : text.lines().toList()) {
            if (line.startsWith(ENGINE)) {
                all.add(
                        new EngineFaults(
                                line.substring(ENGINE.length()), new EnumMap<>(Fault.class)));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                final String[] words = line.split(" ", 2);
                final Fault fault =
                        Arrays.stream(Fault.values())
                                .filter(each ->
                                        each.name().toLowerCase(Locale.ROOT).equals(words[0]))
                                .findFirst()
                                .orElseThrow(
                                        () -> new IllegalArgumentException("no fault: " + line));
                if (all.isEmpty() || words.length == 1) {
                    throw new IllegalArgumentException("not said of whom or what: " + line);
                }
                all.getLast().declared.put(fault, words[1].strip());
            }
        }
        for (final EngineFaults each : all) {
            for (final Fault fault : Fault.values()) {
                if (!each.declared.containsKey(fault)) {
                    throw new IllegalArgumentException(
                            "%s lacks the fault '%s'"
                                    .formatted(each.engine, fault.name().toLowerCase(Locale.ROOT)));
                }
            }
        }
        return all;
    }

    /** The tests of all faults. */
    List<String> tests() {
        return declared.values().stream()
                .filter(said -> !said.startsWith(NONE))
                .flatMap(said -> Stream.of(said.split(" +")))
                .toList();
    }

    /** Which faults each engine is tested with, or why it is not. */
    static String table() {
        final MarkdownTable table =
                new MarkdownTable(
                        Stream.concat(
                                        Stream.of("engine"),
                                        Stream.of(Fault.values()).map(fault -> fault.head))
                                .toArray(String[]::new));
        for (final Path folder : folders()) {
            read(Repository.read(folder.resolve(FILE)))
                    .forEach(each ->
                            table.row(
                                    Stream.concat(
                                                    Stream.of(each.engine),
                                                    each.declared.values().stream()
                                                            .map(EngineFaults::cell))
                                            .toArray(String[]::new)));
        }
        return table.toString();
    }

    private static String cell(final String said) {
        return said.startsWith(NONE) ? said.substring(NONE.length()) : "tested";
    }
}
