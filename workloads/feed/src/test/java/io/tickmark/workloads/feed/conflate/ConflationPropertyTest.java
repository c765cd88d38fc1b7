package io.tickmark.workloads.feed.conflate;

import static io.tickmark.workloads.feed.conflate.Simulation.FIRST_SYMBOL;
import static io.tickmark.workloads.feed.conflate.Simulation.SYMBOLS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The guarantees of each policy, under two hundred histories of random traffic each. */
class ConflationPropertyTest {
    private static final int SEEDS = 200;
    private static final int EVENTS = 400;
    private static final double[] FREQUENCIES = {0, 1, 30, 1000};
    private static ClassLoader before;
    private static URLClassLoader withSample;

    static Stream<Arguments> policies() {
        return Stream.of("merge", "buffer", "ignore", "moves")
                .flatMap(policy ->
                        IntStream.range(0, FREQUENCIES.length)
                                .mapToObj(i -> Arguments.of(policy, FREQUENCIES[i])));
    }

    private static IntStream symbols() {
        return IntStream.range(FIRST_SYMBOL, FIRST_SYMBOL + SYMBOLS);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void shouldNeverSendASymbolMoreOftenThanTheMaximumFrequency(
            final String policy, final double maxFrequency) {
        final long gapNs = maxFrequency > 0 ? (long) (1e9 / maxFrequency) : 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            final Simulation simulation =
                    new Simulation(policy, maxFrequency, seed).run(EVENTS).settle();
            symbols()
                    .mapToObj(simulation::got)
                    .forEach(got -> {
                        for (int i = 1; i < got.size(); i++) {
                            // ignore decides when a message arrives, the others when it is sent
                            final long since =
                                    policy.equals("ignore")
                                            ? got.get(i).offeredAtNs()
                                                    - got.get(i - 1).offeredAtNs()
                                            : got.get(i).atNs() - got.get(i - 1).atNs();
                            assertThat(since).isGreaterThanOrEqualTo(gapNs);
                        }
                    });
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void shouldKeepTheOrderOfASymbolAndSendNothingTwice(
            final String policy, final double maxFrequency) {
        for (int seed = 0; seed < SEEDS; seed++) {
            final Simulation simulation =
                    new Simulation(policy, maxFrequency, seed).run(EVENTS).settle();
            symbols()
                    .mapToObj(simulation::got)
                    .forEach(got ->
                            assertThat(got.stream().map(Simulation.Got::sequence))
                                    .isSorted()
                                    .doesNotHaveDuplicates());
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void shouldAccountForEveryMessage(final String policy, final double maxFrequency) {
        for (int seed = 0; seed < SEEDS; seed++) {
            final Simulation simulation = new Simulation(policy, maxFrequency, seed).run(EVENTS);
            assertThat(
                            simulation.got().size()
                                    + simulation.queue().merged()
                                    + simulation.queue().dropped()
                                    + simulation.queue().waiting())
                    .isEqualTo(simulation.offered());
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void shouldAlwaysDeliverTheLastValueUnlessItIgnores(
            final String policy, final double maxFrequency) {
        for (int seed = 0; seed < SEEDS && !policy.equals("ignore"); seed++) {
            final Simulation simulation =
                    new Simulation(policy, maxFrequency, seed).run(EVENTS).settle();
            symbols()
                    .filter(symbol -> simulation.lastSequence(symbol) > 0)
                    .forEach(symbol ->
                            assertThat(simulation.got(symbol).getLast().sequence())
                                    .isEqualTo(simulation.lastSequence(symbol)));
        }
    }

    @Test
    void shouldLoseNothingWithBufferShortOfItsLimit() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final Simulation simulation = new Simulation("buffer", 30, seed).run(EVENTS).settle();
            assertThat(simulation.got()).hasSize((int) simulation.offered());
            assertThat(simulation.wasRefused()).isFalse();
        }
    }

    @Test
    void shouldRefuseWithBufferWhatIsBeyondItsLimit() {
        final Simulation simulation = new Simulation("buffer", 0, 1, 10 * 40);
        for (int i = 0; i < 10; i++) {
            simulation.offer(FIRST_SYMBOL);
        }
        assertThat(simulation.wasRefused()).isFalse();
        simulation.offer(FIRST_SYMBOL);
        assertThat(simulation.wasRefused()).isTrue();
    }

    @Test
    void shouldHoldNothingLateWithIgnore() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final Simulation simulation = new Simulation("ignore", 30, seed).run(EVENTS);
            simulation.drain(
                    0); // the client accepts nothing: waiting messages are dropped, not kept
            assertThat(simulation.queue().waiting()).isZero();
        }
    }

    @Test
    void shouldKeepAtMostOneMessageASymbolWithMerge() {
        final Simulation simulation = new Simulation("merge", 0, 1);
        for (int i = 0; i < 100_000; i++) {
            simulation.offer(FIRST_SYMBOL + i % SYMBOLS);
        }
        assertThat(simulation.queue().waiting()).isEqualTo(SYMBOLS);
        assertThat(simulation.queue().merged()).isEqualTo(100_000 - SYMBOLS);
    }

    /**
     * The sample is not part of the product: it is built as its user would, and found the same way.
     */
    @BeforeAll
    static void buildTheSample(@TempDir final Path classes) throws IOException {
        final Path sample = Path.of("../../samples/conflation-policy");
        assertThat(
                        ToolProvider.getSystemJavaCompiler()
                                .run(
                                        null,
                                        null,
                                        null,
                                        "-d",
                                        classes.toString(),
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        sample.resolve("MovesPolicy.java").toString()))
                .isZero();
        before = Thread.currentThread().getContextClassLoader();
        withSample =
                new URLClassLoader(
                        new URL[] {classes.toUri().toURL(), sample.toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(withSample);
    }

    @AfterAll
    static void leaveTheSample() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        withSample.close();
    }

    @Test
    void shouldFindTheSamplePolicyBesideTheBuiltInOnes() {
        final List<String> names =
                new ConflationPolicies().all().stream().map(ConflationPolicy::name).toList();
        assertThat(names).containsExactly("merge", "buffer", "ignore", "moves");
    }
}
