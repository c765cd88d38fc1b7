package io.tickmark.bench.peers;

import io.tickmark.kernel.host.Affinity;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.UserError;
import java.util.List;

/**
 * Settings of a side-by-side run.
 *
 * @param rounds turns of each contestant
 * @param only names of contests; empty for all
 * @param samples round trips of each turn
 * @param seconds of each stream and paced rate
 * @param warmUpSeconds before each measurement of ours
 * @param cores of the two sides; empty for the last two
 * @param pairs of runs that are compared with each other
 * @param pairSeconds length of both runs of a pair together
 * @param docs page to write the table into; empty for none
 */
record SideBySideSettings(
        @Setting(help = "Turns of each contestant.", byDefault = "7", min = 1, max = 1000)
                int rounds,
        @Setting(
                        help =
                                "Contests to run: udp, shm, stream, aeron, archive, dds, recording, pace, wire,"
                                        + " controller, start, jitter, socket, batching, market, market-hub, market-api, fix,"
                                        + " fix-floor, fix-slow, fan-out, fan-out-unbatched, browser, attribution,"
                                        + " engines, growth, search;"
                                        + " detection only where it is named.",
                        label = "NAME,...")
                List<String> only,
        @Setting(help = "Round trips of each turn.", byDefault = "100000", min = 100, max = 1e8)
                int samples,
        @Setting(
                        help = "Length of each stream and paced rate.",
                        byDefault = "3",
                        unit = "s",
                        min = 1,
                        max = 60)
                int seconds,
        @Setting(
                        help = "Warm-up before each measurement on a JVM.",
                        byDefault = "6",
                        unit = "s",
                        min = 0,
                        max = 60)
                int warmUpSeconds,
        @Setting(
                        help =
                                "Cores of the sending and the receiving side; by default the last two.",
                        min = 0,
                        max = 4095,
                        label = "SEND,RECEIVE")
                List<Integer> cores,
        @Setting(
                        help = "Pairs of runs that the contest detection compares.",
                        byDefault = "20",
                        min = 1,
                        max = 1000)
                int pairs,
        @Setting(
                        help = "Length of both runs of such a pair together.",
                        byDefault = "300",
                        unit = "s",
                        min = 30,
                        max = 3600)
                int pairSeconds,
        @Setting(
                        help =
                                "Page whose tables of these contests are replaced, such as docs/performance.md.",
                        label = "FILE")
                String docs) {
    /** Copies the lists. */
    public SideBySideSettings {
        only = List.copyOf(only);
        cores = List.copyOf(cores);
    }

    /** Cores of the sending and the receiving side, in this order. */
    Cores pinning() {
        final List<Integer> two = cores.isEmpty() ? lastTwo() : cores;
        if (two.size() != 2 || two.get(0).equals(two.get(1))) {
            throw UserError.usage(
                    "--cores: takes two different core numbers, for example 1,0;"
                            + " two sides that poll on one core measure the scheduler.");
        }
        return new Cores(two.get(0), two.get(1));
    }

    private static List<Integer> lastTwo() {
        return Affinity.allowedCores().reversed().stream().limit(2).toList();
    }

    /** The same with another number of round trips. */
    SideBySideSettings with(final int otherSamples) {
        return new SideBySideSettings(
                rounds,
                only,
                otherSamples,
                seconds,
                warmUpSeconds,
                cores,
                pairs,
                pairSeconds,
                docs);
    }

    /**
     * Whether a contest is to be run; the one that takes hours by itself only where it is named.
     */
    boolean wants(final String contest) {
        return only.isEmpty() ? !contest.equals(Detection.NAME) : only.contains(contest);
    }
}
