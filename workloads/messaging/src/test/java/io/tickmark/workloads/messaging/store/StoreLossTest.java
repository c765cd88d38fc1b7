package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class StoreLossTest extends StoredTrial {
    /** Messages: a fault comes before all of them are sent, however late it comes. */
    private static final int MORE_THAN_ARE_SENT = 1_000_000;

    @Test
    void shouldFailWithTheMissingRangesWhenAcknowledgedMessagesAreGone() throws Exception {
        final Results results =
                run(
                        Map.of("messages", 1000, "storeWarmUp", "0", "jvmWarmUp", "0"),
                        nothing(),
                        StoreLossTest::loseASegment);

        assertThat(results.kept().counts()).containsEntry(Counts.NOT_FOUND, 16L);
        assertThat(results.kept().reasons())
                .singleElement()
                .asString()
                .contains("16 of 1000 messages of topic tickmark")
                .contains("sequences 31-46.");
    }

    /** A segment of 16 messages after the first two: the announcement is ordinal 0. */
    private static void loseASegment(final Path data) throws Exception {
        final List<Path> segments = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(data, "tickmark-*.log")) {
            found.forEach(segments::add);
        }
        segments.sort(null);
        Files.delete(segments.get(2));
    }

    /**
     * Where each message is synced by itself, most likely none is in flight when the store dies.
     */
    @ParameterizedTest
    // Low rates, for which more time is planned: a disk may be busy.
    @CsvSource({"1, 800, 200", "10, 4000, 1000"})
    void shouldSendAgainWhatWasNotStableWhenTheStoreIsKilledAndRestarted(
            final int syncEvery, final int messages, final int ratePerSecond) throws Exception {
        final AtomicReference<ChannelUri> channel = channelOfTheStore();
        final Thread crash =
                new Thread(() -> {
                    awaitSegments();
                    killStore();
                    awaitPublisherHasMissed(channel.get());
                    pause(300);
                    store.inject(new MemberFault(1, MemberFault.Kind.RESTART));
                });

        final Results results =
                run(
                        Map.of(
                                "messages",
                                messages,
                                "rate",
                                ratePerSecond,
                                "channel",
                                "filestore:?syncEvery=%d&holdFrom=%d"
                                        .formatted(syncEvery, messages / 2)),
                        crash,
                        data -> {});

        final long sent = results.sent().counts().get(Counts.SENT);
        assertThat(sent).isGreaterThanOrEqualTo(messages);
        assertThat(results.sent().reasons()).isEmpty();
        assertThat(results.sent().counts()).containsEntry(Counts.ACKNOWLEDGED, sent);
        assertThat(results.publisher().metrics()).containsEntry("timesReopened", 1L);
        assertThat(results.publisher().warnings())
                .as("the store had been started again")
                .contains("The publication of topic 1 was reopened: its connection broke.")
                .noneMatch(warning -> warning.contains("start it first"));
        assertThat(results.received().counts())
                .containsEntry(Counts.RECEIVED, sent)
                .containsEntry(Counts.LOST, 0L);
        assertThat(results.kept().counts())
                .containsEntry(Counts.STORED, sent)
                .containsEntry(Counts.NOT_FOUND, 0L);
        assertThat(results.store().metrics().get("faults").toString())
                .contains("member 1 killed at")
                .contains("back at");
        assertThat(results.sent().counts().get(Counts.MAX_STABLE_GAP_NS))
                .isGreaterThan(100_000_000);
    }

    /** It was opened beside the old one, which the store counted as another reader. */
    @Test
    void shouldGoOnReadingWhereATopicHasOneReader() throws Exception {
        final Results results =
                run(
                        Map.of("messages", 400, "channel", "filestore:?disturbedAfter=100"),
                        nothing(),
                        data -> {});

        assertThat(results.received().counts())
                .containsEntry(Counts.RECEIVED, results.sent().counts().get(Counts.SENT))
                .containsEntry(Counts.LOST, 0L);
        assertThat(results.subscriber().metrics()).containsEntry("timesReopened", 1L);
    }

    /** Many clients mend a short break themselves; messages were delivered again. */
    @Test
    void shouldNotReopenASubscriptionThatSoonComesBackByItself() throws Exception {
        final Results results =
                run(
                        Map.of(
                                "messages",
                                400,
                                "channel",
                                "filestore:?disturbedAfter=100&disturbedMs=5"),
                        nothing(),
                        data -> {});

        assertThat(results.received().counts())
                .containsEntry(Counts.RECEIVED, results.sent().counts().get(Counts.SENT))
                .containsEntry(Counts.LOST, 0L);
        assertThat(results.subscriber().metrics()).containsEntry("timesReopened", 0L);
    }

    /** Its facts were those of the last one, and its errors those from before each ended. */
    @Test
    void shouldReportWhatAllSubscriptionsOfATopicFoundOneAfterTheOther() throws Exception {
        final RoleResult subscriber =
                run(
                                Map.of(
                                        "messages",
                                        400,
                                        "channel",
                                        "filestore:?disturbedAfter=100&refusedAcknowledgements=3"),
                                nothing(),
                                data -> {})
                        .subscriber();

        assertThat(subscriber.metrics()).containsEntry("acknowledgementsRefused", 6L);
        assertThat(subscriber.warnings())
                .contains("3 acknowledgements were refused. 3 acknowledgements were refused.");
    }

    @Test
    void shouldFailWhenTheStoreDoesNotComeBack() throws Exception {
        final Thread crash =
                new Thread(() -> {
                    awaitSegments();
                    killStore();
                });

        final Results results =
                run(
                        Map.of(
                                "messages",
                                MORE_THAN_ARE_SENT,
                                "storeTimeout",
                                "500ms",
                                "idleTimeout",
                                "10m"),
                        crash,
                        data -> {});

        assertThat(results.sent().reasons().getFirst())
                .contains("the store is lost (")
                .contains("no store runs there; start it first");
        assertThat(results.subscriber().failure()).as("it ends with the publisher").isEmpty();
        assertThat(results.kept().reasons())
                .anyMatch(reason ->
                        reason.matches("The disk of .* has \\d+ KiB of \\d+ KiB left\\."));
        // It may have acknowledged everything it was sent when it dies.
        assertThat(results.sent().counts().get(Counts.ACKNOWLEDGED))
                .isLessThanOrEqualTo(results.sent().counts().get(Counts.SENT));
        assertThat(results.sent().counts().get(Counts.SENT)).isLessThan(MORE_THAN_ARE_SENT);
        assertThat(results.sent().counts().get(Counts.MAX_STABLE_GAP_NS))
                .as("until the store was given up")
                .isGreaterThanOrEqualTo(500_000_000);
        assertThat(results.kept().counts()).containsEntry(Counts.NOT_FOUND, 0L);
    }

    /**
     * Their positions then belong to other messages: by position alone, missing messages would
     * appear stable.
     */
    @Test
    void shouldSendAllAgainThatWasNotStableWhenAMessageIsRefusedAndThoseBehindItAreNot()
            throws Exception {
        final Results results =
                run(
                        Map.of(
                                "messages",
                                2000,
                                "storeWarmUp",
                                "0",
                                "jvmWarmUp",
                                "0",
                                "channel",
                                "filestore:?syncEvery=4&refused=500"),
                        nothing(),
                        data -> {});

        assertThat(results.sent().reasons()).isEmpty();
        assertThat(results.sent().counts()).containsEntry(Counts.ACKNOWLEDGED, 2000L);
        assertThat(results.publisher().metrics()).containsEntry("timesReopened", 1L);
        assertThat(results.publisher().warnings())
                .contains("The publication of topic 1 was reopened: message 500 was refused.");
        assertThat(results.kept().counts())
                .containsEntry(Counts.STORED, 2000L)
                .containsEntry(Counts.NOT_FOUND, 0L);
        assertThat((long) results.store().metrics().get("storedTwice")).isPositive();
    }

    /** It is there whenever it is asked, accepts a message, and refuses it a moment later. */
    @Test
    void shouldNameTheReasonOfAStoreThatIsOpenedAgainAndRefusesAgain() throws Exception {
        final Results results =
                run(
                        Map.of(
                                "messages",
                                MORE_THAN_ARE_SENT,
                                "storeTimeout",
                                "6s",
                                "idleTimeout",
                                "10m",
                                "channel",
                                "filestore:?syncEvery=4&full=500"),
                        nothing(),
                        data -> {});

        assertThat(results.sent().reasons().getFirst())
                .contains("the store is lost (message 500 was refused: there is no room)");
        assertThat((long) results.publisher().metrics().get("timesReopened")).isPositive();
        assertThat(results.kept().counts()).containsEntry(Counts.NOT_FOUND, 0L);
    }

    @Test
    void shouldEndWithTheReasonAndKeepItsFiguresWhenSomebodyElseWrites() throws Exception {
        final AtomicReference<ChannelUri> channel = channelOfTheStore();
        final Thread other =
                new Thread(() -> {
                    awaitSegments();
                    writeAMessage(channel.get());
                });

        final Results results = run(Map.of("messages", MORE_THAN_ARE_SENT), other, data -> {});

        assertThat(results.sent().reasons())
                .anyMatch(reason -> reason.contains("another program writes to this log"));
        assertThat(results.publisher().metrics()).containsEntry("timesReopened", 0L);
        assertThat(results.sent().counts().get(Counts.SENT))
                .isPositive()
                .isLessThan(MORE_THAN_ARE_SENT);
        assertThat(results.kept().counts()).containsEntry(Counts.NOT_FOUND, 0L);
    }

    /** The address of the store, once it is there. */
    private AtomicReference<ChannelUri> channelOfTheStore() {
        final AtomicReference<ChannelUri> channel = new AtomicReference<>();
        changing =
                bound -> {
                    channel.set(ChannelUri.parse(bound.named(Stores.STORE).getFirst()));
                    return bound;
                };
        return channel;
    }

    private static void writeAMessage(final ChannelUri channel) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        long code = -1;
        while (code < 0) {
            try (Publication another =
                    Stores.of(channel)
                            .durablePublication(
                                    channel, Topic.of(List.of("tickmark")).getFirst())) {
                code = another.offer(message, 0, 100);
            }
        }
    }

    @Test
    void shouldNotCallLostWhatAStoreThatCannotBeRestartedHadAcknowledged() throws Exception {
        final Thread crash =
                new Thread(() -> {
                    awaitSegments();
                    killStore();
                });

        final Results results =
                run(
                        Map.of("messages", 4000, "storeTimeout", "500ms"),
                        crash,
                        data -> {
                            Files.move(data, folder.resolve("elsewhere"));
                            store.inject(new MemberFault(1, MemberFault.Kind.RESTART));
                        });

        final long acknowledged = results.sent().counts().get(Counts.ACKNOWLEDGED);
        assertThat(acknowledged).isPositive();
        assertThat(results.kept().counts())
                .containsEntry(Counts.NOT_FOUND, 0L)
                .containsEntry(Counts.NOT_VERIFIED, acknowledged);
        assertThat(results.kept().reasons())
                .anyMatch(reason ->
                        reason.startsWith("Topic tickmark could not be read back: ")
                                && reason.endsWith(
                                        "Not verified: whether it has %d of the %d messages that it had acknowledged."
                                                .formatted(acknowledged, acknowledged)));
        assertThat(results.store().metrics().get("faults").toString())
                .contains("did not come back");
        assertThat(results.store().warnings())
                .anyMatch(warning ->
                        warning.matches(
                                "Member 1, restarted at .*, did not come back: the folder .*"))
                .anyMatch(warning ->
                        warning.startsWith("The store did not shut down cleanly: the folder "));
        assertThat(folder.resolve("store-1")).as("is let go all the same").doesNotExist();
    }

    @Test
    void shouldEndSoonWithWhatItHasOnceItIsStoppedAndItsStoreIsDead() throws Exception {
        final Thread crash =
                new Thread(() -> {
                    awaitSegments();
                    killStore();
                    publisherContext.stop();
                    subscriberContext.stop();
                    storeContext.breakOff();
                });

        final Results results =
                run(
                        Map.of("messages", MORE_THAN_ARE_SENT, "storeTimeout", "10m"),
                        crash,
                        data -> {});

        assertThat(results.sent().counts().get(Counts.ACKNOWLEDGED)).isPositive();
        assertThat(results.sent().reasons()).as("what it could not make sure").isNotEmpty();
        assertThat(results.store().steps()).as("it is not read back").isEmpty();
        assertThat(folder.resolve("store-1")).doesNotExist();
    }

    @Test
    void shouldSayThatAStoreHasNoSuchMember() throws Exception {
        assertThatThrownBy(() ->
                        run(
                                Map.of("messages", 100),
                                nothing(),
                                data -> store.inject(new MemberFault(2, MemberFault.Kind.KILL))))
                .hasRootCauseInstanceOf(UserError.class)
                .hasMessageContaining("there is no member 2 of filestore:");
    }

    @Test
    void shouldDoAllFaultsThatCameBeforeTheOthersHadEnded() {
        storeContext.stopAtLine("member 1 restarted at");
        try (Role alone = role(new StoreRole.Factory(), all(Map.of()), storeContext)) {
            alone.prepare();
            alone.inject(new MemberFault(1, MemberFault.Kind.KILL));
            alone.inject(new MemberFault(1, MemberFault.Kind.RESTART));

            final RoleResult result = alone.run(System.nanoTime());

            assertThat(result.metrics().get("faults").toString())
                    .matches("member 1 killed at \\S+; member 1 restarted at .* back at \\S+");
            assertThat(result.metrics().get(RoleSummary.MEMBER_FAULTS))
                    .as("for the time to recover: member, kind, began and done")
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(8)
                    .startsWith(1L, 0L);
            assertThat(result.failure()).isEmpty();
        }
    }

    /** As on a machine so busy that the restart has not begun when the second kill is due. */
    @Test
    void shouldNotBringBackAMemberThatWasKilledAfterItsRestartWasOrdered() {
        storeContext.stopAtLine("member 1 restarted at");
        try (Role alone = role(new StoreRole.Factory(), all(Map.of()), storeContext)) {
            alone.prepare();
            alone.inject(new MemberFault(1, MemberFault.Kind.KILL));
            alone.inject(new MemberFault(1, MemberFault.Kind.RESTART));
            alone.inject(new MemberFault(1, MemberFault.Kind.KILL));

            assertThat(alone.run(System.nanoTime()).metrics().get("faults").toString())
                    .contains(", killed before it was back");
        }
    }
}
