package io.tickmark.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several that use one history at the same time, each on a separate connection. */
class HistoryAtOnceTest {
    private static final int USERS = 4;
    private static final int RUNS = 20;

    @TempDir(factory = InMemory.class)
    private Path folder;

    private interface Work {
        void as(int user) throws Exception;
    }

    /** Begins together; what goes wrong for one is thrown. */
    private static void together(final Work work) throws Exception {
        final CyclicBarrier start = new CyclicBarrier(USERS);
        final List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            final int user = i;
            all.add(() -> {
                start.await();
                work.as(user);
                return null;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(USERS)) {
            for (final Future<Void> done : threads.invokeAll(all)) {
                done.get();
            }
        }
    }

    private interface Turn {
        void of(int user, int number) throws Exception;
    }

    /**
     * Each turn begins together: who waits for a file is in no queue and gives up after five
     * seconds, which what the others do in one turn does not take.
     */
    private static void inTurns(final Turn turn) throws Exception {
        for (int i = 0; i < RUNS; i++) {
            final int number = i;
            together(user -> turn.of(user, number));
        }
    }

    private static void enter(final String place, final String startedAt, final int user) {
        try (History history = History.open(place)) {
            history.enter(Ran.at(startedAt, 100 + user).result(), Path.of("results/x"));
        }
    }

    private static void shouldEnterAll(final String place) throws Exception {
        inTurns((user, i) -> enter(place, "2026-01-01T00:00:%02dZ".formatted(i), user));
        try (History history = History.open(place)) {
            assertThat(history.runs("", "")).hasSize(USERS * RUNS);
            assertThat(history.trends(Ran.PLAN).values())
                    .singleElement()
                    .satisfies(points -> assertThat(points).hasSize(USERS * RUNS));
        }
    }

    @Test
    void shouldEnterRunsOfSeveralAtOnceInAFile() throws Exception {
        shouldEnterAll(folder.resolve("history.db").toString());
    }

    /** A tag looks for its run and then writes: a lock that came with the writing came too late. */
    @Test
    void shouldTagRunsOfOneFileAtOnce() throws Exception {
        final String place = folder.resolve("history.db").toString();
        enter(place, "2026-01-01T00:00:00Z", 0);
        final String id;
        try (History history = History.open(place)) {
            id = history.runs("", "").getFirst().id();
        }
        final List<History> users = new ArrayList<>();
        try {
            for (int user = 0; user < USERS; user++) {
                users.add(History.open(place));
            }
            inTurns((user, i) -> users.get(user).tag(id, "%d-%d".formatted(user, i)));
        } finally {
            users.forEach(History::close);
        }
        try (History history = History.open(place)) {
            assertThat(history.runs("", "").getFirst().tags()).hasSize(USERS * RUNS);
        }
    }

    @Test
    void shouldEnterOneResultOnceHoweverManyBringIt() throws Exception {
        final String place = folder.resolve("history.db").toString();
        inTurns((_, i) -> enter(place, "2026-01-01T00:00:%02dZ".formatted(i), 0));
        try (History history = History.open(place)) {
            assertThat(history.runs("", "")).hasSize(RUNS);
        }
    }

    @Test
    void shouldLetSeveralOpenAnEmptyServerAtOnce() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            for (int i = 0; i < 5; i++) {
                final String place = server.database("fresh" + i);
                together(user -> enter(place, "2026-01-01T00:00:00Z", user));
                try (History history = History.open(place)) {
                    assertThat(history.runs("", "")).hasSize(USERS);
                }
            }
            shouldEnterAll(server.database("busy"));
        }
    }

    /** A reader takes no lock: it neither waits for a writer, nor needs write permission. */
    @Test
    void shouldBeReadWhileAnotherWrites() throws SQLException {
        final String place = folder.resolve("history.db").toString();
        enter(place, "2026-01-01T00:00:00Z", 0);
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + place);
                Statement statement = other.createStatement()) {
            statement.execute("begin immediate");
            try (History history = History.open(place)) {
                assertThat(history.runs("", "")).hasSize(1);
                assertThat(history.trends(Ran.PLAN)).hasSize(1);
            }
            statement.execute("rollback");
        }
    }
}
