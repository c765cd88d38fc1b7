package io.tickmark.workloads.market.rssl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One section of an EmaConfig.xml: values by the path of their element. It records which were read,
 * so that ignored ones can be reported. Single-threaded.
 */
final class EmaSection {
    /** Values of default behaviour, so that a file that sets them is honoured. */
    private static final Map<String, String> DONE_ANYWAY =
            Map.ofEntries(
                    Map.entry("XmlTraceToStdout", "0"),
                    Map.entry("XmlTraceToFile", "0"),
                    Map.entry("ServerSharedSocket", "0"),
                    Map.entry("EnableSessionManagement", "0"),
                    Map.entry("Service/InfoFilter/IsSource", "1"),
                    Map.entry("Service/InfoFilter/SupportsQoSRange", "0"),
                    Map.entry("Service/InfoFilter/SupportsOutOfBandSnapshots", "0"),
                    Map.entry("Service/InfoFilter/AcceptingConsumerStatus", "0"),
                    Map.entry("Service/InfoFilter/QoS/QoSEntry/Timeliness", "Timeliness::RealTime"),
                    Map.entry("Service/InfoFilter/QoS/QoSEntry/Rate", "Rate::TickByTick"),
                    Map.entry("Service/StateFilter/ServiceState", "1"),
                    Map.entry("Service/StateFilter/AcceptingRequests", "1"));

    private final String kind;
    private final int line;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, Entry> repeated = new HashMap<>();
    private final Set<String> asked = new HashSet<>(Set.of("Name"));

    private record Entry(String value, int line) {}

    EmaSection(final String kind, final int line) {
        this.kind = kind;
        this.line = line;
    }

    void put(final String path, final String value, final int at) {
        final Entry entry = new Entry(value.strip(), at);
        if (entries.putIfAbsent(path, entry) != null) {
            repeated.putIfAbsent(path, entry);
        }
    }

    String kind() {
        return kind;
    }

    String name() {
        return entries.containsKey("Name") ? entries.get("Name").value() : "";
    }

    /** Where it begins. */
    int line() {
        return line;
    }

    /** The location of a value, or of the section where it has none. */
    int line(final String path) {
        return entries.containsKey(path) ? entries.get(path).line() : line;
    }

    /** A value, which is honoured from now on; empty where there is none. */
    Optional<String> value(final String path) {
        asked.add(path);
        return Optional.ofNullable(entries.get(path)).map(Entry::value).filter(v -> !v.isEmpty());
    }

    /** Ignored elements, each once. */
    List<String> ignored() {
        final List<String> ignored = new ArrayList<>();
        entries.forEach((path, entry) -> {
            if (!asked.contains(path)
                    && !entry.value().isEmpty()
                    && !entry.value().equals(DONE_ANYWAY.get(path))) {
                ignored.add(described(path, entry));
            }
        });
        repeated.forEach((path, entry) -> {
            if (asked.contains(path)) {
                ignored.add("another " + described(path, entry));
            }
        });
        return ignored;
    }

    private String described(final String path, final Entry entry) {
        return "%s of %s %s (line %d)"
                .formatted(path.substring(path.lastIndexOf('/') + 1), kind, name(), entry.line());
    }
}
