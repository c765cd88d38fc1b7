package io.tickmark.kernel.host;

import java.util.List;
import java.util.TreeSet;

/** On which cores devices' interrupts may be served. */
final class InterruptFacts {
    private static final String FOLDER = "/proc/irq";
    private static final int MAX_INTERRUPTS = 1024;

    private InterruptFacts() {}

    static Facts interrupts(final HostFiles files) {
        final TreeSet<Integer> cores = new TreeSet<>();
        files.names(FOLDER).stream()
                .filter(name -> name.matches("\\d{1,6}"))
                .limit(MAX_INTERRUPTS)
                .map(name -> files.text(FOLDER + "/" + name + "/effective_affinity_list"))
                .forEach(text -> text.flatMap(CoreList::parse).ifPresent(cores::addAll));
        return new Facts().put("cores", cores.isEmpty() ? "" : CoreList.format(List.copyOf(cores)));
    }
}
