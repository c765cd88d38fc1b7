package io.tickmark.lab.protocol;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tickmark.kernel.record.LatencyInterval;
import io.tickmark.kernel.result.NoiseSummary;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.settings.UserError;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Messages of a role process. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FromRole.Hello.class, name = "hello"),
    @JsonSubTypes.Type(value = FromRole.Bound.class, name = "bound"),
    @JsonSubTypes.Type(value = FromRole.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = FromRole.Progress.class, name = "progress"),
    @JsonSubTypes.Type(value = FromRole.Output.class, name = "tell"),
    @JsonSubTypes.Type(value = FromRole.Step.class, name = "step"),
    @JsonSubTypes.Type(value = FromRole.Delivered.class, name = "delivered"),
    @JsonSubTypes.Type(value = FromRole.Result.class, name = "result"),
    @JsonSubTypes.Type(value = FromRole.Failed.class, name = "failed"),
    @JsonSubTypes.Type(value = FromRole.NoiseResult.class, name = "noise-result"),
    @JsonSubTypes.Type(value = FromRole.Bye.class, name = "bye")
})
public sealed interface FromRole {
    /** Version of the protocol; both sides must speak the same. */
    String PROTOCOL = "tickmark.role/1";

    /**
     * The process is running.
     *
     * @param protocol it speaks
     * @param pid of the process, which a wrapper command may hide
     * @param java version it runs on
     */
    record Hello(String protocol, long pid, String java) implements FromRole {
        /** Checks that no value is missing. */
        public Hello {
            requireNonNull(protocol);
        }
    }

    /**
     * The role is prepared.
     *
     * @param id of the role
     * @param endpoints it bound
     */
    record Bound(String id, Endpoints endpoints) implements FromRole {
        /** Checks that no value is missing. */
        public Bound {
            requireNonNull(id);
            requireNonNull(endpoints);
        }
    }

    /**
     * The role is connected and can start.
     *
     * @param id of the role
     */
    record Ready(String id) implements FromRole {
        /** Checks that no value is missing. */
        public Ready {
            requireNonNull(id);
        }
    }

    /**
     * Sent once a second while measuring. Gauges and latencies may be absent, because an older
     * build of tickmark does not send them.
     *
     * @param id of the role
     * @param step number, -1 before the first
     * @param label of the step
     * @param inStep whether the step is still in progress
     * @param elapsedNs since the first step began, by the role's clock
     * @param counters totals by name
     * @param gauges current values, by name
     * @param latencies since the line before, by name
     */
    @JsonDeserialize(using = ProgressReader.class)
    record Progress(
            String id,
            int step,
            String label,
            boolean inStep,
            long elapsedNs,
            Map<String, Long> counters,
            Map<String, Long> gauges,
            Map<String, LatencyInterval> latencies)
            implements FromRole {
        /** Checks that no value is missing. */
        public Progress {
            requireNonNull(id);
            requireNonNull(label);
            requireNonNull(counters);
            gauges = gauges == null ? Map.of() : gauges;
            latencies = latencies == null ? Map.of() : latencies;
        }

        /**
         * A line of a role.
         *
         * @param id of the role
         * @param progress as its recording reports it
         * @return the line
         */
        public static Progress of(
                final String id, final io.tickmark.kernel.record.Progress progress) {
            return new Progress(
                    id,
                    progress.step(),
                    progress.label(),
                    progress.inStep(),
                    progress.elapsedNs(),
                    progress.counters(),
                    progress.gauges(),
                    progress.latencies());
        }

        /**
         * The progress.
         *
         * @return as the role's recording reported it
         */
        public io.tickmark.kernel.record.Progress progress() {
            return new io.tickmark.kernel.record.Progress(
                    step, label, inStep, elapsedNs, counters, gauges, latencies);
        }
    }

    /**
     * A line for the user.
     *
     * @param id of the role
     * @param line without a line end
     */
    record Output(String id, String line) implements FromRole {
        /** Checks that no value is missing. */
        public Output {
            requireNonNull(id);
            requireNonNull(line);
        }
    }

    /**
     * What was measured in one step; all of them are sent before the result.
     *
     * @param id of the role
     * @param step as measured
     */
    record Step(String id, StepLine step) implements FromRole {
        /** Checks that no value is missing. */
        public Step {
            requireNonNull(id);
            requireNonNull(step);
        }
    }

    /**
     * When messages arrived after one of the planned faults; all of them are sent before the
     * result.
     *
     * @param id of the role
     * @param latency by which they were recorded
     * @param fault index among those sent to the role, from 0
     * @param step in which the first arrived, -1 for none
     * @param times two for each message, in ns: when it was due, and when it arrived
     */
    record Delivered(String id, String latency, int fault, int step, List<Long> times)
            implements FromRole {
        /** Checks that no value is missing. */
        public Delivered {
            requireNonNull(id);
            requireNonNull(latency);
            times = List.copyOf(times);
        }
    }

    /**
     * The role has measured; its last message.
     *
     * @param id of the role
     * @param metrics by name
     * @param warnings sentences
     * @param failure why it failed, empty when it did not
     */
    record Result(String id, Map<String, Object> metrics, List<String> warnings, String failure)
            implements FromRole {
        /** Checks that no value is missing. */
        public Result {
            requireNonNull(id);
            requireNonNull(metrics);
            requireNonNull(warnings);
            requireNonNull(failure);
        }
    }

    /**
     * The role could not continue; its last message.
     *
     * @param id of the role
     * @param kind of the user's error; absent for a defect
     * @param sentence what happened
     */
    record Failed(String id, UserError.Kind kind, String sentence) implements FromRole {
        /** Checks that no value is missing. */
        public Failed {
            requireNonNull(id);
            requireNonNull(sentence);
        }
    }

    /**
     * The noise floor.
     *
     * @param noise as measured
     */
    record NoiseResult(NoiseSummary noise) implements FromRole {
        /** Checks that no value is missing. */
        public NoiseResult {
            requireNonNull(noise);
        }
    }

    /** The process ends. */
    record Bye() implements FromRole {}
}
