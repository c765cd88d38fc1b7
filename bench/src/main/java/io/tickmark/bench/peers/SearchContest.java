package io.tickmark.bench.peers;

import io.tickmark.bench.contest.Contest;
import io.tickmark.bench.contest.Contestant;
import io.tickmark.bench.contest.Goal;
import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.bench.contest.Row;
import io.tickmark.bench.contest.Unit;
import io.tickmark.kernel.result.SearchSummary;
import io.tickmark.kernel.result.Verdict;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.stats.Summaries;
import io.tickmark.lab.result.ResultJson;
import io.tickmark.lab.search.RateSearch;
import io.tickmark.lab.search.SearchGoal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * How long a search for the highest rate takes until its bounds are 1 % apart. The time in trials
 * is compared with that of MLRsearch, the reference implementation of RFC 9971, over the same
 * trials: their outcomes are drawn, so that none has to be run. What a search takes besides its
 * trials shows in one over UDP.
 *
 * @param root of the project
 * @param folder for the draws
 * @param children that starts the searches
 */
record SearchContest(Path root, Path folder, Children children) {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int SEARCHES = 40;

    /** More than any search takes. */
    private static final int DRAWS = 2_000;

    private static final long SEED = 9971;
    private static final double CAPACITY = 1e6;

    /** By how much the capacity differs from trial to trial, one standard deviation. */
    private static final double WANDERS = 0.01;

    private static final double LOWEST = 100;
    private static final double HIGHEST = 99e6;
    private static final double NS_PER_S = 1e9;

    private static final String UDP = "over UDP";
    private static final String UDP_TRIALS = "trials over UDP";

    /** Lengths of initial trials, of final trials and of their sum. */
    private record Lengths(int initialS, int finalS, int sumS) {
        String name() {
            return "trials of %d s, %d s decide".formatted(finalS, sumS);
        }
    }

    private static final List<Lengths> LENGTHS =
            List.of(new Lengths(1, 2, 6), new Lengths(1, 10, 30));

    Contest contest() {
        final Contestant ours = new Ours();
        final Contestant mlr = new MlrSearch();
        final List<Row> rows = new ArrayList<>();
        for (final Lengths lengths : LENGTHS) {
            rows.add(
                    Row.ratio(
                            "search to 1 %, time in trials, " + lengths.name(),
                            lengths.name(),
                            ours.name(),
                            mlr.name(),
                            Unit.SECONDS,
                            new Goal.AtMost(1)));
        }
        rows.add(
                Row.figure(
                        "search to 1 % over UDP, 2 s and 6 s, without confirmation",
                        UDP, ours.name(), Unit.SECONDS, new Goal.AtMost(30)));
        rows.add(
                Row.figure(
                        "the same, time in its trials",
                        UDP_TRIALS,
                        ours.name(),
                        Unit.SECONDS,
                        new Goal.Shown()));
        return new Contest("search", List.of(ours, mlr), rows);
    }

    /** What the capacity is multiplied with, by search and trial; the same in each round. */
    private static double[][] draws() {
        final Random random = new Random(SEED);
        final double[][] draws = new double[SEARCHES][DRAWS];
        for (final double[] search : draws) {
            for (int trial = 0; trial < DRAWS; trial++) {
                search[trial] = Math.exp(WANDERS * random.nextGaussian());
            }
        }
        return draws;
    }

    private final class Ours implements Contestant {
        @Override
        public String name() {
            return "tickmark search";
        }

        @Override
        public Map<String, Double> measure() {
            final Map<String, Double> figures = new HashMap<>();
            for (final Lengths lengths : LENGTHS) {
                final double[][] draws = draws();
                final double[] seconds = new double[SEARCHES];
                for (int search = 0; search < SEARCHES; search++) {
                    seconds[search] = secondsInTrials(draws[search], lengths);
                }
                figures.put(lengths.name(), Summaries.spread(seconds).median());
            }
            overUdp(figures);
            return figures;
        }

        /** Begins as a run does, with a burst at full speed. */
        private double secondsInTrials(final double[] draws, final Lengths lengths) {
            final SearchGoal goal =
                    Settings.read(
                            SearchGoal.class,
                            Map.of(
                                    "initialTrial",
                                    lengths.initialS() + "s",
                                    "finalTrial",
                                    lengths.finalS() + "s",
                                    "durationSum",
                                    lengths.sumS() + "s",
                                    "width",
                                    0.01,
                                    "minRate",
                                    LOWEST,
                                    "maxRate",
                                    HIGHEST),
                            key -> key);
            final List<Double> seconds = new ArrayList<>(List.of((double) lengths.initialS()));
            new RateSearch(
                            goal,
                            new RateSearch.Trials() {
                                @Override
                                public Optional<Boolean> isBad(
                                        final double ratePerSecond, final long durationNs) {
                                    final double capacity = CAPACITY * draws[seconds.size()];
                                    seconds.add(durationNs / NS_PER_S);
                                    return Optional.of(ratePerSecond > capacity);
                                }

                                @Override
                                public double settable(final double ratePerSecond) {
                                    return Math.rint(ratePerSecond);
                                }
                            })
                    .run(CAPACITY * draws[0]);
            return seconds.stream().mapToDouble(Double::doubleValue).sum();
        }

        private void overUdp(final Map<String, Double> figures) {
            final List<String> command =
                    List.of(
                            root.resolve("tickmark").toString(),
                            "search",
                            "stream-700",
                            "--test=one-topic",
                            "--channel=udp://127.0.0.1:0",
                            "--final-trial=2s",
                            "--duration-sum=6s",
                            "--width=1%",
                            "--confirmations=0",
                            "--soak=0",
                            "--no-history",
                            "--json");
            final SearchSummary search;
            try (Child child = children.start("search", command)) {
                search =
                        ResultJson.read(child.await(LIMIT, List.of(0, 1)), "search")
                                .searches()
                                .getFirst();
            }
            if (search.verdict() != Verdict.PASS) {
                throw new NotMeasured("the search found no bounds: " + search.reasons());
            }
            figures.put(UDP, search.searchNs() / NS_PER_S);
            figures.put(
                    UDP_TRIALS,
                    search.trials().stream().mapToLong(SearchSummary.SearchTrial::durationNs).sum()
                            / NS_PER_S);
        }
    }

    /** The package MLRsearch of PyPI. */
    private final class MlrSearch implements Contestant {
        @Override
        public String name() {
            return "MLRsearch";
        }

        @Override
        public Map<String, Double> measure() {
            final Path draws = folder.resolve("draws.txt");
            final StringBuilder text = new StringBuilder();
            for (final double[] search : draws()) {
                for (final double draw : search) {
                    text.append(draw).append(' ');
                }
                text.append('\n');
            }
            try {
                Files.writeString(draws, text);
            } catch (final IOException e) {
                throw new NotMeasured(draws + " cannot be written: " + e.getMessage() + ".", e);
            }
            final Map<String, Double> figures = new HashMap<>();
            for (final Lengths lengths : LENGTHS) {
                figures.put(lengths.name(), FigureLine.figure(output(draws, lengths), "seconds"));
            }
            return figures;
        }

        private String output(final Path draws, final Lengths lengths) {
            final List<String> command = new ArrayList<>();
            command.add(System.getenv().getOrDefault("TICKMARK_BENCH_PYTHON", "python3"));
            command.add(root.resolve("bench/python/mlrsearch.py").toString());
            command.add(draws.toString());
            for (final double number :
                    new double[] {
                        CAPACITY,
                        LOWEST,
                        HIGHEST,
                        lengths.initialS(),
                        lengths.finalS(),
                        lengths.sumS()
                    }) {
                command.add(String.format(Locale.ROOT, "%.0f", number));
            }
            try (Child child = children.start("mlrsearch", command)) {
                return child.await(LIMIT, List.of(0));
            }
        }
    }
}
