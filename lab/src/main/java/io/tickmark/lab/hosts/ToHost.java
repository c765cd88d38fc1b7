package io.tickmark.lab.hosts;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.FaultPlan;

/** The requests of the controller to the agent on a host; a process is identified by its number. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ToHost.Greet.class, name = "greet"),
    @JsonSubTypes.Type(value = ToHost.Start.class, name = "start"),
    @JsonSubTypes.Type(value = ToHost.Inject.class, name = "inject"),
    @JsonSubTypes.Type(value = ToHost.Kill.class, name = "kill"),
    @JsonSubTypes.Type(value = ToHost.Folder.class, name = "folder"),
    @JsonSubTypes.Type(value = ToHost.Collect.class, name = "collect"),
    @JsonSubTypes.Type(value = ToHost.Echo.class, name = "echo"),
    @JsonSubTypes.Type(value = ToHost.Time.class, name = "time"),
    @JsonSubTypes.Type(value = ToHost.Beat.class, name = "beat"),
    @JsonSubTypes.Type(value = ToHost.Bye.class, name = "bye")
})
sealed interface ToHost {
    /** Begins; {@code run} names this run among others on the host. */
    record Greet(String run, String address) implements ToHost {}

    /** Starts a process. */
    record Start(int process, RoleLaunch launch) implements ToHost {}

    /** Injects a planned fault into the process that reports {@code pid} as its own. */
    record Inject(int process, FaultPlan.Action action, long pid) implements ToHost {}

    /** Ends a process and everything it started. */
    record Kill(int process) implements ToHost {}

    /** Creates a folder for a role's files. */
    record Folder(String name) implements ToHost {}

    /** Sends the content of a folder, and empties it. */
    record Collect(String name) implements ToHost {}

    /**
     * Answers datagrams that carry {@code token}: at once, on a thread that spins for some seconds
     * at most, or for as long as the agent lives on one that waits for them.
     */
    record Echo(long token, boolean isPatient) implements ToHost {}

    /** Reports the time, where datagrams do not get through. */
    record Time() implements ToHost {}

    /** Keep-alive of the controller. */
    record Beat() implements ToHost {}

    /** Ends all processes, and the agent. */
    record Bye() implements ToHost {}
}
