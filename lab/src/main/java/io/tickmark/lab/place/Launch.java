package io.tickmark.lab.place;

import java.util.List;
import java.util.Map;

/**
 * A process to be started.
 *
 * @param name of the process, for threads and errors
 * @param command word by word, including the wrapper
 * @param environment variables besides those inherited
 */
public record Launch(String name, List<String> command, Map<String, String> environment) {
    /** Copies list and map. */
    public Launch {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
