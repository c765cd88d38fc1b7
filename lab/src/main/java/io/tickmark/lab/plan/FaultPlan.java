package io.tickmark.lab.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.tickmark.kernel.role.MemberFault;
import java.time.Duration;

/**
 * A fault injected into a role on purpose while it measures; it does not make a trial void.
 *
 * @param role name of the role
 * @param index of the role, from 1
 * @param member which of the processes that the role runs, from 1; 0 for the role's own
 * @param at how long after the start
 * @param action what is done to its process
 */
public record FaultPlan(
        @PlanKey(help = "Name of the role.", required = true) String role,
        @PlanKey(help = "Number of the instance; 1 by default.", min = 1, max = 1024) Integer index,
        @PlanKey(
                        help =
                                "Which of the processes that the role runs, a store's member; its own by default.",
                        min = 1,
                        max = 1024)
                Integer member,
        @PlanKey(help = "How long after the start.", required = true) Duration at,
        @PlanKey(help = "What is done to the role's process.", required = true) @JsonProperty("do")
                Action action) {
    /** What can be done to a process. */
    public enum Action {
        /** Kills it. */
        KILL,
        /** Suspends it. */
        STOP,
        /** Resumes a suspended one. */
        CONTINUE,
        /** Restarts a killed member. */
        RESTART
    }

    /**
     * The fault of a process that the role runs.
     *
     * @return the same fault, as it is sent to the role
     */
    public MemberFault ofMember() {
        return new MemberFault(
                member,
                action == Action.RESTART ? MemberFault.Kind.RESTART : MemberFault.Kind.KILL);
    }

    /** Fills in what was not given. */
    public FaultPlan {
        index = index == null ? Integer.valueOf(1) : index;
        member = member == null ? Integer.valueOf(0) : member;
    }
}
