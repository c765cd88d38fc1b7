package io.tickmark.cli.option;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.DurableTransport;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.workloads.messaging.store.Stores;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Plans made from others. */
public final class PlanChanges {
    private static final Map<String, Object> QUICK_SEARCH =
            Map.of(
                    "initialTrial", "1s",
                    "finalTrial", "1s",
                    "durationSum", "1s",
                    "width", 0.2,
                    "confirmations", 0,
                    "soak", "0s");

    /** Settings of the phases before each of their trials, where a role of the test has them. */
    private static final Map<String, Object> QUICK_START =
            Map.of("jvmWarmUp", "200ms", "storeWarmUp", "500ms");

    /** Five messages at 50 a second, in place of the configured warm-up. */
    private static final String WARM_UP = "warmUpMessages";

    /** Of a plan's name. */
    private static final int LONGEST_NAME = 64;

    private static final List<Integer> QUICK_WARM_UP = List.of(5, 50);

    private static final String DELETION = "deletion";

    private PlanChanges() {}

    /**
     * The same plan with other repeats of each test.
     *
     * @param plan to change
     * @param repeats at least 1
     * @return the plan
     */
    public static Plan withRepeats(final Plan plan, final int repeats) {
        return each(plan, test -> test.withRepeats(repeats));
    }

    /**
     * The same plan with these settings in each test, in place of its own.
     *
     * @param plan to change
     * @param settings by key
     * @return the plan
     */
    public static Plan withSettings(final Plan plan, final Map<String, Object> settings) {
        return each(plan, test -> test.withSettings(settings));
    }

    /**
     * The same plan in much less time, to see that it works and the approximate figures: searches
     * with trials of a second and short warm-ups, one trial at a rate, bounds 20 % apart, no
     * confirmation and no soak; one repeat of every other test.
     *
     * @param plan to change
     * @return the plan
     */
    public static Plan quick(final Plan plan) {
        return each(
                plan.describedAs((plan.description() + " Shortened by --quick.").strip()),
                test -> {
                    final TestPlan once = test.withRepeats(1);
                    if (test.search() == null) {
                        return once;
                    }
                    final Map<String, Object> goal =
                            new LinkedHashMap<>(Settings.toMap(test.search()));
                    goal.putAll(QUICK_SEARCH);
                    return once.withSettings(known(QUICK_START, test))
                            .searching(
                                    Settings.read(SearchGoal.class, goal, key -> "search." + key));
                });
    }

    /**
     * The same plan with another store: tests with a store go through it, with the deletion and as
     * many members as they asked for, and tests without one take the engine's plain messages, so
     * that the store has streaming on its own path beside it. A test that then occurs twice is done
     * once; of different tests that then have the same name, the first is done.
     *
     * @param plan to change
     * @param store channel of an engine with a store
     * @param skipped receives a sentence for each test that this store cannot do, or whose name
     *     another one has
     * @return the plan, with at least one test
     * @throws UserError if the engine has no store, or the plan has no test that it could do
     */
    public static Plan onStore(
            final Plan plan, final ChannelUri store, final Consumer<String> skipped) {
        final DurableTransport engine = Stores.of(store);
        engine.guarantees(store);
        final Set<TestPlan> different = new HashSet<>();
        final Set<String> names = new HashSet<>();
        final List<TestPlan> tests = new ArrayList<>();
        boolean isStored = false;
        for (final TestPlan test : plan.tests()) {
            final boolean hasStore =
                    test.roles().stream().anyMatch(role -> role.role().equals(Stores.STORE));
            final Set<String> channels = new LinkedHashSet<>();
            for (final String text : test.channels()) {
                if (text.isEmpty()) {
                    channels.add(text);
                    continue;
                }
                final ChannelUri channel = ChannelUri.parse(text);
                try {
                    channels.add(
                            hasStore
                                    ? asked(engine, store, channel).toString()
                                    : plain(engine, store).map(ChannelUri::toString).orElse(text));
                } catch (final UserError e) {
                    skipped.accept("test %s is skipped: %s".formatted(test.name(), e.getMessage()));
                }
            }
            if (channels.isEmpty()) {
                continue;
            }
            isStored |= hasStore;
            final TestPlan changed =
                    named(test, nameOn(store, test, channels), List.copyOf(channels));
            if (!different.add(named(changed, "", changed.channels()))) {
                continue;
            }
            if (names.add(changed.name())) {
                tests.add(changed);
            } else {
                skipped.accept(
                        ("test %s is skipped: through %s its name would be %s, which a different test of the plan has"
                                        + " already; rename one of them.")
                                .formatted(test.name(), store, changed.name()));
            }
        }
        if (!isStored) {
            throw UserError.usage(
                    "--store %s: plan %s has no test whose store this engine could replace; name another plan, or"
                                    .formatted(store, plan.name())
                            + " give --channel.");
        }
        return plan.withTests(tests);
    }

    /** The store with what a test asks of its own: a rule of deletion, several members. */
    private static ChannelUri asked(
            final DurableTransport engine, final ChannelUri store, final ChannelUri own) {
        final Guarantees wanted = Stores.of(own).guarantees(own);
        ChannelUri channel = store;
        if (!store.parameters().containsKey(DELETION) && own.parameters().containsKey(DELETION)) {
            channel = channel.with(DELETION, own.parameters().get(DELETION));
        }
        if (wanted.members() > 1 && engine.guarantees(store).members() == 1) {
            channel =
                    engine.withMembers(channel, wanted.members())
                            .orElseThrow(() ->
                                    UserError.usage(
                                            "it has %d members that keep each message, and %s: has one only"
                                                    .formatted(wanted.members(), store.scheme())));
        }
        engine.guarantees(channel);
        return channel;
    }

    private static Optional<ChannelUri> plain(
            final DurableTransport engine, final ChannelUri store) {
        return engine.carriesPlainMessages()
                ? Optional.of(store.without(engine.ignored(store, false)))
                : Optional.empty();
    }

    /** Names of shipped tests say which engine they are of, as a word between hyphens. */
    private static String nameOn(
            final ChannelUri store, final TestPlan test, final Set<String> channels) {
        return channels.stream().anyMatch(channel -> test.channels().contains(channel))
                ? test.name()
                : test.name()
                        .replaceAll(
                                "(?<![A-Za-z0-9])%s(?![A-Za-z0-9])"
                                        .formatted(
                                                ChannelUri.parse(test.channels().getFirst())
                                                        .scheme()),
                                store.scheme());
    }

    private static TestPlan named(
            final TestPlan test, final String name, final List<String> channels) {
        final SearchGoal goal = test.search();
        return new TestPlan(
                name,
                test.workload(),
                channels,
                test.repeats(),
                test.settings(),
                test.roles(),
                test.criteria(),
                test.faults(),
                goal == null || channels.equals(test.channels()) && !name.isEmpty()
                        ? goal
                        : chosen(goal),
                test.timeout());
    }

    /** What the plan says of its own store does not hold for another. */
    private static SearchGoal chosen(final SearchGoal goal) {
        final Map<String, Object> changed = new LinkedHashMap<>(Settings.toMap(goal));
        changed.put("fidelity", "chosen by --store");
        return Settings.read(SearchGoal.class, changed, key -> "search." + key);
    }

    /** Those settings that a role of a test has. */
    private static Map<String, Object> known(
            final Map<String, Object> settings, final TestPlan test) {
        final RoleCatalog roles = RoleCatalog.load();
        final Map<String, Object> known = new LinkedHashMap<>(settings);
        known.keySet()
                .retainAll(
                        test.roles().stream()
                                .flatMap(role ->
                                        SettingDescriptor.of(roles.find(role.role()).settings())
                                                .stream())
                                .map(SettingDescriptor::key)
                                .toList());
        if (test.settings().get(WARM_UP) instanceof List) {
            known.put(WARM_UP, QUICK_WARM_UP);
        }
        return known;
    }

    /**
     * One plan that runs several, one after the other, so that they share a result folder and a
     * verdict. They share the noise floor and the processes too: the longest that one of them asks
     * for, new ones for each repeat where one of them does, and traces of what ran instead where
     * one asks for it.
     *
     * @param plans at least one
     * @return the plan
     */
    public static Plan joined(final List<Plan> plans) {
        if (plans.size() == 1) {
            return plans.getFirst();
        }
        final List<TestPlan> tests = new ArrayList<>();
        final Set<String> names = new HashSet<>();
        for (final Plan plan : plans) {
            if (!plan.matrix().isEmpty()) {
                throw UserError.usage(
                        "plan %s: has a matrix, which cannot take turns with other plans; run it alone."
                                .formatted(plan.name()));
            }
            for (final TestPlan test : plan.tests()) {
                if (!names.add(test.name())) {
                    throw UserError.usage(
                            "plan %s: its test '%s' is also in a plan named before it; run the two plans one after the other."
                                    .formatted(plan.name(), test.name()));
                }
                tests.add(test);
            }
        }
        // a name that plan.yaml may have: the plan that ran can be run again
        final String all = String.join("_", plans.stream().map(Plan::name).toList());
        final String name = all.substring(0, Math.min(all.length(), LONGEST_NAME));
        Plan joined =
                Plan.named(name)
                        .describedAs("Several plans in one run.")
                        .withNoise(
                                plans.stream()
                                        .map(Plan::noise)
                                        .max(Comparator.naturalOrder())
                                        .orElseThrow())
                        .withTests(tests);
        joined = plans.stream().anyMatch(Plan::explain) ? joined.explained() : joined;
        return plans.stream().anyMatch(Plan::freshProcesses) ? joined.withFreshProcesses() : joined;
    }

    private static Plan each(final Plan plan, final UnaryOperator<TestPlan> change) {
        return plan.withTests(plan.tests().stream().map(change).toList());
    }
}
