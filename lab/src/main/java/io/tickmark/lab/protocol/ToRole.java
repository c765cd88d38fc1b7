package io.tickmark.lab.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.time.ClockSegment;
import java.util.List;
import java.util.Map;

/** Messages of the controller. A role is addressed by its id, unique in a process and trial. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ToRole.Prepare.class, name = "prepare"),
    @JsonSubTypes.Type(value = ToRole.Connect.class, name = "connect"),
    @JsonSubTypes.Type(value = ToRole.StartAt.class, name = "start-at"),
    @JsonSubTypes.Type(value = ToRole.Steer.class, name = "steer"),
    @JsonSubTypes.Type(value = ToRole.Stop.class, name = "stop"),
    @JsonSubTypes.Type(value = ToRole.Inject.class, name = "inject"),
    @JsonSubTypes.Type(value = ToRole.Noise.class, name = "noise"),
    @JsonSubTypes.Type(value = ToRole.Bye.class, name = "bye")
})
public sealed interface ToRole {
    /**
     * Create a role and bind its endpoints.
     *
     * @param id of the role from now on
     * @param role its name
     * @param index among the roles of its name, from 1
     * @param count of roles of its name
     * @param trialId the same for all roles of the trial
     * @param repeat of the trial, from 1
     * @param settings by key
     * @param threads one for each hot thread, in the factory's order
     * @param connectTimeoutNs how long it may look for peers
     * @param directory for its files, which exists; empty for none
     * @param clock mapping of its host's monotonic clock to the controller's
     */
    record Prepare(
            String id,
            String role,
            int index,
            int count,
            int trialId,
            int repeat,
            Map<String, Object> settings,
            List<ThreadPlan> threads,
            long connectTimeoutNs,
            String directory,
            ClockSegment clock)
            implements ToRole {}

    /**
     * What is planned for a hot thread.
     *
     * @param name of the thread
     * @param idle how it waits where the role's settings do not say
     * @param idleReason why it does not spin where nobody chose how it waits; otherwise empty
     * @param core to pin it to, -1 for none
     */
    record ThreadPlan(String name, IdleMode idle, String idleReason, int core) {}

    /**
     * Connect to what was bound.
     *
     * @param id of the role
     * @param endpoints of all roles
     */
    record Connect(String id, Endpoints endpoints) implements ToRole {}

    /**
     * Measure.
     *
     * @param id of the role
     * @param startAtNs on the monotonic clock
     * @param faultsNs when faults are planned, for it or for others, after the start; recording
     *     roles keep the arrivals after them
     */
    record StartAt(String id, long startAtNs, List<Long> faultsNs) implements ToRole {
        /** None may be omitted. */
        public StartAt {
            faultsNs = faultsNs == null ? List.of() : List.copyOf(faultsNs);
        }
    }

    /**
     * Continue with another clock; at any time after preparing.
     *
     * @param id of the role
     * @param clock pieces in order, see {@link io.tickmark.kernel.time.SteeredNanoClock#steer}
     */
    record Steer(String id, List<ClockSegment> clock) implements ToRole {}

    /**
     * End soon and report what was measured.
     *
     * @param id of the role
     * @param isBrokenOff whether the trial was aborted
     */
    record Stop(String id, boolean isBrokenOff) implements ToRole {}

    /**
     * Inject a planned fault into a process that the role runs.
     *
     * @param id of the role
     * @param fault to inject
     */
    record Inject(String id, MemberFault fault) implements ToRole {}

    /**
     * Measure the noise floor.
     *
     * @param cores to watch, -1 for one not pinned
     * @param durationNs how long
     */
    record Noise(List<Integer> cores, long durationNs) implements ToRole {}

    /** End the process. */
    record Bye() implements ToRole {}
}
