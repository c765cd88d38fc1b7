package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.loop.LoopGroup;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.IdleStrategies;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.LocalContext;
import io.tickmark.workloads.market.Peer;
import io.tickmark.workloads.market.rssl.LibraryConnection.Destination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a library whose object is a text. */
@Timeout(60)
class EmaConnectionTest {
    private final LocalContext context =
            new LocalContext(Optional.empty(), 10_000_000_000L, List.of());
    private final LoopGroup group = new LoopGroup(context, "connection", List.of());

    /** What the connection's thread has done. */
    private final List<String> done = new ArrayList<>();

    private final class Texts extends EmaConnection<String> {
        private final Supplier<String> maker;

        Texts(final boolean isLibrarysThread, final Supplier<String> maker) {
            super(
                    group,
                    new Destination(
                            "hub",
                            new Peer("127.0.0.1", 1),
                            Settings.read(ConnectionSettings.class, Map.of(), key -> key),
                            "",
                            Duration.ofSeconds(1)),
                    new LibraryDispatch(isLibrarysThread, () -> {}),
                    IdleStrategies.of(IdleMode.BLOCK, context.clock()),
                    (opened, us) -> {
                        done.add("dispatched " + opened);
                        return 0;
                    },
                    opened -> done.add("closed " + opened));
            this.maker = maker;
        }

        @Override
        protected String connect() {
            return maker.get();
        }

        @Override
        protected void opened(final String made) {
            done.add("opened " + made);
        }

        @Override
        protected void check(final long nowNs) {
            done.add("checked");
        }

        @Override
        public boolean isReady() {
            return true;
        }
    }

    private void open(final EmaConnection<String> connection) {
        connection.open();
        while (done.isEmpty() && !group.isOver()) {
            connection.dispatch(context.clock().nanoTime());
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldDispatchAndCheckOnceItIsOpened() {
        final EmaConnection<String> connection = new Texts(false, () -> "A");
        open(connection);
        connection.dispatch(context.clock().nanoTime());
        connection.close();
        connection.close();
        assertThat(done).containsExactly("opened A", "dispatched A", "checked", "closed A");
        assertThat(connection.loginNs()).isPositive();
        assertThat(group.failure()).isEmpty();
    }

    @Test
    void shouldLeaveTheDispatchToTheLibrarysThread() {
        final EmaConnection<String> connection = new Texts(true, () -> "A");
        open(connection);
        connection.dispatch(context.clock().nanoTime());
        assertThat(done).containsExactly("opened A", "checked");
    }

    @Test
    void shouldEndTheTestWhereTheLibraryCannotConnect() {
        open(
                new Texts(
                        false,
                        () -> {
                            throw new IllegalStateException("no way");
                        }));
        assertThat(done).isEmpty();
        assertThat(group.failure())
                .isEqualTo(
                        "The hub at 127.0.0.1:1 cannot be used: the library failed: "
                                + "java.lang.IllegalStateException: no way.");
    }

    @Test
    void shouldSayWhatToDoWhereNothingAnswers() {
        assertThat(new Texts(false, () -> "A").diagnosis())
                .isEqualTo(
                        "nothing answers at 127.0.0.1:1, or the login goes unanswered; start the hub first, "
                                + "and check host and --port");
    }
}
