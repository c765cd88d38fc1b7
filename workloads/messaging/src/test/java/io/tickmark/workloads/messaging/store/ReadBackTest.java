package io.tickmark.workloads.messaging.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.store.Deletion;
import io.tickmark.transport.store.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadBackTest {
    @TempDir private Path folder;

    /** A store with one message, or whose members are gone for good. */
    private static final class DeadStore implements StoreServer {
        private final RuntimeException why;
        private final int sequence;
        private final long first;

        private DeadStore(final RuntimeException why) {
            this(why, 0, 0);
        }

        private DeadStore(final RuntimeException why, final int sequence, final long first) {
            this.why = why;
            this.sequence = sequence;
            this.first = first;
        }

        @Override
        public long firstOrdinal(final Topic topic) {
            if (first < 0) {
                throw UserError.environment("the server does not answer.");
            }
            return first;
        }

        @Override
        public void start() {}

        @Override
        public ChannelUri endpoint() {
            return ChannelUri.parse("filestore:");
        }

        @Override
        public int members() {
            return 1;
        }

        @Override
        public void kill(final int member) {}

        @Override
        public void restart(final int member) {}

        @Override
        public Verification verify(final Topic topic) {
            return new Verification(0, 0, 0);
        }

        @Override
        public long readBack(
                final Topic topic, final long fromOrdinal, final MessageHandler handler) {
            if (why != null) {
                throw why;
            }
            final UnsafeBuffer message = new UnsafeBuffer(new byte[Stamp.FULL_LENGTH]);
            Stamp.write(message, 0, 0, sequence, 0, 0, topic.id());
            Stamp.writeTrialId(message, 0, 1);
            handler.onMessage(message, 0, Stamp.FULL_LENGTH);
            return 1;
        }

        @Override
        public List<Cut> cuts() {
            return List.of(
                    new Cut(Path.of("1-0.rec"), 4096, 40), new Cut(Path.of("1-0.rec"), 8192, 2));
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldCountWhatWasCutWhenMembersWereStartedAsTorn() {
        try (AcknowledgedFile acknowledged =
                AcknowledgedFile.create(folder.resolve("acknowledged"), 1)) {
            final ReadBack found =
                    new ReadBack(
                            new DeadStore(new IllegalStateException()),
                            acknowledged,
                            Deletion.KEPT,
                            1,
                            new TestContext(1, 1).recording().counter(Counts.STORED));

            found.countCuts();

            assertThat(found.metrics()).containsEntry("tornBytes", 42L);
            assertThat(found.warnings())
                    .hasSize(2)
                    .contains(
                            "40 bytes of an incomplete message, at byte 4096 of 1-0.rec, were cut off when its member was"
                                    + " started.");
        }
    }

    /** Started by hand, its publisher by hand as well. */
    @Test
    void shouldSayThatNothingWasComparedWhereNobodyRecordedWhatWasAcknowledged() {
        try (AcknowledgedFile acknowledged =
                AcknowledgedFile.create(folder.resolve("acknowledged"), 1)) {
            final ReadBack found =
                    new ReadBack(
                            new DeadStore(null),
                            acknowledged,
                            Deletion.KEPT,
                            1,
                            new TestContext(1, 1).recording().counter(Counts.STORED));

            found.read(Topic.DEFAULT);

            assertThat(found.counts())
                    .containsEntry(Counts.STORED, 1L)
                    .doesNotContainKey(Counts.NOT_FOUND);
            assertThat(found.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("Not compared message by message: ");
        }
    }

    @Test
    void shouldNotCallLostWhatAStoreThatCannotBeReadHadAcknowledged() {
        assertAllIsOpen(
                UserError.environment("the store is not running; start it first."),
                "the store is not running; start it first.");
    }

    @Test
    void shouldNotCallLostWhatWasAcknowledgedWhereTheFilesCannotBeRead() {
        assertAllIsOpen(
                new UncheckedIOException(new IOException("Input/output error")),
                "its files cannot be read (Input/output error).");
    }

    private void assertAllIsOpen(final RuntimeException thrown, final String why) {
        try (AcknowledgedFile acknowledged =
                AcknowledgedFile.create(folder.resolve("acknowledged"), 1)) {
            acknowledged.stable(1, 300);
            final ReadBack found =
                    new ReadBack(
                            new DeadStore(thrown),
                            acknowledged,
                            Deletion.KEPT,
                            1,
                            new TestContext(1, 1).recording().counter(Counts.STORED));

            found.read(Topic.DEFAULT);

            assertThat(found.counts())
                    .containsEntry(Counts.NOT_FOUND, 0L)
                    .containsEntry(Counts.NOT_VERIFIED, 300L);
            assertThat(found.reasons())
                    .containsExactly(
                            "Topic tickmark could not be read back: "
                                    + why
                                    + " Not verified: whether it has 300 of the 300 messages that it had acknowledged.");
        }
    }

    /** A topic of which a store acknowledged three messages, and holds the third. */
    private ReadBack third(final Deletion deletion, final long nextOrdinal, final long first) {
        try (AcknowledgedFile acknowledged =
                AcknowledgedFile.create(folder.resolve("acknowledged"), 1)) {
            acknowledged.stable(1, 3);
            acknowledged.received(1, nextOrdinal, nextOrdinal);
            final ReadBack found =
                    new ReadBack(
                            new DeadStore(null, 2, first),
                            acknowledged,
                            deletion,
                            1,
                            new TestContext(1, 1).recording().counter(Counts.STORED));
            found.read(Topic.DEFAULT);
            return found;
        }
    }

    @Test
    void shouldNotCallLostWhatTheServerHasDeletedByItself() {
        final ReadBack found = third(Deletion.KEPT, 3, 2);

        assertThat(found.counts())
                .containsEntry(Counts.NOT_FOUND, 0L)
                .containsEntry(Counts.NOT_VERIFIED, 2L);
        assertThat(found.reasons())
                .containsExactly(
                        "Topic tickmark could not be read back completely: it begins with message 2 now: the server has"
                                + " deleted messages by a limit or policy of its own, or for another program. Not verified:"
                                + " whether it has 2 of the 3 messages that it had acknowledged.");
    }

    @Test
    void shouldCallLostWhatIsMissingWhereNothingWasDeleted() {
        assertThat(third(Deletion.KEPT, 0, 0).counts())
                .containsEntry(Counts.NOT_FOUND, 2L)
                .containsEntry(Counts.NOT_VERIFIED, 0L);
    }

    /** Its receiver has acknowledged the first message, so that it was to be deleted. */
    @Test
    void shouldTellWhatWasDeletedForItsReceiverFromWhatWasDeletedForOthers() {
        assertThat(third(Deletion.ACKNOWLEDGED, 1, 1).counts())
                .containsEntry(Counts.NOT_FOUND, 1L)
                .containsEntry(Counts.NOT_VERIFIED, 0L);
        assertThat(third(Deletion.ACKNOWLEDGED, 1, 2).counts())
                .containsEntry(Counts.NOT_FOUND, 0L)
                .containsEntry(Counts.NOT_VERIFIED, 1L);
    }

    @Test
    void shouldNotCallLostWhatIsMissingWhereNobodySaysWhetherItWasDeleted() {
        final ReadBack found = third(Deletion.KEPT, 0, -1);

        assertThat(found.counts())
                .containsEntry(Counts.NOT_FOUND, 0L)
                .containsEntry(Counts.NOT_VERIFIED, 2L);
        assertThat(found.reasons()).singleElement().asString().contains("does not answer");
    }
}
