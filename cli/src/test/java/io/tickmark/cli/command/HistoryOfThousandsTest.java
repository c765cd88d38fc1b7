package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.output.Terminal;
import io.tickmark.history.History;
import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A history of ten thousand runs, as the command reads and prints it: what it asks the database is
 * counted, not its time.
 */
class HistoryOfThousandsTest {
    private static final String PLAN = "nightly";
    private static final int RUNS = 10_000;
    private static final List<String> SHOWN = List.of("roundTripNs.p50", "roundTripNs.p99");
    private static final String NOT_SHOWN = "roundTripNs.p999";

    /** Selects, or their rows, of the schema's version, tags, names, and the changes kept. */
    private static final int BESIDE = 12;

    /** Above and below the lines of a table. */
    private static final int FRAME = 5;

    @TempDir private static Path folder;

    private static Driver sqlite;
    private static CountingDriver counting;

    /** The driver of the history, with what is asked of it counted. */
    private static final class CountingDriver implements Driver {
        private final Driver driver;

        /** Whether a connection is one transaction, whatever its user does. */
        private boolean isHeld;

        private final Set<String> asked = new LinkedHashSet<>();
        private int selects;
        private int changes;
        private long rows;

        CountingDriver(final Driver driver) {
            this.driver = driver;
        }

        @Override
        public Connection connect(final String url, final Properties properties)
                throws SQLException {
            final Connection connection = driver.connect(url, properties);
            if (connection == null) {
                return null;
            }
            if (isHeld) {
                connection.setAutoCommit(false);
            }
            return counted(connection, Connection.class);
        }

        private <T> T counted(final T of, final Class<T> type) {
            return type.cast(
                    Proxy.newProxyInstance(
                            CountingDriver.class.getClassLoader(),
                            new Class<?>[] {type},
                            (_, method, arguments) -> call(of, method, arguments)));
        }

        private Object call(final Object of, final Method method, final Object[] arguments)
                throws Throwable {
            if (isHeld && of instanceof final Connection connection) {
                switch (method.getName()) {
                    case "setAutoCommit" -> {
                        return null;
                    }
                    case "close" -> connection.commit();
                    default -> {} // as usual
                }
            }
            final Object result;
            try {
                result = method.invoke(of, arguments);
            } catch (final InvocationTargetException e) {
                throw e.getCause();
            }
            switch (method.getName()) {
                case "prepareStatement" -> asked.add((String) arguments[0]);
                case "executeQuery" -> selects++;
                case "execute", "executeUpdate", "executeBatch" -> changes++;
                case "next" -> rows += Boolean.TRUE.equals(result) ? 1 : 0;
                default -> {} // asks nothing
            }
            return switch (result) {
                case final PreparedStatement statement ->
                        counted(statement, PreparedStatement.class);
                case final Statement statement -> counted(statement, Statement.class);
                case final ResultSet found -> counted(found, ResultSet.class);
                case null, default -> result;
            };
        }

        @Override
        public boolean acceptsURL(final String url) throws SQLException {
            return driver.acceptsURL(url);
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(final String url, final Properties properties)
                throws SQLException {
            return driver.getPropertyInfo(url, properties);
        }

        @Override
        public int getMajorVersion() {
            return driver.getMajorVersion();
        }

        @Override
        public int getMinorVersion() {
            return driver.getMinorVersion();
        }

        @Override
        public boolean jdbcCompliant() {
            return driver.jdbcCompliant();
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            return driver.getParentLogger();
        }
    }

    private static String place() {
        return folder.resolve("history.db").toString();
    }

    @BeforeAll
    static void enterRuns() throws SQLException {
        sqlite = DriverManager.getDriver("jdbc:sqlite:");
        counting = new CountingDriver(sqlite);
        DriverManager.deregisterDriver(sqlite);
        DriverManager.registerDriver(counting);
        final SplittableRandom random = new SplittableRandom(7);
        counting.isHeld = true;
        try (History history = History.open(place())) {
            for (int i = 0; i < RUNS; i++) {
                history.enter(run(i, random), folder.resolve("run-" + i));
            }
        }
        counting.isHeld = false;
    }

    @AfterAll
    static void leave() throws SQLException {
        DriverManager.deregisterDriver(counting);
        DriverManager.registerDriver(sqlite);
    }

    @BeforeEach
    void countFromHere() {
        counting.asked.clear();
        counting.selects = 0;
        counting.changes = 0;
        counting.rows = 0;
    }

    /** A tenth slower from the thousandth run on. */
    private static RunResult run(final int number, final SplittableRandom random) {
        final double levelNs =
                (number < 1_000 ? 2_000 : 2_200) * (1 + 0.01 * random.nextGaussian());
        final Map<String, Aggregate.Spread> figures = new LinkedHashMap<>();
        SHOWN.forEach(name -> figures.put(name, new Aggregate.Spread(levelNs, levelNs, levelNs)));
        figures.put(NOT_SHOWN, new Aggregate.Spread(9 * levelNs, 9 * levelNs, 9 * levelNs));
        return new RunResult(
                RunResult.SCHEMA,
                "0.1.0",
                Instant.ofEpochSecond(1_700_000_000L + 3600L * number).toString(),
                PLAN,
                Verdict.PASS,
                List.of(),
                List.of(),
                List.of(new Aggregate("ping", "shm:", 0, 64, 3, figures)),
                List.of(),
                null,
                Map.of("host", Map.of("name", "lab-3")),
                null);
    }

    private static String history(final String... words) {
        final List<String> line = new ArrayList<>(List.of("history"));
        line.addAll(List.of(words));
        line.addAll(List.of("--history", place()));
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream printing = new PrintStream(out, true, StandardCharsets.UTF_8);
        final int exitCode =
                new FrontDoor(new Terminal(printing, printing, 0, 0, false))
                        .run(line.toArray(String[]::new));
        assertThat(exitCode).as(out.toString(StandardCharsets.UTF_8)).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldAskOnceForEachSeriesThatItShowsAndKeepWhatItComputed() {
        final String first = history(PLAN);

        assertThat(first.lines().filter(line -> line.contains(" " + RUNS + " ")))
                .hasSize(SHOWN.size());
        assertThat(first.lines().filter(line -> line.contains(" change +"))).hasSize(SHOWN.size());
        assertThat(counting.selects).isBetween(SHOWN.size(), SHOWN.size() + BESIDE);
        // each run by itself, for the trends, and with its value in each series
        assertThat(counting.rows)
                .isBetween((long) RUNS * SHOWN.size(), (long) RUNS * (SHOWN.size() + 2) + BESIDE);

        final long rows = counting.rows;
        countFromHere();
        assertThat(history(PLAN)).isEqualTo(first);
        assertThat(counting.changes).as("nothing is computed that was not kept").isZero();
        assertThat(counting.rows).isBetween(rows, rows + SHOWN.size());
        try (History open = History.open(place())) {
            assertThat(open.changes(PLAN, open.trends(PLAN, SHOWN)).windows()).isZero();
        }
    }

    /** Otherwise each series would cost a look at the values of all. */
    @Test
    void shouldFindTheValuesOfASeriesByAnIndex() throws SQLException {
        history(PLAN);

        final List<String> ofValues =
                counting.asked.stream().filter(sql -> sql.contains("series_value")).toList();
        assertThat(ofValues).isNotEmpty();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + place())) {
            for (final String sql : ofValues) {
                try (PreparedStatement explain =
                                connection.prepareStatement("explain query plan " + sql);
                        ResultSet steps = explain.executeQuery()) {
                    assertThat(steps.next()).isTrue();
                    assertThat(steps.getString("detail"))
                            .as(sql)
                            .startsWith("SEARCH")
                            .contains("series_id=?");
                }
            }
        }
    }

    @Test
    void shouldAskForOneSeriesWhereOneFigureIsNamed() {
        final String text = history(PLAN, "--figure", NOT_SHOWN);

        assertThat(text.lines()).hasSizeBetween(RUNS + 1, RUNS + FRAME);
        assertThat(counting.selects).isBetween(1, 1 + BESIDE);
        assertThat(counting.rows).isBetween((long) RUNS, 3L * RUNS + BESIDE);
    }

    @Test
    void shouldListAllRunsWithoutTheirFigures() {
        assertThat(history().lines()).hasSizeBetween(RUNS + 1, RUNS + FRAME);
        assertThat(counting.selects).isBetween(1, BESIDE);
        assertThat(counting.rows).isBetween((long) RUNS, (long) RUNS + BESIDE);
    }
}
