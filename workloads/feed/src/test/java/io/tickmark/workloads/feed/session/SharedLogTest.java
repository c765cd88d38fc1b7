package io.tickmark.workloads.feed.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.workloads.feed.RunningServer;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.conflate.KeptMemory;
import io.tickmark.workloads.feed.conflate.QueueContext;
import io.tickmark.workloads.feed.session.HubFigures.SessionHubCounts;
import io.tickmark.workloads.feed.source.FeedClock;
import io.tickmark.workloads.feed.source.TickRing;
import io.tickmark.workloads.feed.tick.LastValues;
import io.tickmark.workloads.feed.tick.Tick;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sessions that share their output receive, frame by frame, what each would receive from its own
 * queue, whatever their clients do; on the test's clock.
 */
class SharedLogTest {
    private static final int SESSIONS = 20;
    private static final int SYMBOLS = 6;
    private static final int TURNS = 3_000;
    private static final int MOST_TICKS = 8;
    private static final long MOST_STEP_NS = TimeUnit.MICROSECONDS.toNanos(900);
    private static final long LONG_STALL_NS = TimeUnit.MILLISECONDS.toNanos(13);
    private static final long WINDOW_FRAMES = 50;
    private static final Pattern BETWEEN_MESSAGES = Pattern.compile("\\],\\[");

    /** A client that takes all, nothing, or a part and then nothing. */
    private static final class Client implements Outlet {
        private final boolean isBinary;
        private final ByteBuffer got = ByteBuffer.allocate(4_000_000);
        private final UnsafeBuffer buffer = new UnsafeBuffer(got.array());
        private int readTo;
        private long framesRead;
        private String end = "";
        private int most = Integer.MAX_VALUE;

        Client(final boolean isBinary) {
            this.isBinary = isBinary;
        }

        /** The sequences of messages that it has received completely. */
        private long frames() {
            for (int next = next(readTo); next > 0; next = next(readTo)) {
                framesRead += isMessages(readTo) ? 1 : 0;
                readTo = next;
            }
            return framesRead;
        }

        /** Where the frame ends that begins there; 0 where it is not there, or not whole. */
        private int next(final int at) {
            if (isBinary) {
                final boolean isThere = at + BinaryFrame.HEAD <= got.position();
                final int next = isThere ? at + BinaryFrame.lengthOf(buffer, at) : 0;
                return next <= got.position() ? next : 0;
            }
            for (int i = at; i < got.position(); i++) {
                if (buffer.getByte(i) == '\n') {
                    return i + 1;
                }
            }
            return 0;
        }

        private boolean isMessages(final int at) {
            return isBinary
                    ? buffer.getByte(at + 1) == BinaryFrame.MESSAGES
                    : buffer.getByte(at + 2) == 'f';
        }

        @Override
        public void write(final ByteBuffer bytes) {
            final int taken = Math.min(most, bytes.remaining());
            got.put(bytes.slice(bytes.position(), taken));
            bytes.position(bytes.position() + taken);
            most -= most == Integer.MAX_VALUE ? 0 : taken;
        }

        @Override
        public void close() {
            end += "closed";
        }

        @Override
        public void close(final Ending ending) {
            end += ending.kind();
        }

        /** Frames, notes and how it ended; messages of a frame without their order. */
        private List<String> received() {
            final List<String> frames = new ArrayList<>();
            int at = 0;
            for (int next = next(at); next > 0; next = next(at)) {
                frames.add(isBinary ? binary(at, next) : text(at, next));
                at = next;
            }
            frames.add(end);
            return frames;
        }

        private String binary(final int at, final int next) {
            final int from = at + BinaryFrame.HEAD;
            if (!isMessages(at)) {
                return buffer.getStringWithoutLengthUtf8(from, next - from);
            }
            return "%d at %d, from %d: %s"
                    .formatted(
                            buffer.getLong(at + 8),
                            buffer.getLong(at + 16),
                            buffer.getLong(at + 24),
                            IntStream.range(0, (next - from) / Tick.LENGTH)
                                    .map(i -> from + i * Tick.LENGTH)
                                    .mapToObj(tick ->
                                            Tick.symbol(buffer, tick)
                                                    + ":"
                                                    + Tick.sequence(buffer, tick))
                                    .sorted()
                                    .toList());
        }

        private void readMessages(final BiConsumer<Integer, Integer> reader) {
            int at = 0;
            for (int next = next(at); next > 0; next = next(at)) {
                if (isMessages(at)) {
                    final int tick = at + BinaryFrame.HEAD;
                    reader.accept(Tick.symbol(buffer, tick), Tick.sequence(buffer, tick));
                }
                at = next;
            }
        }

        private String text(final int at, final int next) {
            final String line = buffer.getStringWithoutLengthUtf8(at, next - 1 - at);
            if (!isMessages(at)) {
                return line;
            }
            final int list = line.indexOf("[[");
            assertThat(line).endsWith("]]}");
            final String messages = line.substring(list + 2, line.length() - 3);
            return line.substring(0, list)
                    + Arrays.stream(BETWEEN_MESSAGES.split(messages)).sorted().toList();
        }
    }

    private final Random random = new Random(17);
    private final UnsafeBuffer tick = new UnsafeBuffer(new byte[Tick.LENGTH]);
    private final int[] sequences = new int[SYMBOLS];
    private long nowNs = 1;

    /** A thread with its sessions, as in a hub, with a limit of the logs. */
    private final class Side {
        private final TickRing ring = new TickRing(Tick.LENGTH);
        private final List<Client> clients = new ArrayList<>();
        private final List<Session> sessions = new ArrayList<>();
        private final SessionHubCounts counts = new SessionHubCounts();
        private final SessionThread thread;
        private long membersSeen;

        Side(final long logBytes, final Map<String, Object> wishes, final boolean isBinary) {
            final LastValues values = new LastValues(SYMBOLS, Tick.LENGTH);
            thread =
                    new SessionThread(
                            new FeedClock(() -> nowNs, 0),
                            _ -> IdleStrategies.of(IdleMode.SPIN, () -> nowNs),
                            "sessions-1",
                            counts,
                            values,
                            Tick.LENGTH,
                            new KeptMemory(logBytes));
            thread.read(List.of(ring));
            final SessionSettings settings = RunningServer.session(wishes);
            for (int i = 0; i < SESSIONS; i++) {
                final QueueContext context =
                        new QueueContext(
                                0,
                                SYMBOLS,
                                0,
                                settings.limitBytes(),
                                Tick.LENGTH,
                                values,
                                new KeptMemory(1_000_000_000).share());
                final FrameEncoder encoder =
                        isBinary
                                ? new BinaryFrame(FeedFraming.NONE, Tick.LENGTH)
                                : new JsonFrame(FeedFraming.NONE, Tick.LENGTH);
                final Session session =
                        new Session(
                                "session-" + i,
                                settings,
                                context,
                                new ConflationPolicies()
                                        .find(settings.conflation())
                                        .queue(context));
                final Client client = new Client(isBinary);
                thread.table().add(session, encoder);
                session.connect(
                        new SessionConnection(client, encoder, settings, thread.scratch()), nowNs);
                sessions.add(session);
                clients.add(client);
            }
        }

        private void turn() {
            thread.work();
            membersSeen += sessions.stream().filter(Session::isMember).count();
        }
    }

    private void publish(final List<Side> sides) {
        for (int i = random.nextInt(MOST_TICKS) + 1; i > 0; i--) {
            final int symbol = random.nextInt(SYMBOLS);
            Tick.identity(tick, 0, symbol, ++sequences[symbol]);
            for (final Side side : sides) {
                final int claim = side.ring.claim();
                side.ring.buffer().putBytes(claim, tick, 0, Tick.LENGTH);
                side.ring.commit(claim);
            }
        }
    }

    /** What clients do: acknowledge, stop accepting, accept again. */
    private void clientsDo(final List<Side> sides) {
        final int who = random.nextInt(SESSIONS);
        final int most = random.nextInt(3) == 0 ? random.nextInt(500) : Integer.MAX_VALUE;
        final long frames = random.nextInt((int) WINDOW_FRAMES);
        for (final Side side : sides) {
            final Session session = side.sessions.get(who);
            side.clients.get(who).most = most;
            session.acknowledge(Math.max(0, side.clients.get(who).frames() - frames), 0);
        }
    }

    /** Names the first frame that differs, and not thousands. */
    private static void assertSame(final List<String> shared, final List<String> alone) {
        for (int i = 0; i < Math.min(shared.size(), alone.size()); i++) {
            assertThat(shared.get(i)).as("frame or note %d", i).isEqualTo(alone.get(i));
        }
        assertThat(shared).hasSameSizeAs(alone);
    }

    @ParameterizedTest
    @CsvSource({
        "buffer, 0ms, true",
        "buffer, 4ms, true",
        "buffer, 4ms, false",
        "merge, 4ms, true",
        "merge, 4ms, false"
    })
    void shouldSendEachWhatItsOwnQueueWould(
            final String conflation, final String flush, final boolean isBinary) {
        final Map<String, Object> wishes =
                Map.of(
                        "conflation",
                        conflation,
                        "flush",
                        flush,
                        "windowFrames",
                        WINDOW_FRAMES,
                        "limitBytes",
                        40_000);
        final Side alone = new Side(0, wishes, isBinary);
        final Side together = new Side(10_000_000, wishes, isBinary);
        final List<Side> sides = List.of(alone, together);
        run(sides);
        assertThat(alone.membersSeen).isZero();
        assertThat(together.membersSeen).as("in the log, all turns").isPositive();
        for (int i = 0; i < SESSIONS; i++) {
            assertSame(together.clients.get(i).received(), alone.clients.get(i).received());
            assertThat(together.sessions.get(i).figures())
                    .isEqualTo(alone.sessions.get(i).figures());
        }
        assertThat(together.counts.figures())
                .usingRecursiveComparison()
                .isEqualTo(alone.counts.figures());
    }

    private void run(final List<Side> sides) {
        for (int i = 0; i < TURNS; i++) {
            nowNs += i % 500 == 499 ? LONG_STALL_NS : random.nextLong(MOST_STEP_NS);
            publish(sides);
            for (int j = 0; j < 4; j++) {
                clientsDo(sides);
            }
            sides.forEach(Side::turn);
        }
    }

    /** Here the order differs: that of the last messages, not of the first that wait. */
    @Test
    void shouldSendTheLastValueOfEachSymbolWhereEachMessageIsAFrame() {
        final Side together =
                new Side(10_000_000, Map.of("conflation", "merge", "flush", "0ms"), true);
        run(List.of(together));
        assertThat(together.membersSeen).isPositive();
        for (int i = 0; i < SESSIONS; i++) {
            final int[] last = new int[SYMBOLS];
            together.clients
                    .get(i)
                    .readMessages((symbol, sequence) -> {
                        assertThat(sequence).isGreaterThan(last[symbol]);
                        last[symbol] = sequence;
                    });
            final SessionFigures figures = together.sessions.get(i).figures();
            assertThat(figures.sent() + figures.merged() + figures.waiting())
                    .isEqualTo(figures.offered());
            if (figures.waiting() == 0 && together.clients.get(i).most == Integer.MAX_VALUE) {
                assertThat(last).isEqualTo(sequences);
            }
        }
    }
}
