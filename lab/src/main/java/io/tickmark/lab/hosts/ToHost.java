package io.tickmark.lab.hosts;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.FaultPlan;

/** What the controller asks of the agent on a host; a process is known by its number. */
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

    /** Does a planned fault to the process that calls itself {@code pid}. */
    record Inject(int process, FaultPlan.Action action, long pid) implements ToHost {}

    /** Ends a process and all it started. */
    record Kill(int process) implements ToHost {}

    /** Makes a folder for a role's files. */
    record Folder(String name) implements ToHost {}

    /** Sends what a folder holds, and empties it. */
    record Collect(String name) implements ToHost {}

    /**
     * Answers datagrams that carry {@code token}: at once, on a thread that spins for some seconds
     * at most, or for as long as the agent lives on one that waits for them.
     */
    record Echo(long token, boolean isPatient) implements ToHost {}

    /** Tells the time, where datagrams do not get through. */
    record Time() implements ToHost {}

    /** Says that the controller lives. */
    record Beat() implements ToHost {}

    /** Ends all processes, and the agent. */
    record Bye() implements ToHost {}
}
