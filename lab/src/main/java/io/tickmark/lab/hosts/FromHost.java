package io.tickmark.lab.hosts;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Map;

/** The messages of the agent on a host. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FromHost.Welcome.class, name = "welcome"),
    @JsonSubTypes.Type(value = FromHost.Refused.class, name = "refused"),
    @JsonSubTypes.Type(value = FromHost.Ended.class, name = "ended"),
    @JsonSubTypes.Type(value = FromHost.FolderCreated.class, name = "made"),
    @JsonSubTypes.Type(value = FromHost.FileBegins.class, name = "file"),
    @JsonSubTypes.Type(value = FromHost.Collected.class, name = "collected"),
    @JsonSubTypes.Type(value = FromHost.EchoAt.class, name = "echo-at"),
    @JsonSubTypes.Type(value = FromHost.TimeIs.class, name = "time-is"),
    @JsonSubTypes.Type(value = FromHost.Bye.class, name = "bye")
})
sealed interface FromHost {
    /** Version of the protocol. */
    String PROTOCOL = "tickmark.host/1";

    /** The agent is running; {@code environment} is that of its machine. */
    record Welcome(
            String protocol,
            String version,
            String java,
            int cores,
            Map<String, Map<String, Object>> environment)
            implements FromHost {}

    /** It refuses the request, and says why in one sentence. */
    record Refused(String sentence) implements FromHost {}

    /** A process ended, or could not be started. */
    record Ended(int process, int exitCode, String sentence) implements FromHost {}

    /** The folder exists; an empty path where it could not be created, and why. */
    record FolderCreated(String path, String trouble) implements FromHost {}

    /** The next data on the files' channel belongs to this file. */
    record FileBegins(String name) implements FromHost {}

    /**
     * All files were sent except those that {@code trouble} names; it is empty where there are
     * none.
     */
    record Collected(String trouble) implements FromHost {}

    /** Datagrams are answered at this port; -1 where none can be opened. */
    record EchoAt(int port) implements FromHost {}

    /** Monotonic time when the request was read, and when this was written. */
    record TimeIs(long receivedNs, long sentNs) implements FromHost {}

    /** All processes have ended except this many. */
    record Bye(int left) implements FromHost {}
}
