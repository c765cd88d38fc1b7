package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Subscription;
import io.tickmark.transport.Topic;
import io.tickmark.transport.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The quality of service of a channel is what the library's writers and readers have. */
class QosTest {
    private static final String DEFAULT =
            "best-effort, keep-last 1024, limit -1, volatile, deadline 9223372036854775807, budget 0, priority 0";

    private final DdsTransport transport = new DdsTransport();
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(256));

    @BeforeEach
    void needTheLibrary() {
        CycloneNeeds.library();
    }

    /** One policy each: what it changes in the default, everything else stays. */
    @ParameterizedTest
    @CsvSource({
        "dds:, best-effort, best-effort",
        "dds:?reliable, 'best-effort, keep-last 1024, limit -1', 'reliable, keep-all, limit 10000'",
        "dds:?reliable&history=keep-last, best-effort, reliable",
        "dds:?history=keep-all, 'keep-last 1024, limit -1', 'keep-all, limit 10000'",
        "dds:?history=keep-all&maxSamples=500, 'keep-last 1024, limit -1', 'keep-all, limit 500'",
        "dds:?depth=7, keep-last 1024, keep-last 7",
        "dds:?durability=transient-local, volatile, transient-local",
        "dds:?deadline=250ms, deadline 9223372036854775807, deadline 250000000",
        "dds:?latencyBudget=3ms, budget 0, budget 3000000",
        "dds:?transportPriority=-5, priority 0, priority -5",
    })
    void shouldGiveWritersAndReadersThePoliciesOfTheChannel(
            final String uri, final String usual, final String wanted) {
        final DdsChannel channel = DdsChannel.binding(ChannelUri.parse(uri));
        try (Writer writer = new Writer(channel, Domains.lease(channel), "tickmark");
                DdsSubscription.DdsReader reader =
                        new DdsSubscription.DdsReader(
                                channel, Domains.lease(channel), "tickmark", null)) {
            assertThat(policies(writer.entity())).isEqualTo(DEFAULT.replace(usual, wanted));
            // By the standard, only a writer has a transport priority.
            assertThat(policies(reader.entity()))
                    .isEqualTo(
                            DEFAULT.replace(usual, wanted)
                                    .replaceFirst("priority .*", "priority 0"));
            assertThat(reader.matches().count()).isEqualTo(1);
        }
    }

    /** Queried from the library, with the functions that other programs would use. */
    private static String policies(final int entity) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment qos =
                    (MemorySegment)
                            Cyclone.handle("dds_create_qos", FunctionDescriptor.of(ADDRESS))
                                    .invoke();
            assertThat(
                            (int)
                                    Cyclone.handle(
                                                    "dds_get_qos",
                                                    FunctionDescriptor.of(
                                                            JAVA_INT, JAVA_INT, ADDRESS))
                                            .invoke(entity, qos))
                    .isZero();
            final MemorySegment got = arena.allocate(JAVA_LONG, 3);
            final List<String> all = new ArrayList<>();
            ask("dds_qget_reliability", qos, got, got.asSlice(8));
            all.add(got.get(JAVA_INT, 0) == 1 ? "reliable" : "best-effort");
            ask("dds_qget_history", qos, got, got.asSlice(8));
            all.add(got.get(JAVA_INT, 0) == 1 ? "keep-all" : "keep-last " + got.get(JAVA_INT, 8));
            ask("dds_qget_resource_limits", qos, got, got.asSlice(8), got.asSlice(16));
            all.add("limit " + got.get(JAVA_INT, 0));
            ask("dds_qget_durability", qos, got);
            all.add(List.of("volatile", "transient-local").get(got.get(JAVA_INT, 0)));
            ask("dds_qget_deadline", qos, got);
            all.add("deadline " + got.get(JAVA_LONG, 0));
            ask("dds_qget_latency_budget", qos, got);
            all.add("budget " + got.get(JAVA_LONG, 0));
            ask("dds_qget_transport_priority", qos, got);
            all.add("priority " + got.get(JAVA_INT, 0));
            Cyclone.handle("dds_delete_qos", FunctionDescriptor.ofVoid(ADDRESS)).invoke(qos);
            return String.join(", ", all);
        } catch (final Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private static void ask(
            final String function, final MemorySegment qos, final MemorySegment... answers)
            throws Throwable {
        final MemorySegment[] arguments = new MemorySegment[answers.length + 1];
        arguments[0] = qos;
        System.arraycopy(answers, 0, arguments, 1, answers.length);
        final FunctionDescriptor descriptor =
                FunctionDescriptor.of(
                        JAVA_BOOLEAN,
                        java.util.Collections.nCopies(arguments.length, ADDRESS)
                                .toArray(java.lang.foreign.MemoryLayout[]::new));
        assertThat(
                        (boolean)
                                Cyclone.handle(function, descriptor)
                                        .invokeWithArguments((Object[]) arguments))
                .as(function)
                .isTrue();
    }

    @Test
    void shouldHearItsOwnPartitionOnly() {
        final String domain = "dds://" + OurEnd.domain() + "?partition=";
        try (Publication here = publication(domain + "here");
                Publication there = publication(domain + "there");
                Subscription hears = subscription(domain + "here")) {
            Waiting.until("the reader is matched", () -> here.subscriberCount() == 1);
            assertThat(hears.facts()).containsEntry("matchedWriters", 1);
            assertThat(there.subscriberCount()).isZero();
        }
    }

    /** Ends in another partition do not concern us, whatever their policies. */
    @Test
    void shouldNotComplainOfThoseInAnotherPartition() {
        final String domain = "dds://" + OurEnd.domain();
        try (Exchange here = exchange(domain + "?partition=here", ExchangeSide.BIND);
                Exchange there =
                        exchange(domain + "?reliable&partition=there", ExchangeSide.CONNECT);
                Exchange fits = exchange(domain + "?partition=here", ExchangeSide.CONNECT)) {
            Waiting.until("both are matched", () -> fits.subscription().isConnected());
            assertThat(here.note()).isEmpty();
            assertThat(there.note()).isEmpty();
        }
    }

    @Test
    void shouldSayWhichPolicyKeepsTwoSidesApart() {
        final String domain = "dds://" + OurEnd.domain();
        try (Exchange bind = exchange(domain, ExchangeSide.BIND);
                Exchange connect = exchange(domain + "?reliable", ExchangeSide.CONNECT)) {
            Waiting.until("the policy is told", () -> connect.note().isPresent());
            assertThat(connect.note().orElseThrow())
                    .contains("an incompatible reliability", "both sides the same");
            assertThat(connect.subscription().facts()).containsEntry("incompatible", "reliability");
            assertThat(connect.subscription().isConnected()).isFalse();
            Waiting.until("the other side knows", () -> bind.note().isPresent());
            assertThat(bind.publication().facts()).containsEntry("incompatible", "reliability");
        }
    }

    @Test
    void shouldHaveNothingToSayWhereTwoSidesMatch() {
        final String domain = "dds://" + OurEnd.domain() + "?reliable";
        try (Exchange bind = exchange(domain, ExchangeSide.BIND);
                Exchange connect = exchange(domain, ExchangeSide.CONNECT)) {
            Waiting.until("both are matched", () -> connect.subscription().isConnected());
            assertThat(bind.note()).isEmpty();
            assertThat(connect.note()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"listener", "polling"})
    void shouldDropAndCountWhatIsLongerThanTheChannelCarries(final String receive) {
        final String domain = "dds://" + OurEnd.domain() + "?reliable";
        final List<Integer> lengths = new ArrayList<>();
        try (Publication publication = publication(domain);
                Subscription subscription =
                        subscription(domain + "&maxPayloadBytes=64&receive=" + receive)) {
            for (final int length : new int[] {64, 65, 256, 32}) {
                Waiting.until("it is taken", () -> publication.offer(message, 0, length) >= 0);
            }
            Waiting.until(
                    "the last has come",
                    () -> {
                        subscription.poll((buffer, offset, length) -> lengths.add(length), 10);
                        return lengths.contains(32);
                    });
            assertThat(lengths).containsExactly(64, 32);
            assertThat(subscription.facts()).containsEntry("tooLong", 2L);
        }
    }

    @Test
    void shouldGiveSocketsTheBuffersOfTheChannel() {
        final String domain =
                "dds://" + OurEnd.domain() + "?sendBufferBytes=65536&receiveBufferBytes=98304";
        try (Subscription subscription = subscription(domain)) {
            assertThat(subscription.facts())
                    .containsEntry("sendBufferBytes", 65_536)
                    .containsEntry("receiveBufferBytes", 98_304);
        }
    }

    @Test
    void shouldTakeNoLocalSocketForOneOfTheDomain() throws Exception {
        // "/t", where other sockets have their port, would be a port of domain 18
        final Path path = Files.createTempDirectory(Path.of("/tmp"), "local").resolve("socket");
        try (ServerSocketChannel local = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                Subscription subscription =
                        subscription("dds://18?sendBufferBytes=65536&receiveBufferBytes=98304")) {
            local.bind(UnixDomainSocketAddress.of(path));
            assertThat(subscription.facts())
                    .containsEntry("sendBufferBytes", 65_536)
                    .containsEntry("receiveBufferBytes", 98_304);
        } finally {
            Files.deleteIfExists(path);
            Files.delete(path.getParent());
        }
    }

    @Test
    void shouldSayWhatTheLibraryDoesNotUnderstand() {
        assertThatThrownBy(() ->
                        subscription(
                                "dds://"
                                        + OurEnd.domain()
                                        + "?config=<Threads><Thread name=\"mine\"/></Threads>"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Thread[@name=\"mine\"]: unknown thread");
    }

    @Test
    void shouldGiveTheReceiveThreadThePriorityOfTheChannel() throws Exception {
        assumeTrue(
                new ProcessBuilder("chrt", "-f", "7", "true").start().waitFor() == 0,
                "this user may not schedule in real time");
        final String domain = "dds://" + OurEnd.domain() + "?receivePriority=7";
        try (Subscription subscription = subscription(domain)) {
            final Supplier<String> priorities =
                    () -> subscription.facts().get("threadPriorities").toString();
            // threads of the library have their names once they run, which may be later
            Waiting.until(
                    priorities,
                    () ->
                            priorities.get().contains("recv real time, priority 7")
                                    && priorities.get().contains("gc time sharing"));
            assertThat(priorities.get())
                    .doesNotContain("recvUC"); // all sockets are served by the one above
        }
    }

    private Publication publication(final String channel) {
        return transport.publication(ChannelUri.parse(channel), Topic.DEFAULT);
    }

    private Subscription subscription(final String channel) {
        return transport.subscription(ChannelUri.parse(channel), Topic.DEFAULT);
    }

    private Exchange exchange(final String channel, final ExchangeSide side) {
        return transport.exchange(ChannelUri.parse(channel), Topic.DEFAULT, side, 1);
    }
}
