package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.MessageHandler;
import io.tickmark.transport.Topic;
import io.tickmark.transport.TransportTraits;
import io.tickmark.transport.Waiting;
import io.tickmark.transport.store.DurablePublication;
import io.tickmark.transport.store.DurableSubscription;
import io.tickmark.transport.store.Guarantees;
import io.tickmark.transport.store.StoreServer;
import io.tickmark.transport.store.StoreServer.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a store passes on where its servers may have more than their files show: all that is there,
 * and then why that may not be all, so that nobody takes the rest for lost. A message is a line of
 * a file here, and a server a process that does nothing until it is told to end.
 */
class IncompleteFilesTest {
    private static final int MEMBERS = 3;
    private static final String ENDED =
            "lines server %d of 3, which tickmark started, has ended (exit status 0); the last line of its log is"
                    + " \"ready\".";

    @TempDir private Path folder;
    private final Lines transport = new Lines();
    private final List<String> read = new ArrayList<>();
    private StoreServer store;

    @BeforeEach
    void start() {
        store = transport.store(ChannelUri.parse("lines:"), folder);
        store.start();
        for (int member = 1; member <= MEMBERS; member++) {
            write(member, 3);
        }
    }

    @AfterEach
    void end() {
        store.close();
    }

    @Test
    void shouldPassOnWhatAllMembersHave() {
        transport.reported = 3;

        assertThat(readBack()).isEqualTo(3);
        killAll();
        assertThat(readBack()).isEqualTo(3);
    }

    @Test
    void shouldWaitForWhatTheServersWriteInAMoment() throws InterruptedException {
        transport.reported = 5;
        final Thread late = Thread.ofPlatform().start(() -> write(2, 5));

        assertThat(readBack()).isEqualTo(5);
        late.join();
    }

    @Test
    void shouldSayThatServersReportMoreThanTheirFilesShow() {
        transport.reported = 5;

        assertIncomplete("a server reports 5 messages, and its files show 3");
    }

    @Test
    void shouldNotWaitForDamagedMessages() {
        transport.reported = 4;
        transport.damaged = 1;

        assertThat(readBack()).isEqualTo(3);
    }

    @Test
    void shouldSayThatNoServerReportsHowManyThereAre() {
        transport.refusal = "its disk is full";

        assertIncomplete(
                "no server reported how many messages it has, so the files were read as they are (its disk is full)");
    }

    @Test
    void shouldSayThatMembersDifferWhereNoneRuns() {
        write(3, 4);
        killAll();

        assertIncomplete(
                "no server is running, and the members' files hold 3, 3, 4 messages; those of member 3 were read");
        assertThat(read).hasSize(4);
    }

    @Test
    void shouldSayThatTheFolderOfAMemberIsNotThere() throws IOException {
        killAll();
        final Path moved = transport.folders.get(1);
        Files.move(moved, folder.resolve("elsewhere"));

        assertIncomplete("the folder of member 2 (" + moved + ") is missing");
    }

    /** Those that were started to read back had not ended, and stood for these. */
    @Test
    void shouldSayThatServersHadEndedBeforeOthersWereStartedToReadBack() throws IOException {
        transport.source = BrokerStoreTransport.Source.SERVERS;
        transport.reported = 3;
        final List<Path> ends =
                transport.folders.stream().map(member -> member.resolve(Lines.END)).toList();
        for (final Path end : ends) {
            Files.createFile(end);
        }
        Waiting.until("all have ended", () -> store.ended().size() == MEMBERS);
        for (final Path end : ends) {
            Files.delete(end);
        }

        assertThat(readBack()).isEqualTo(3);

        assertThat(store.ended())
                .containsExactly(ENDED.formatted(1), ENDED.formatted(2), ENDED.formatted(3));
        assertThat(store.troubles()).isEmpty();
    }

    /** A server that is up and takes nothing would keep its publishers waiting. */
    @Test
    void shouldRefuseADiskWithLessRoomThanAServerNeeds() {
        transport.leastFreeBytes = Long.MAX_VALUE;
        final StoreServer refused = transport.store(ChannelUri.parse("lines:"), folder);

        assertThatThrownBy(refused::start)
                .isInstanceOf(UserError.class)
                .hasMessageMatching(
                        "--channel lines:: the disk of \\S+ has \\d+ MB free, and a lines server takes no messages"
                                + " with less than \\d+ MB; make room there, or name a folder on another disk with"
                                + " --store-directory\\.");
    }

    @Test
    void shouldReadFromADiskThatIsFull() {
        transport.source = BrokerStoreTransport.Source.SERVERS;
        transport.reported = 3;
        killAll();
        transport.leastFreeBytes = Long.MAX_VALUE;

        assertThat(readBack()).isEqualTo(3);
    }

    private long readBack() {
        read.clear();
        return store.readBack(
                Topic.DEFAULT,
                0,
                (buffer, offset, length) ->
                        read.add(buffer.getStringWithoutLengthAscii(offset, length)));
    }

    private void assertIncomplete(final String reason) {
        assertThatThrownBy(this::readBack)
                .isInstanceOf(UserError.class)
                .hasMessageContaining(reason);
        assertThat(read).as("passed on before").startsWith("0", "1", "2");
    }

    private void killAll() {
        for (int member = 1; member <= MEMBERS; member++) {
            store.kill(member);
        }
    }

    private void write(final int member, final int messages) {
        final StringBuilder lines = new StringBuilder();
        for (int each = 0; each < messages; each++) {
            lines.append(each).append('\n');
        }
        try {
            Files.writeString(Lines.file(transport.folders.get(member - 1)), lines);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The parameters of the engine. */
    record Parameters(BrokerSettings broker) {}

    /** Three members. */
    private static final class Lines extends BrokerStoreTransport<Parameters> {
        /** A server ends by itself once this file is in its folder. */
        static final String END = "end";

        final List<Path> folders = new ArrayList<>();
        volatile long reported;
        volatile long damaged;
        volatile long leastFreeBytes;
        volatile String refusal = "";
        volatile Source source = Source.FILES;

        Lines() {
            super("lines", 1, Parameters.class);
        }

        static Path file(final Path member) {
            return member.resolve("lines");
        }

        @Override
        public String summary() {
            return "Lines.";
        }

        @Override
        protected int members(final BrokerChannel<Parameters> channel) {
            return MEMBERS;
        }

        @Override
        public TransportTraits traits(final ChannelUri channel) {
            return traits(true, 100);
        }

        @Override
        protected ServerSpec server(
                final BrokerChannel<Parameters> channel,
                final ServerSpec.Member member,
                final List<ServerSpec.Member> all,
                final boolean stores) {
            folders.add(member.folder());
            return new ServerSpec(
                    List.of(
                            "sh",
                            "-c",
                            "echo ready; until [ -e \"$0\" ]; do sleep 0.05; done",
                            member.folder().resolve(END).toString()),
                    Map.of(),
                    "ready",
                    "",
                    List.of(),
                    Duration.ofSeconds(60));
        }

        @Override
        protected long leastFreeBytes() {
            return leastFreeBytes;
        }

        @Override
        protected Link connect(final BrokerChannel<Parameters> channel) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected String name(final BrokerChannel<Parameters> channel, final Topic topic) {
            return topic.name();
        }

        @Override
        protected Guarantees guarantees(final BrokerChannel<Parameters> channel) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected DurablePublication durable(
                final BrokerChannel<Parameters> channel, final Topic topic) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected DurableSubscription durable(
                final BrokerChannel<Parameters> channel,
                final Topic topic,
                final long fromOrdinal) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected StoredTopics stored(final BrokerChannel<Parameters> channel) {
            return new StoredTopics() {
                @Override
                public void awaitReady(final Runnable requireMajority) {
                    requireMajority.run();
                }

                @Override
                public long count(final Topic topic) {
                    if (!refusal.isEmpty()) {
                        throw UserError.environment(refusal);
                    }
                    return reported;
                }

                @Override
                public long expected(final Topic topic) {
                    return count(topic);
                }

                @Override
                public long read(
                        final Topic topic, final long fromOrdinal, final MessageHandler handler) {
                    return count(topic);
                }

                @Override
                public Source source() {
                    return source;
                }

                @Override
                public void deleteAll() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public StoredFiles files(final Path member, final Topic topic) {
                    return new StoredFiles() {
                        @Override
                        public Verification verify() {
                            return new Verification(lines(member).size(), 0, damaged);
                        }

                        @Override
                        public long read(final long fromOrdinal, final MessageHandler handler) {
                            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[20]);
                            final List<String> lines = lines(member);
                            lines.forEach(line ->
                                    handler.onMessage(
                                            buffer,
                                            0,
                                            buffer.putStringWithoutLengthAscii(0, line)));
                            return lines.size();
                        }
                    };
                }
            };
        }

        private static List<String> lines(final Path member) {
            try {
                return Files.exists(file(member)) ? Files.readAllLines(file(member)) : List.of();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
