package io.tickmark.cli.option;

import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.lab.plan.ForeignYaml;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The OpenMessaging Benchmark framework: its files of workloads, as plans that measure one of its
 * drivers. What cannot be done here is refused, what is done differently is reported. A file's keys
 * are the fields of the framework's class {@code Workload}.
 */
public final class OpenMessagingDialect {
    private static final String SCHEME = "omb";
    private static final int LONGEST_NAME = 64;
    private static final int MOST_SUBSCRIPTIONS = 1024;
    private static final int MOST_PER_TOPIC = 1000;
    private static final int MOST_PARTITIONS = 100_000;
    private static final int LARGEST_BYTES = 1 << 24;
    private static final int USUAL_LARGEST_BYTES = 1_000_000;
    private static final int LONGEST_MINUTES = 24 * 60;
    private static final int LONGEST_WARM_UP_MINUTES = 60;
    private static final long MOST_RATE = 100_000_000;

    /** From here on {@code jvmWarmUp} keeps the rate of the test for all of its time. */
    private static final long RATE_OF_JVM_WARM_UP = 50_000;

    /** What workloads say that are to find out how much there is; nothing sends so much. */
    private static final long RATE_TO_DISCOVER = 10_000_000;

    private static final long SECONDS = 60;

    /** The framework uses this many keys, in either order. */
    private static final int KEYS = 10_000;

    private static final String NO_KEY = "NO_KEY";
    private static final String IN_TURN = "KEY_ROUND_ROBIN";
    private static final String AT_RANDOM = "RANDOM_NANO";

    /** What messages hold. */
    private static final Set<String> CONTENTS =
            Set.of(
                    "payloadFile",
                    "useRandomizedPayloads",
                    "randomBytesRatio",
                    "randomizedPayloadPoolSize");

    private static final Set<String> READ =
            Set.of(
                    "name",
                    "topics",
                    "partitionsPerTopic",
                    "keyDistributor",
                    "messageSize",
                    "subscriptionsPerTopic",
                    "producersPerTopic",
                    "consumerPerSubscription",
                    "producerRate",
                    "testDurationMinutes",
                    "warmupDurationMinutes");

    private static final String BACKLOG = "consumerBacklogSizeGB";
    private static final String DRAIN = "backlogDrainRatio";

    private final ForeignYaml workload;
    private final List<String> remarks = new ArrayList<>();

    private OpenMessagingDialect(final ForeignYaml workload) {
        this.workload = workload;
    }

    /**
     * A workload as a plan.
     *
     * @param plan that measures what the workload did
     * @param remarks a sentence for each key that is done differently here
     */
    public record Imported(Plan plan, List<String> remarks) {
        /** Copies the list. */
        public Imported {
            remarks = List.copyOf(remarks);
        }
    }

    /**
     * Makes a plan of a workload.
     *
     * @param workload its file
     * @param driver path of the driver's configuration
     * @param jars folders with the driver's jars; none for those beside the configuration
     * @return the plan
     * @throws UserError that names everything that cannot be done here
     */
    public static Imported plan(final Path workload, final String driver, final List<String> jars) {
        final ForeignYaml yaml =
                ForeignYaml.read(workload, "workload of the OpenMessaging Benchmark", "name: ");
        return new OpenMessagingDialect(yaml).plan(workload.getFileName().toString(), driver, jars);
    }

    private Imported plan(final String fileName, final String driver, final List<String> jars) {
        workload.keys().forEach(this::checkKey);
        final int topics = whole("topics", 0, 1, Topic.MAX_TOPICS);
        final int subscriptions = whole("subscriptionsPerTopic", 0, 1, MOST_SUBSCRIPTIONS);
        final int bytes = whole("messageSize", 0, Stamp.SHORT_LENGTH, LARGEST_BYTES);
        final long rate = workload.whole("producerRate", 0, 0, MOST_RATE);
        final Map<String, String> parameters = parameters(jars, bytes);
        final TestPlan.Builder test =
                TestPlan.builder("workload", "stream")
                        .channel(channel(driver, parameters))
                        .setting("payloadBytes", bytes)
                        .setting("topics", topics(topics))
                        .setting("subscribers", subscriptions)
                        .role(RolePlan.of("stream-pub", Map.of()))
                        .role(RolePlan.of("stream-sub", Map.of()).times(subscriptions));
        final int minutes = whole("testDurationMinutes", 0, 1, LONGEST_MINUTES);
        final int warmUp = whole("warmupDurationMinutes", 1, 0, LONGEST_WARM_UP_MINUTES);
        if (rate > 0) {
            test.setting("rate", rate).setting("duration", minutes + "m");
            warmUp(test, rate, warmUp);
        }
        workload.refuseProblems();
        final String called = workload.text("name", fileName.replaceFirst("\\.ya?ml$", ""));
        final Plan plan =
                Plan.named(planName(called))
                        .describedAs(
                                "%s, a workload of the OpenMessaging Benchmark."
                                        .formatted(called.strip().replaceAll("\\s+", " ")));
        if (rate > 0) {
            return new Imported(plan.with(test.build()), remarks);
        }
        remarks.add(
                ("%s is 0: the highest rate that holds is searched for, in trials whose length is the search's;"
                                + " testDurationMinutes and warmupDurationMinutes are not used.")
                        .formatted(workload.called("producerRate")));
        return new Imported(plan.with(test.build().searching(SearchGoal.DEFAULT)), remarks);
    }

    private int whole(final String key, final int byDefault, final int min, final int max) {
        return (int) workload.whole(key, byDefault, min, max);
    }

    private void checkKey(final String key) {
        if (CONTENTS.contains(key)) {
            if (!workload.text(key, "").isEmpty()) {
                remarks.add(
                        ("%s is ignored: messages have the length of messageSize, and hold a stamp and varying bytes, which"
                                        + " compress differently from a file or random bytes.")
                                .formatted(workload.called(key)));
            }
        } else if (key.equals(BACKLOG)) {
            if (!workload.text(key, "0").matches("0*([.]0*)?")) {
                workload.problem(
                        key,
                        "is a backlog that builds up while consumers pause, which is not supported here; leave it out to"
                                + " measure without one");
            }
        } else if (key.equals(DRAIN)) {
            if (!workload.keys().contains(BACKLOG)) {
                remarks.add(
                        "%s is ignored, as there is no backlog.".formatted(workload.called(key)));
            }
        } else if (!READ.contains(key)) {
            workload.problem(
                    key,
                    "is not a key of a workload that is known here; "
                            + NearestWord.to(key, List.copyOf(known()))
                                    .map(nearest ->
                                            "did you mean %s, or take it out".formatted(nearest))
                                    .orElse("take it out"));
        }
    }

    private static Set<String> known() {
        final Set<String> known = new TreeSet<>(READ);
        known.addAll(CONTENTS);
        known.add(BACKLOG);
        known.add(DRAIN);
        return known;
    }

    private Map<String, String> parameters(final List<String> jars, final int bytes) {
        final Map<String, String> parameters = new LinkedHashMap<>();
        if (!jars.isEmpty()) {
            parameters.put("jars", String.join(",", jars));
        }
        putUnlessOne(parameters, "partitions", "partitionsPerTopic", MOST_PARTITIONS);
        putUnlessOne(parameters, "producers", "producersPerTopic", MOST_PER_TOPIC);
        putUnlessOne(parameters, "consumers", "consumerPerSubscription", MOST_PER_TOPIC);
        switch (workload.text("keyDistributor", NO_KEY)) {
            case NO_KEY -> {
                // as it is without a parameter
            }
            case IN_TURN -> parameters.put("keys", Integer.toString(KEYS));
            case AT_RANDOM -> {
                parameters.put("keys", Integer.toString(KEYS));
                remarks.add(
                        "%s is %s: that many keys are used here, in turn and not at random."
                                .formatted(workload.called("keyDistributor"), AT_RANDOM));
            }
            default ->
                    workload.problem(
                            "keyDistributor",
                            "is %s; write %s, %s or %s"
                                    .formatted(
                                            workload.text("keyDistributor", ""),
                                            NO_KEY,
                                            IN_TURN,
                                            AT_RANDOM));
        }
        if (bytes > USUAL_LARGEST_BYTES) {
            parameters.put("maxPayloadBytes", Integer.toString(bytes));
        }
        return parameters;
    }

    private void putUnlessOne(
            final Map<String, String> parameters,
            final String parameter,
            final String key,
            final int most) {
        final int count = whole(key, 0, 1, most);
        if (count > 1) {
            parameters.put(parameter, Integer.toString(count));
        }
    }

    private static String channel(final String driver, final Map<String, String> parameters) {
        if (driver.isEmpty() || !canBeRead(uri(driver, Map.of()))) {
            throw UserError.usage(
                    "--driver %s: cannot be used in a channel's URI; give a path without the characters ? & | in its names."
                            .formatted(driver));
        }
        final ChannelUri channel = uri(driver, parameters);
        if (!canBeRead(channel)) {
            throw UserError.usage(
                    "--jars %s: cannot be used in a channel's URI; give folders without the characters ? & | in their names."
                            .formatted(parameters.get("jars")));
        }
        return channel.toString();
    }

    private static ChannelUri uri(final String driver, final Map<String, String> parameters) {
        return new ChannelUri(SCHEME, driver, parameters, driver.startsWith("/"));
    }

    private static boolean canBeRead(final ChannelUri channel) {
        try {
            return ChannelUri.parse(channel.toString()).equals(channel);
        } catch (final UserError e) {
            return false;
        }
    }

    private static List<String> topics(final int count) {
        return IntStream.rangeClosed(1, count).mapToObj("topic-%d"::formatted).toList();
    }

    /**
     * At the rate of the test, as there. By time where that is possible: so many messages as a high
     * rate asks for may take hours.
     */
    private void warmUp(final TestPlan.Builder test, final long rate, final int minutes) {
        if (rate >= RATE_TO_DISCOVER) {
            remarks.add(
                    ("%s is %d, which the framework's workloads use to discover the highest rate: here most messages would"
                                    + " only be late; write producerRate: 0, which searches for that rate.")
                            .formatted(workload.called("producerRate"), rate));
        }
        if (minutes > 0 && rate >= RATE_OF_JVM_WARM_UP) {
            test.setting("jvmWarmUp", minutes + "m");
        } else if (minutes > 0) {
            test.setting("warmUpMessages", List.of(rate * SECONDS * minutes, rate));
        }
    }

    /** Names of plans are names of folders as well. */
    private static String planName(final String called) {
        final String name =
                called.strip()
                        .replaceAll("[^A-Za-z0-9._-]+", "-")
                        .replaceFirst("^[^A-Za-z0-9]+", "");
        return name.isEmpty()
                ? "workload"
                : name.substring(0, Math.min(LONGEST_NAME, name.length()));
    }
}
