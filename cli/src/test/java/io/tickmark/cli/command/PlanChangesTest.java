package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.option.PlanChanges;
import io.tickmark.cli.option.PlanSettings;
import io.tickmark.cli.run.Machines;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.control.RunEstimate;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.plan.RoleResolver;
import io.tickmark.lab.plan.TestPlan;
import io.tickmark.lab.search.SearchGoal;
import io.tickmark.transport.ChannelUri;
import io.tickmark.workloads.messaging.store.Stores;
import io.tickmark.workloads.messaging.stream.StreamPubSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanChangesTest {
    private final Plan plan = Plan.named("a").with(test("one")).with(test("two"));

    @Test
    void shouldRepeatEachTest() {
        assertThat(PlanChanges.withRepeats(plan, 4).tests())
                .extracting(TestPlan::repeats)
                .containsExactly(4, 4);
    }

    @Test
    void shouldSayWhatRepeatsDoNotHoldFor() {
        final Plan searching = plan.with(test("three").searching(SearchGoal.DEFAULT));

        assertThat(RunCommand.searchesRepeat(searching, options(Map.of("repeats", 3))))
                .hasValueSatisfying(sentence ->
                        assertThat(sentence).contains("test three:", "'confirmations'"));
        assertThat(RunCommand.searchesRepeat(searching, options(Map.of("fresh", true))))
                .isPresent();
        assertThat(RunCommand.searchesRepeat(searching, options(Map.of()))).isEmpty();
        assertThat(RunCommand.searchesRepeat(plan, options(Map.of("repeats", 3)))).isEmpty();
    }

    /** One engine: the same test on several stand-ins is left once. */
    @Test
    void shouldPutAStoreInPlaceOfThoseOfThePlan() {
        final Plan tests = new PlanLibrary(RoleCatalog.load()).find("ten-tests");
        final List<String> skipped = new ArrayList<>();

        final Plan changed =
                PlanChanges.onStore(tests, ChannelUri.parse("redis:?sync=everysec"), skipped::add);

        assertThat(changed.tests())
                .extracting(TestPlan::name, test -> test.channels().getFirst())
                .contains(
                        tuple("test-1-redis", "redis:"),
                        tuple("test-2-redis", "redis:?sync=everysec"),
                        tuple("test-3-redis", "redis:?sync=everysec|deletion=acknowledged"),
                        tuple("test-6-redis", "redis:"),
                        tuple(
                                "test-10-redis-batched",
                                "redis:?sync=everysec|deletion=acknowledged"));
        assertThat(changed.tests()).hasSize(11).extracting(TestPlan::name).doesNotHaveDuplicates();
        assertThat(changed.tests())
                .extracting(test -> test.search().fidelity())
                .containsOnly("chosen by --store");
        assertThat(skipped)
                .isNotEmpty()
                .allMatch(sentence -> sentence.contains("3 members that keep each message"));
    }

    @ParameterizedTest
    @CsvSource({
        "kafka:, test-4-kafka, kafka:?deletion=acknowledged|members=3",
        "jetstream:, test-4-jetstream, jetstream:?deletion=acknowledged|replicas=3",
    })
    void shouldAskTheStoreForAsManyMembersAsTheTestHas(
            final String store, final String test, final String channel) {
        final Plan changed =
                PlanChanges.onStore(
                        new PlanLibrary(RoleCatalog.load()).find("ten-tests"),
                        ChannelUri.parse(store),
                        sentence -> {});

        assertThat(changed.tests())
                .filteredOn(each -> each.name().equals(test))
                .singleElement()
                .extracting(each -> each.channels().getFirst())
                .isEqualTo(channel);
    }

    @Test
    void shouldSayWhereAPlanHasNoStore() {
        assertThatThrownBy(
                        () -> PlanChanges.onStore(plan, ChannelUri.parse("redis:"), sentence -> {}))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no test whose store");
        assertThatThrownBy(
                        () -> PlanChanges.onStore(plan, ChannelUri.parse("nats:"), sentence -> {}))
                .hasMessageContaining("keeps no messages");
    }

    /** The second one was left out without a word. */
    @Test
    void shouldSayThatOfTwoTestsWithTheSameNameOneIsSkipped() {
        final Plan stored =
                Plan.named("stored")
                        .with(stored("fill-archive", "archive:", 64))
                        .with(stored("fill-jetstream", "jetstream:", 64))
                        .with(stored("load-archive", "archive:", 100))
                        .with(stored("load-jetstream", "jetstream:", 700));
        final List<String> skipped = new ArrayList<>();

        final Plan changed = PlanChanges.onStore(stored, ChannelUri.parse("redis:"), skipped::add);

        assertThat(changed.tests())
                .extracting(TestPlan::name, test -> test.settings().get("sizes"))
                .containsExactly(
                        tuple("fill-redis", List.of(64)), tuple("load-redis", List.of(100)));
        assertThat(skipped)
                .singleElement()
                .asString()
                .startsWith("test load-jetstream is skipped: ")
                .contains("its name would be load-redis")
                .endsWith("rename one of them.");
    }

    @Test
    void shouldReplaceTheEngineInANameWhereItIsAWordOfItsOwn() {
        final Plan changed =
                PlanChanges.onStore(
                        Plan.named("stored").with(stored("archived-archive", "archive:", 64)),
                        ChannelUri.parse("redis:"),
                        sentence -> {});

        assertThat(changed.tests()).extracting(TestPlan::name).containsExactly("archived-redis");
    }

    private static TestPlan stored(final String name, final String channel, final int bytes) {
        return TestPlan.builder(name, "stream")
                .channel(channel)
                .setting("sizes", List.of(bytes))
                .role(RolePlan.of("store", Map.of()))
                .role(RolePlan.of("stream-pub", Map.of()))
                .build();
    }

    private static boolean isStored(final String channel, final String... roles) {
        final TestPlan.Builder test = TestPlan.builder("test", "stream").channel(channel);
        List.of(roles).forEach(role -> test.role(RolePlan.of(role, Map.of())));
        return new RoleResolver(RoleCatalog.load())
                .resolve(test.build(), channel).stream()
                        .filter(role -> role.settings() instanceof StreamPubSettings)
                        .map(role -> ((StreamPubSettings) role.settings()).stored())
                        .findFirst()
                        .orElseThrow();
    }

    /** What is stored is what the test asks for, not what the engine could do. */
    @Test
    void shouldStoreMessagesOfTestsWithAStore() {
        assertThat(isStored("kafka:", "stream-pub", "stream-sub")).isFalse();
        assertThat(isStored("kafka:", "store", "stream-pub", "stream-sub")).isTrue();
        assertThat(Stores.isStored(ChannelUri.parse("kafka:"), false)).isFalse();
        assertThat(Stores.isStored(ChannelUri.parse("archive:"), false))
                .as("it carries no other messages")
                .isTrue();
    }

    /** Each of twenty trials starts the server again. */
    @Test
    void shouldCountTheStartsOfServersInTheEstimate() {
        assertThat(estimateNs("kafka:") - estimateNs("kafka://192.0.2.1:9092"))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(20 * 5).toNanos());
    }

    private static long estimateNs(final String channel) {
        final TestPlan test =
                TestPlan.builder("test", "latency")
                        .channel(channel)
                        .repeats(20)
                        .role(RolePlan.of("latency-pub", Map.of()))
                        .role(RolePlan.of("latency-sub", Map.of()))
                        .build();
        return RunEstimate.of(Plan.named("plan").with(test), Machines.here(Optional.empty()))
                .durationNs();
    }

    private static MeasureOptions options(final Map<String, Object> typed) {
        return Settings.read(MeasureOptions.class, typed, key -> key);
    }

    @Test
    void shouldPutSettingsInPlaceOfThoseOfThePlan() {
        final Plan changed = PlanChanges.withSettings(plan, Map.of("samples", "5", "rate", "1k"));
        assertThat(changed.tests().getFirst().settings())
                .containsOnly(
                        Map.entry("samples", "5"),
                        Map.entry("rate", "1k"),
                        Map.entry("sizes", List.of(64)));
        assertThat(changed.tests().getFirst().channels()).containsExactly("shm:");
    }

    @Test
    void shouldSayWhatWasChangedWhereThePlanSpeaksOfIt() {
        final PlanSettings settings = PlanSettings.read("--set", List.of("samples=5", "rate=1k"));
        final Plan plan = Plan.named("a").describedAs("Ten samples.").with(test("one"));

        assertThat(settings.change(plan, "--set").description())
                .isEqualTo("Ten samples. Changed: samples=5, rate=1k.");
        assertThat(new PlanSettings(Map.of()).change(plan, "--set")).isSameAs(plan);
        assertThat(PlanChanges.quick(plan).description())
                .isEqualTo("Ten samples. Shortened by --quick.");
    }

    @Test
    void shouldNotShowSecretsInWhatWasChanged() {
        final PlanSettings settings =
                PlanSettings.read(
                        "--set",
                        List.of(
                                "username=jane",
                                "password=sesame",
                                "jvm.options=-Xint -Dtrust.password=sesame"));
        final Plan plan =
                Plan.named("a")
                        .with(
                                TestPlan.builder("t", "fix")
                                        .channel("tickmark:")
                                        .role(RolePlan.of("fix-consumers", Map.of()))
                                        .build());

        final Plan changed = settings.change(plan, "--set");

        assertThat(changed.description())
                .isEqualTo(
                        "Changed: username=jane, password=***, jvm.options=-Xint -Dtrust.password=***.");
        assertThat(changed.tests().getFirst().settings()).containsEntry("password", "sesame");
    }

    @Test
    void shouldShortenSearchesAndRepeats() {
        final Plan quick =
                PlanChanges.quick(
                        Plan.named("a")
                                .with(test("one").withRepeats(7))
                                .with(test("two").searching(SearchGoal.DEFAULT)));

        assertThat(quick.tests().getFirst().repeats()).isEqualTo(1);
        assertThat(quick.tests().getFirst().search()).isNull();
        final SearchGoal goal = quick.tests().getLast().search();
        assertThat(goal.soak()).isZero();
        assertThat(goal.finalTrial()).hasSeconds(1);
        assertThat(goal.minRate()).isEqualTo(SearchGoal.DEFAULT.minRate());
        assertThat(quick.tests().getLast().settings())
                .containsEntry("sizes", List.of(64))
                .doesNotContainKeys("storeWarmUp", "warmUp");
    }

    @Test
    void shouldShortenTheWarmUpsOfSearchedStreams() {
        final TestPlan stored =
                TestPlan.builder("stored", "stream")
                        .channel("shm:")
                        .setting("warmUpMessages", List.of(15, 5))
                        .role(RolePlan.of("stream-pub", Map.of()))
                        .build()
                        .searching(SearchGoal.DEFAULT);

        assertThat(PlanChanges.quick(Plan.named("a").with(stored)).tests().getFirst().settings())
                .containsEntry("storeWarmUp", "500ms")
                .containsEntry("jvmWarmUp", "200ms")
                .containsEntry("warmUpMessages", List.of(5, 50));
    }

    @Test
    void shouldJoinPlansIntoOneRun() {
        final Plan joined = PlanChanges.joined(List.of(plan, Plan.named("b").with(test("three"))));
        assertThat(joined.name()).isEqualTo("a_b");
        assertThat(
                        PlanChanges.joined(
                                        List.of(
                                                plan,
                                                Plan.named("b".repeat(64)).with(test("three"))))
                                .name())
                .as("plan.yaml of the result can be run again")
                .matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
        assertThat(joined.tests())
                .extracting(TestPlan::name)
                .containsExactly("one", "two", "three");
        assertThat(PlanChanges.joined(List.of(plan))).isEqualTo(plan);
    }

    /** The order used to decide: after a plan without a noise floor, no plan had one. */
    @Test
    void shouldGiveJoinedPlansTheLongestNoiseFloorAndNewProcessesWhereOneWantsThem() {
        final Plan quick = plan.withNoise(Duration.ZERO);
        final Plan careful =
                Plan.named("b")
                        .with(test("three"))
                        .withNoise(Duration.ofMillis(300))
                        .withFreshProcesses();

        for (final List<Plan> plans : List.of(List.of(quick, careful), List.of(careful, quick))) {
            assertThat(PlanChanges.joined(plans).noise()).isEqualTo(Duration.ofMillis(300));
            assertThat(PlanChanges.joined(plans).freshProcesses()).isTrue();
        }
        assertThat(PlanChanges.joined(List.of(quick, Plan.named("b"))).freshProcesses()).isFalse();
    }

    @Test
    void shouldRefusePlansWhoseTestsCannotBeToldApart() {
        assertThatThrownBy(
                        () -> PlanChanges.joined(List.of(plan, Plan.named("b").with(test("two")))))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "plan b: its test 'two' is also in a plan named before it; run the two plans one after the other.");
    }

    private static TestPlan test(final String name) {
        return TestPlan.builder(name, "latency")
                .channel("shm:")
                .setting("samples", 10)
                .setting("sizes", List.of(64))
                .role(RolePlan.of("latency-pub", Map.of()))
                .build();
    }
}
