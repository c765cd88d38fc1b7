package io.tickmark.lab.plan;

import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.SettingType;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Resolves a test to its roles, each with checked settings. */
public final class RoleResolver {
    /** The name of a role's key in errors, by the role's position in the test. */
    interface Naming extends BiFunction<Integer, String, String> {}

    private static final String CHANNEL = "channel";

    /** No user waits longer for a trial; sums of it do not overflow. */
    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(100);

    private final RoleCatalog catalog;

    /**
     * A resolver.
     *
     * @param catalog the known roles
     */
    public RoleResolver(final RoleCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * The participants of a trial.
     *
     * @param test to resolve
     * @param channel one of its channels
     * @return one for each role and count, in the order of the plan
     * @throws UserError if a role is unknown or a setting wrong; options are named as on the
     *     command line
     */
    public List<RoleInstance> resolve(final TestPlan test, final String channel) {
        return resolve(test, channel, (role, key) -> "--" + kebab(key));
    }

    /**
     * The test as a further trial in processes that have already run it: warm-ups are as short as
     * their settings say for that.
     *
     * @param test to shorten; its roles are known
     * @param channel one of its channels
     * @return the test, with shorter settings for those of its roles that have any
     * @throws UserError if a setting is wrong
     */
    public TestPlan warm(final TestPlan test, final String channel) {
        return shortened(test, channel, setting -> true);
    }

    /**
     * The test as a burst at full speed in new processes, which only shows where a search may
     * begin: the time is as it is in which code is compiled, the rest of a warm-up as in {@link
     * #warm}.
     *
     * @param test to shorten; its roles are known
     * @param channel one of its channels
     * @return the test, with shorter settings for those of its roles that have any
     * @throws UserError if a setting is wrong
     */
    public TestPlan burst(final TestPlan test, final String channel) {
        return shortened(test, channel, setting -> setting.type() != SettingType.DURATION);
    }

    private TestPlan shortened(
            final TestPlan test,
            final String channel,
            final Predicate<SettingDescriptor> isShortened) {
        return test.withRoles(
                test.roles().stream()
                        .map(role -> shortened(test, role, channel, isShortened))
                        .toList());
    }

    private RolePlan shortened(
            final TestPlan test,
            final RolePlan role,
            final String channel,
            final Predicate<SettingDescriptor> isShortened) {
        final Class<? extends Record> settings = catalog.find(role.role()).settings();
        final Map<String, Object> values =
                Settings.toMap(
                        Settings.read(
                                settings,
                                values(catalog.find(role.role()), test, role, channel),
                                key -> "--" + kebab(key)));
        final Map<String, Object> shorter = new LinkedHashMap<>();
        SettingDescriptor.of(settings).stream()
                .filter(setting -> !setting.whenWarm().isEmpty() && isShorter(setting, values))
                .filter(isShortened)
                .forEach(setting -> shorter.put(setting.key(), setting.whenWarm()));
        return role.adding(shorter);
    }

    private static boolean isShorter(
            final SettingDescriptor setting, final Map<String, Object> values) {
        final String key = setting.key();
        return setting.type() != SettingType.DURATION
                || Durations.parse(setting.whenWarm(), key)
                                .compareTo(Durations.parse(String.valueOf(values.get(key)), key))
                        < 0;
    }

    /**
     * Refuses settings with a wrong value, and those without effect.
     *
     * @param test to check; its roles are known
     * @param typed keys that the user typed in addition to the plan
     * @param option with which they were typed, for errors
     * @param later keys that get a value of a matrix
     * @throws UserError if a setting is wrong
     */
    public void check(
            final TestPlan test,
            final Set<String> typed,
            final String option,
            final Set<String> later) {
        final Naming naming =
                (role, key) -> (typed.contains(key) ? option + " " + key : "--" + kebab(key));
        final List<String> channels = test.channels();
        resolve(test, channels == null || channels.isEmpty() ? "" : channels.getFirst(), naming);
        checkGiven(test, later, (role, key) -> typed.contains(key) ? option + " " + key : key);
    }

    /**
     * Refuses settings that their role would ignore because of the others; {@code later} come from
     * a matrix, and naming is called for present keys.
     */
    void checkGiven(final TestPlan test, final Set<String> later, final Naming naming) {
        final Set<String> open = new HashSet<>(later);
        if (test.search() != null) {
            open.add(test.search().rateKey());
            open.add(test.search().durationKey());
        }
        for (int place = 0; place < test.roles().size(); place++) {
            final RolePlan plan = test.roles().get(place);
            final RoleFactory<?> factory = catalog.find(plan.role());
            final Map<String, Object> values = values(factory, test, plan, "");
            final int atPlace = place;
            factory.checkGiven(
                    values,
                    open,
                    key -> values.containsKey(key) ? naming.apply(atPlace, key) : key);
        }
    }

    /**
     * Refuses a test of roles that can measure nothing together.
     *
     * @param test to check; its roles are known, and their settings valid
     * @param naming the name of a role's key in errors
     */
    void checkCompany(final TestPlan test, final Naming naming) {
        final Map<String, Integer> counts = counts(test);
        if (counts.keySet().stream().allMatch(role -> catalog.find(role).isObserver())) {
            throw UserError.usage(
                    "roles: %s watches others, and there are none; add the roles that measure."
                            .formatted(String.join(", ", counts.keySet())));
        }
        for (int place = 0; place < test.roles().size(); place++) {
            final RolePlan plan = test.roles().get(place);
            final int atPlace = place;
            checkCompany(
                    catalog.find(plan.role()),
                    values(catalog.find(plan.role()), test, plan, test.channels().getFirst()),
                    counts,
                    key -> naming.apply(atPlace, key));
        }
    }

    private static <S extends Record> void checkCompany(
            final RoleFactory<S> factory,
            final Map<String, Object> values,
            final Map<String, Integer> counts,
            final java.util.function.UnaryOperator<String> naming) {
        factory.checkCompany(Settings.read(factory.settings(), values, naming), counts, naming);
    }

    /**
     * The known key that was probably meant by an unknown one.
     *
     * @param test to check; its roles are known
     * @param key as typed
     * @return the end of a sentence
     */
    public String meant(final TestPlan test, final String key) {
        final Optional<SettingDescriptor> renamed =
                test.roles().stream()
                        .flatMap(role ->
                                SettingDescriptor.of(catalog.find(role.role()).settings()).stream())
                        .filter(setting -> setting.formerly().contains(key))
                        .findFirst();
        return renamed.map(setting -> "it is called " + setting.key() + " now: " + setting.help())
                .or(() -> FormerKeys.now(key))
                .orElseGet(() -> NearestWord.hint(key, keys(test).stream().sorted().toList()));
    }

    /**
     * The settings that a test can have.
     *
     * @param test of a plan
     * @return keys that one of its roles knows, without the channel
     */
    public Set<String> keys(final TestPlan test) {
        return test.roles().stream()
                .flatMap(
                        role -> SettingDescriptor.of(catalog.find(role.role()).settings()).stream())
                .map(SettingDescriptor::key)
                .filter(key -> !key.equals(CHANNEL))
                .collect(Collectors.toUnmodifiableSet());
    }

    List<RoleInstance> resolve(final TestPlan test, final String channel, final Naming naming) {
        final Map<String, Integer> counts = counts(test);
        final Map<String, Integer> used = new HashMap<>();
        final List<RoleInstance> instances = new ArrayList<>();
        for (int place = 0; place < test.roles().size(); place++) {
            final RolePlan plan = test.roles().get(place);
            final int atPlace = place;
            for (int i = 0; i < plan.count(); i++) {
                final int index = used.merge(plan.role(), 1, Integer::sum);
                instances.add(
                        instance(
                                catalog.find(plan.role()),
                                plan,
                                values(catalog.find(plan.role()), test, plan, channel),
                                index,
                                counts.get(plan.role()),
                                key -> naming.apply(atPlace, key)));
            }
        }
        return List.copyOf(instances);
    }

    private static <S extends Record> RoleInstance instance(
            final RoleFactory<S> factory,
            final RolePlan plan,
            final Map<String, Object> values,
            final int index,
            final int count,
            final java.util.function.UnaryOperator<String> naming) {
        final S settings = Settings.read(factory.settings(), values, naming);
        return new RoleInstance(
                factory,
                settings,
                values,
                index,
                count,
                plan.process().isEmpty() ? factory.name() + "-" + index : plan.process(),
                plan,
                factory.hotThreads(settings, index, count),
                Math.clamp(factory.expectedDurationNs(settings), 0, LONGEST_NS));
    }

    private static Map<String, Integer> counts(final TestPlan test) {
        final Map<String, Integer> counts = new HashMap<>();
        test.roles().forEach(role -> counts.merge(role.role(), role.count(), Integer::sum));
        return counts;
    }

    private static Map<String, Object> values(
            final RoleFactory<?> factory,
            final TestPlan test,
            final RolePlan plan,
            final String channel) {
        final List<String> known = keys(factory).toList();
        final Map<String, Object> values = new LinkedHashMap<>(factory.implied(counts(test)));
        if (!channel.isEmpty() && known.contains(CHANNEL)) {
            values.put(CHANNEL, channel);
        }
        test.settings()
                .forEach((key, value) -> {
                    if (known.contains(key)) {
                        values.put(key, value);
                    }
                });
        values.putAll(plan.settings());
        return values;
    }

    /**
     * Keys of the test's settings that none of its roles knows.
     *
     * @param test to check; its roles are known
     * @return the keys
     */
    List<String> unknownKeys(final TestPlan test) {
        final List<String> known =
                test.roles().stream().flatMap(role -> keys(catalog.find(role.role()))).toList();
        return test.settings().keySet().stream().filter(key -> !known.contains(key)).toList();
    }

    /**
     * Refuses a search over a setting that no role of the test has.
     *
     * @param test to check; its roles are known
     * @throws UserError if it searches and cannot
     */
    public void checkSearch(final TestPlan test) {
        if (test.search() != null) {
            check(test, test.search().rateKey(), "rateKey");
            check(test, test.search().durationKey(), "durationKey");
        }
    }

    private void check(final TestPlan test, final String key, final String nameOfKey) {
        if (test.roles().stream()
                .flatMap(role -> keys(catalog.find(role.role())))
                .noneMatch(key::equals)) {
            throw UserError.usage(
                    "search: no role of test %s has a setting '%s'; name the one to search over with search.%s, %s"
                            .formatted(
                                    test.name(),
                                    key,
                                    nameOfKey,
                                    NearestWord.hint(key, keys(test).stream().sorted().toList())));
        }
    }

    private static Stream<String> keys(final RoleFactory<?> factory) {
        return SettingDescriptor.of(factory.settings()).stream().map(SettingDescriptor::key);
    }

    private static String kebab(final String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }
}
