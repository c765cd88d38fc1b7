package io.tickmark.lab.place;

import java.lang.management.ManagementFactory;
import java.util.List;

/** The flags that every JVM of tickmark gets: those of {@code config/jvm.options}. */
public final class JvmFlags {
    /** System property that names the file. */
    public static final String FILE_PROPERTY = "tickmark.jvm.options";

    /** Flags that apply only to this JVM: its memory, its agents and its properties. */
    private static final List<String> OWN =
            List.of("-X", "-D", "-javaagent", "-agent", "-ea", "-esa", "--class-path", "-cp");

    private JvmFlags() {}

    /**
     * The flags for a role's JVM: the file where the launcher names one, otherwise the flags of
     * this JVM itself.
     *
     * @return words for the command line
     */
    public static List<String> common() {
        final String file = System.getProperty(FILE_PROPERTY, "");
        return file.isEmpty()
                ? inherited(ManagementFactory.getRuntimeMXBean().getInputArguments())
                : List.of("@" + file);
    }

    static List<String> inherited(final List<String> flags) {
        return flags.stream().filter(flag -> OWN.stream().noneMatch(flag::startsWith)).toList();
    }
}
