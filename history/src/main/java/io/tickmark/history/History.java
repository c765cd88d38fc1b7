package io.tickmark.history;

import io.tickmark.history.ChangePoints.Found;
import io.tickmark.history.ChangePoints.Settled;
import io.tickmark.history.HistoryPoint.Series;
import io.tickmark.kernel.result.Aggregate;
import io.tickmark.kernel.result.LatencySummary;
import io.tickmark.kernel.result.RunResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.result.TrialResult.RoleSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.UserError;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The database of runs: SQLite in a file, or PostgreSQL by its URL. Opened for one piece of work
 * and closed; several processes may use it. Single thread.
 */
public final class History implements AutoCloseable {
    private static final String POSTGRES = "jdbc:postgresql:";
    private static final String SELECT_RUN =
            "select id, started_at, plan, tickmark, host, verdict, folder from run";

    /** Stored with the figures: a step that is no larger may be due to the clocks. */
    private static final String CLOCK_BOUND = RoleSummary.CLOCK_BOUND_NS + ".max";

    private final Connection connection;
    private final String name;

    /** What an earlier version did not enter is most likely this. */
    private static final String SPIN = "spin";

    private static final Comparator<Series> ORDER =
            Comparator.comparing(Series::machine)
                    .thenComparing(Series::placement)
                    .thenComparing(Series::idle)
                    .thenComparing(Series::test)
                    .thenComparing(Series::channel)
                    .thenComparingInt(Series::step)
                    .thenComparing(Series::figure)
                    .thenComparingInt(Series::payloadBytes);

    /** Of these each repeat counts: a median says nothing of what a minority of them lost. */
    private static final Map<String, ToLongFunction<TrialResult>> SUMS =
            Map.of("lost", TrialResult::lost, "notEchoed", TrialResult::notEchoed);

    private record Row(String test, String channel, int step) {}

    private History(final Connection connection, final String name) {
        this.connection = connection;
        this.name = name;
    }

    /**
     * Opens a history; its tables are made, or brought to this version, where they are not.
     *
     * @param place path of a file, or a URL that begins with {@code jdbc:postgresql:} or {@code
     *     postgresql:}
     * @return the history
     * @throws UserError if it cannot be opened
     */
    public static History open(final String place) {
        final Address address = Address.of(place);
        try {
            final Connection connection =
                    DriverManager.getConnection(address.url(), address.properties());
            try {
                Migrations.bring(connection);
                return new History(connection, address.name());
            } catch (final SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (final SQLException e) {
            throw failed(address.name(), e);
        }
    }

    /**
     * Whether a place is a server and not a file.
     *
     * @param place as typed
     * @return true for the URL of a database server
     */
    public static boolean isServer(final String place) {
        return place.startsWith(POSTGRES) || place.startsWith("postgresql:");
    }

    private static UserError failed(final String name, final SQLException e) {
        return UserError.environment(
                "The history in %s cannot be used (%s); name another with --history, or leave it out with --no-history."
                        .formatted(
                                name,
                                String.valueOf(e.getMessage()).lines().findFirst().orElse("")),
                e);
    }

    /** All of it or nothing. */
    private <T> T transaction(final Transaction<T> work) {
        try {
            return Transaction.run(connection, work);
        } catch (final SQLException e) {
            throw failed(name, e);
        }
    }

    /** Without a lock, which a file that may only be read does not give. */
    private <T> T reading(final Transaction<T> work) {
        try {
            return work.in(connection);
        } catch (final SQLException e) {
            throw failed(name, e);
        }
    }

    /**
     * Enters a run. The same result again stays as it is, wherever its folder lies now; one that an
     * earlier version entered keeps its id and gets the machine that it did not keep.
     *
     * @param run its result
     * @param folder where its files lie
     * @return its id
     */
    public String enter(final RunResult run, final Path folder) {
        final String place = folder.toAbsolutePath().normalize().toString();
        final String id = RunId.of(run, folder);
        final KnownMachines machines = KnownMachines.of(run);
        return transaction(open -> {
            final String old = RunId.old(run, folder);
            if (1
                    == update(
                            open,
                            "update run set machine = ?, placement = ?"
                                    + " where id = ? and started_at = ? and plan = ? and host = ?",
                            machines.machine(),
                            machines.placement(),
                            old,
                            run.startedAt(),
                            run.plan(),
                            RunId.host(run))) {
                return old;
            }
            final int entered =
                    update(
                            open,
                            "insert into run (id, started_at, started_ms, plan, tickmark, host, verdict, folder, machine,"
                                    + " placement) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing",
                            id,
                            run.startedAt(),
                            Migrations.startedMs(run.startedAt()),
                            run.plan(),
                            run.tickmark(),
                            RunId.host(run),
                            run.verdict().name().toLowerCase(Locale.ROOT),
                            place,
                            machines.machine(),
                            machines.placement());
            if (entered == 1) {
                figures(open, id, run, clockBounds(run));
            }
            return id;
        });
    }

    /** What one-way times between hosts may be wrong by, the most of all repeats. */
    private static Map<Row, Long> clockBounds(final RunResult run) {
        final Map<Row, Long> bounds = new HashMap<>();
        for (final TrialResult trial : run.trials()) {
            if (trial.verdict() != Verdict.VOID && trial.clockBoundNs() > 0) {
                bounds.merge(
                        new Row(trial.test(), trial.channel(), trial.step()),
                        trial.clockBoundNs(),
                        Math::max);
            }
        }
        return bounds;
    }

    /** Medians over the repeats, where every repeat has the figure. */
    private static void undisturbed(
            final RunResult run, final Aggregate row, final Map<String, Double> figures) {
        final List<TrialResult> repeats = repeats(run, row).toList();
        if (repeats.isEmpty()
                || repeats.stream()
                        .anyMatch(trial ->
                                trial.tail() == null
                                        || trial.tail().undisturbed().latency() == null)) {
            return;
        }
        final Map<String, Function<LatencySummary, OptionalLong>> percentiles =
                Map.of(
                        "p50", LatencySummary::p50,
                        "p90", LatencySummary::p90,
                        "p99", LatencySummary::p99,
                        "p999", LatencySummary::p999);
        percentiles.forEach((name, percentile) -> {
            final double[] values =
                    repeats.stream()
                            .map(trial -> percentile.apply(trial.tail().undisturbed().latency()))
                            .filter(OptionalLong::isPresent)
                            .mapToDouble(OptionalLong::getAsLong)
                            .sorted()
                            .toArray();
            if (values.length == repeats.size()) {
                figures.put(
                        LeftOutParts.UNDISTURBED + name,
                        (values[(values.length - 1) / 2] + values[values.length / 2]) / 2);
            }
        });
        figures.put(
                LeftOutParts.FIGURE,
                repeats.stream()
                        .mapToDouble(trial -> trial.tail().undisturbed().leftOutPart())
                        .max()
                        .orElseThrow());
    }

    /** How the hot threads waited in the repeats that count; empty where they spun. */
    private static String idle(final RunResult run, final Aggregate row) {
        return repeats(run, row)
                .map(TrialResult::idle)
                .filter(idle -> !idle.equals(SPIN))
                .distinct()
                .sorted()
                .collect(Collectors.joining("; "));
    }

    /** Sums over the repeats in place of their medians. */
    private static void sums(
            final RunResult run, final Aggregate row, final Map<String, Double> figures) {
        final List<TrialResult> repeats = repeats(run, row).toList();
        if (!repeats.isEmpty()) {
            SUMS.forEach((name, count) ->
                    figures.computeIfPresent(
                            name, (_, _) -> (double) repeats.stream().mapToLong(count).sum()));
        }
    }

    /** Those that count. */
    private static Stream<TrialResult> repeats(final RunResult run, final Aggregate row) {
        return run.trials().stream()
                .filter(trial ->
                        trial.verdict() != Verdict.VOID
                                && trial.test().equals(row.test())
                                && trial.channel().equals(row.channel())
                                && trial.step() == row.step());
    }

    private static void figures(
            final Connection open,
            final String id,
            final RunResult run,
            final Map<Row, Long> clockBounds)
            throws SQLException {
        try (PreparedStatement insert =
                open.prepareStatement(
                        "insert into series_value (series_id, run_id, value) values (?, ?, ?)")) {
            for (final Aggregate row : run.aggregates()) {
                final Map<String, Double> figures = new LinkedHashMap<>();
                final String idle = idle(run, row);
                row.figures().forEach((name, spread) -> figures.put(name, spread.median()));
                sums(run, row, figures);
                undisturbed(run, row, figures);
                final Long boundNs =
                        clockBounds.get(new Row(row.test(), row.channel(), row.step()));
                if (boundNs != null) {
                    figures.put(CLOCK_BOUND, boundNs.doubleValue());
                }
                for (final Map.Entry<String, Double> figure : figures.entrySet()) {
                    final StoredSeries series =
                            new StoredSeries(
                                    run.plan(),
                                    row.test(),
                                    row.channel(),
                                    row.step(),
                                    row.payloadBytes(),
                                    figure.getKey(),
                                    idle);
                    set(insert, series.keep(open), id, figure.getValue());
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    private static void set(final PreparedStatement statement, final Object... values)
            throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /**
     * Runs, the latest last.
     *
     * @param plan name, or empty for all
     * @param text part of the id, folder, host, version or a tag; empty for all
     * @return runs
     */
    public List<HistoryRun> runs(final String plan, final String text) {
        final List<HistoryRun> runs =
                reading(open ->
                        plan.isEmpty() ? find("where 1 = 1") : find("where plan = ?", plan));
        if (text.isEmpty()) {
            return runs;
        }
        return runs.stream()
                .filter(run ->
                        (run.id()
                                        + " "
                                        + run.folder()
                                        + " "
                                        + run.host()
                                        + " "
                                        + run.tickmark()
                                        + " "
                                        + String.join(" ", run.tags()))
                                .contains(text))
                .toList();
    }

    private List<HistoryRun> find(final String where, final Object... values) throws SQLException {
        final Map<String, List<String>> tags = new LinkedHashMap<>();
        try (PreparedStatement select =
                        connection.prepareStatement("select run_id, tag from tag order by tag");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                tags.computeIfAbsent(rows.getString(1), run -> new ArrayList<>())
                        .add(rows.getString(2));
            }
        }
        final List<HistoryRun> runs = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        SELECT_RUN + " " + where + " order by started_ms, id")) {
            set(select, values);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    runs.add(
                            new HistoryRun(
                                    rows.getString(1),
                                    rows.getString(2),
                                    rows.getString(3),
                                    rows.getString(4),
                                    rows.getString(5),
                                    rows.getString(6),
                                    rows.getString(7),
                                    tags.getOrDefault(rows.getString(1), List.of())));
                }
            }
        }
        return runs;
    }

    /**
     * Names of the figures that runs of a plan have.
     *
     * @param plan name of the plan
     * @return in alphabetical order
     */
    public List<String> figures(final String plan) {
        return reading(open -> {
            final List<String> names = new ArrayList<>();
            try (PreparedStatement select =
                    open.prepareStatement(
                            "select distinct name from series where plan = ? order by name")) {
                set(select, plan);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        names.add(rows.getString(1));
                    }
                }
            }
            return names;
        });
    }

    /**
     * All figures of a plan over its runs that were not void.
     *
     * @param plan name of the plan
     * @return by series, in the order of time; those of a machine and a placement follow each other
     */
    public Map<Series, List<HistoryPoint>> trends(final String plan) {
        return trends(plan, figures(plan));
    }

    /**
     * Some figures of a plan over its runs that were not void.
     *
     * @param plan name of the plan
     * @param figures names of those that are read
     * @return by series, in the order of time; those of a machine and a placement follow each other
     */
    public Map<Series, List<HistoryPoint>> trends(final String plan, final List<String> figures) {
        if (figures.isEmpty()) {
            return Map.of();
        }
        final Set<String> wanted = Set.copyOf(figures);
        return reading(open -> {
            final Map<String, RunOfTrend> runs = runsOfTrends(plan);
            final TreeMap<Series, List<HistoryPoint>> trends = new TreeMap<>(ORDER);
            try (PreparedStatement values =
                    open.prepareStatement(
                            "select run_id, value from series_value where series_id = ?")) {
                for (final StoredSeries stored : series(plan)) {
                    if (wanted.contains(stored.figure())) {
                        values.setString(1, stored.id());
                        addPoints(values, stored, runs, trends);
                    }
                }
            }
            return trends;
        });
    }

    /**
     * A run as its figures show it: the number tells its place among the runs of its plan.
     *
     * @param place the same object for all runs of one machine and placement
     */
    private record RunOfTrend(int number, String id, String startedAt, Place place) {}

    private record Place(String machine, String placement) {}

    private Map<String, RunOfTrend> runsOfTrends(final String plan) throws SQLException {
        final Map<String, RunOfTrend> runs = new HashMap<>();
        final Map<Place, Place> places = new HashMap<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "select id, started_at, case when machine = '' then host else machine end, placement from run"
                                + " where plan = ? and verdict <> 'void' order by started_ms, id")) {
            set(select, plan);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    final String id = rows.getString(1);
                    final Place place = new Place(rows.getString(3), rows.getString(4));
                    runs.put(
                            id,
                            new RunOfTrend(
                                    runs.size(),
                                    id,
                                    rows.getString(2),
                                    places.computeIfAbsent(place, same -> same)));
                }
            }
        }
        return runs;
    }

    private List<StoredSeries> series(final String plan) throws SQLException {
        final List<StoredSeries> all = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement(
                        "select " + StoredSeries.COLUMNS + " from series where plan = ?")) {
            set(select, plan);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    all.add(StoredSeries.read(rows, 1));
                }
            }
        }
        return all;
    }

    private static Series of(final StoredSeries stored, final Place place) {
        return new Series(
                place.machine(),
                place.placement(),
                stored.idle(),
                stored.test(),
                stored.channel(),
                stored.step(),
                stored.payloadBytes(),
                stored.figure());
    }

    /**
     * Runs on different machines are different series. Hundreds of thousands of values come in any
     * order: each is put in its run's place, which sorts them without comparing.
     */
    private static void addPoints(
            final PreparedStatement values,
            final StoredSeries stored,
            final Map<String, RunOfTrend> runs,
            final Map<Series, List<HistoryPoint>> trends)
            throws SQLException {
        final RunOfTrend[] ran = new RunOfTrend[runs.size()];
        final double[] found = new double[runs.size()];
        try (ResultSet rows = values.executeQuery()) {
            while (rows.next()) {
                final RunOfTrend run = runs.get(rows.getString(1));
                if (run != null) { // a void one has no place in a trend
                    ran[run.number()] = run;
                    found[run.number()] = rows.getDouble(2);
                }
            }
        }
        final Map<Place, List<HistoryPoint>> byPlace = new IdentityHashMap<>();
        for (final RunOfTrend run : ran) {
            if (run != null) {
                final List<HistoryPoint> points =
                        byPlace.computeIfAbsent(run.place(), _ -> new ArrayList<>(ran.length));
                final Series series =
                        points.isEmpty() ? of(stored, run.place()) : points.getFirst().series();
                points.add(
                        new HistoryPoint(run.id(), run.startedAt(), series, found[run.number()]));
            }
        }
        byPlace.values().forEach(points -> trends.put(points.getFirst().series(), points));
    }

    /**
     * What runs of a plan left out of their undisturbed figures; not looked up where none of these
     * is among the given ones.
     *
     * @param plan name of the plan
     * @param figures series of it
     * @return for all of its series
     */
    public LeftOutParts leftOut(final String plan, final Set<Series> figures) {
        return figures.stream().anyMatch(each -> each.figure().startsWith(LeftOutParts.UNDISTURBED))
                ? LeftOutParts.of(trends(plan, List.of(LeftOutParts.FIGURE)))
                : new LeftOutParts(Map.of());
    }

    /**
     * Where series of a plan changed. What was computed is kept with the runs: looking again costs
     * nothing, and one more run one window of each series.
     *
     * @param plan name of the plan
     * @param trends series with all of their points
     * @return the changes
     */
    public Changes changes(final String plan, final Map<Series, List<HistoryPoint>> trends) {
        return KeptChanges.of(connection, plan, trends);
    }

    /**
     * Tags a run.
     *
     * @param id of the run
     * @param tag a word
     * @throws UserError if there is no such run
     */
    public void tag(final String id, final String tag) {
        transaction(open -> {
            final HistoryRun run = one(id);
            update(
                    open,
                    "insert into tag (run_id, tag) values (?, ?) on conflict do nothing",
                    id,
                    tag);
            return run;
        });
    }

    /**
     * Deletes a run and its figures; its folder stays.
     *
     * @param id of the run
     * @throws UserError if there is no such run
     */
    public void delete(final String id) {
        transaction(open -> {
            final HistoryRun run = one(id);
            update(open, "delete from tag where run_id = ?", id);
            update(open, "delete from series_value where run_id = ?", id);
            update(open, "delete from run where id = ?", id);
            return run;
        });
    }

    private HistoryRun one(final String id) throws SQLException {
        return find("where id = ?", id).stream()
                .findFirst()
                .orElseThrow(() ->
                        UserError.usage(
                                "%s is not a run of the history in %s; 'tickmark history' lists them."
                                        .formatted(id, name)));
    }

    private static int update(final Connection open, final String sql, final Object... values)
            throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(sql)) {
            set(statement, values);
            return statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (final SQLException e) {
            throw failed(name, e);
        }
    }

    /**
     * Where a history lies, as its driver needs it.
     *
     * @param name as the user may be shown it: without passwords
     * @param url of the database, without passwords too: the driver's errors and warnings hold it
     * @param properties of the connection, passwords among them
     */
    record Address(String name, String url, Properties properties) {
        private static final String BUSY_MS = "5000";

        /** As in {@code //me:secret@host}, which the driver does not know. */
        private static final Pattern USER_BEFORE_HOST = Pattern.compile("//[^/]*@|^[^?]*@");

        private static final Pattern PASSWORD =
                Pattern.compile("(?<=[?&])(\\w*password)=([^&]*)&?", Pattern.CASE_INSENSITIVE);

        /**
         * Takes a place apart.
         *
         * @throws UserError if it may show a password
         */
        static Address of(final String place) {
            final Properties properties = new Properties();
            if (!History.isServer(place)) {
                properties.setProperty("busy_timeout", BUSY_MS);
                // A deferred one locks with its first change, and where another has changed the
                // file
                // since its first look it is refused at once, however long it would wait.
                properties.setProperty("transaction_mode", "IMMEDIATE");
                return new Address(
                        place, "jdbc:sqlite:" + Path.of(place).toAbsolutePath(), properties);
            }
            if (USER_BEFORE_HOST.matcher(place).find()) {
                throw UserError.usage(
                        "The URL of the history names a user before the host, where a password would be seen;"
                                + " write postgresql://host/database?user=me, and keep the password in ~/.pgpass.");
            }
            properties.setProperty("connectTimeout", "5");
            properties.setProperty("socketTimeout", "30");
            PASSWORD.matcher(place)
                    .results()
                    .forEach(found ->
                            properties.setProperty(found.group(1), decoded(found.group(2))));
            final String name = PASSWORD.matcher(place).replaceAll("").replaceAll("[?&]$", "");
            return new Address(name, name.startsWith("jdbc:") ? name : "jdbc:" + name, properties);
        }

        private static String decoded(final String text) {
            try {
                return URLDecoder.decode(text, StandardCharsets.UTF_8);
            } catch (final IllegalArgumentException e) {
                return text; // with a % that stands for itself
            }
        }
    }

    /**
     * Changes of series, kept in the database beside the runs. A fingerprint of the points that
     * they were computed from is stored with them: a run that is deleted, or entered between
     * others, causes a new computation.
     */
    private static final class KeptChanges {
        private static final String KEEP =
                "insert into kept_changes (plan, series, fingerprint, changes, settled_values, settled_fingerprint,"
                        + " settled_changes) values (?, ?, ?, ?, ?, ?, ?) on conflict (plan, series) do update set"
                        + " fingerprint = excluded.fingerprint, changes = excluded.changes,"
                        + " settled_values = excluded.settled_values,"
                        + " settled_fingerprint = excluded.settled_fingerprint,"
                        + " settled_changes = excluded.settled_changes";

        /** On which points were held against each other: what another scale gave is recomputed. */
        private static final byte SCALE = 2;

        private KeptChanges() {}

        /** A row of the table. */
        private record Kept(
                String fingerprint,
                List<Integer> changes,
                Settled settled,
                String settledFingerprint) {}

        static Changes of(
                final Connection connection,
                final String plan,
                final Map<Series, List<HistoryPoint>> trends) {
            final Map<Series, List<Integer>> changes = new HashMap<>();
            final Map<String, Kept> computed = new HashMap<>();
            int windows = 0;
            String notKept = "";
            try {
                final Map<String, Kept> kept = read(connection, plan);
                for (final Map.Entry<Series, List<HistoryPoint>> trend : trends.entrySet()) {
                    final List<HistoryPoint> points = trend.getValue();
                    final String key = key(trend.getKey());
                    final Kept before = kept.get(key);
                    final String fingerprint = fingerprint(points);
                    if (before != null && before.fingerprint().equals(fingerprint)) {
                        changes.put(trend.getKey(), before.changes());
                        continue;
                    }
                    final Found found =
                            ChangePoints.after(settled(before, points), HistoryPoint.logs(points));
                    windows += found.windows();
                    changes.put(trend.getKey(), found.changes());
                    computed.put(
                            key,
                            new Kept(
                                    fingerprint,
                                    found.changes(),
                                    found.settled(),
                                    fingerprint(points.subList(0, found.settled().values()))));
                }
                if (!computed.isEmpty()) {
                    Transaction.run(
                            connection,
                            open -> {
                                keep(open, plan, computed);
                                return null;
                            });
                }
            } catch (final SQLException e) {
                notKept = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
                // a place that may only be read: what is missing is computed, and reported as not
                // kept
                for (final Map.Entry<Series, List<HistoryPoint>> trend : trends.entrySet()) {
                    if (!changes.containsKey(trend.getKey())) {
                        final Found found =
                                ChangePoints.after(
                                        Settled.NOTHING, HistoryPoint.logs(trend.getValue()));
                        windows += found.windows();
                        changes.put(trend.getKey(), found.changes());
                    }
                }
            }
            return new Changes(changes, windows, notKept);
        }

        /** What was settled holds as long as the points that it was computed from are the same. */
        private static Settled settled(final Kept before, final List<HistoryPoint> points) {
            return before != null
                            && before.settled().values() <= points.size()
                            && before.settledFingerprint()
                                    .equals(
                                            fingerprint(
                                                    points.subList(0, before.settled().values())))
                    ? before.settled()
                    : Settled.NOTHING;
        }

        private static Map<String, Kept> read(final Connection connection, final String plan)
                throws SQLException {
            final Map<String, Kept> kept = new HashMap<>();
            try (PreparedStatement select =
                    connection.prepareStatement(
                            "select series, fingerprint, changes, settled_values, settled_fingerprint, settled_changes"
                                    + " from kept_changes where plan = ?")) {
                select.setString(1, plan);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        kept.put(
                                rows.getString(1),
                                new Kept(
                                        rows.getString(2),
                                        numbers(rows.getString(3)),
                                        new Settled(rows.getInt(4), numbers(rows.getString(6))),
                                        rows.getString(5)));
                    }
                }
            }
            return kept;
        }

        private static void keep(
                final Connection open, final String plan, final Map<String, Kept> computed)
                throws SQLException {
            try (PreparedStatement insert = open.prepareStatement(KEEP)) {
                for (final Map.Entry<String, Kept> entry : computed.entrySet()) {
                    final Kept kept = entry.getValue();
                    insert.setString(1, plan);
                    insert.setString(2, entry.getKey());
                    insert.setString(3, kept.fingerprint());
                    insert.setString(4, text(kept.changes()));
                    insert.setInt(5, kept.settled().values());
                    insert.setString(6, kept.settledFingerprint());
                    insert.setString(7, text(kept.settled().changes()));
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }

        private static String text(final List<Integer> numbers) {
            return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
        }

        private static List<Integer> numbers(final String text) {
            return text.isEmpty()
                    ? List.of()
                    : Stream.of(text.split(",")).map(Integer::valueOf).toList();
        }

        /** Channels are longer than what an index takes. */
        private static String key(final Series series) {
            final MessageDigest digest = StoredSeries.sha256();
            Stream.of(
                            series.machine(),
                            series.placement(),
                            series.test(),
                            series.channel(),
                            series.figure())
                    .forEach(text -> {
                        digest.update(text.getBytes(StandardCharsets.UTF_8));
                        digest.update((byte) 0);
                    });
            digest.update(
                    ByteBuffer.allocate(2 * Integer.BYTES)
                            .putInt(series.step())
                            .putInt(series.payloadBytes())
                            .array());
            if (!series.idle().isEmpty()) { // the others keep the keys that they had
                digest.update(series.idle().getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        }

        private static String fingerprint(final List<HistoryPoint> points) {
            final MessageDigest digest = StoredSeries.sha256();
            digest.update(SCALE);
            for (final HistoryPoint point : points) {
                final byte[] run = point.run().getBytes(StandardCharsets.UTF_8);
                final byte[] bytes = Arrays.copyOf(run, run.length + 1 + Double.BYTES);
                ByteBuffer.wrap(bytes).putDouble(run.length + 1, point.value());
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        }
    }
}
