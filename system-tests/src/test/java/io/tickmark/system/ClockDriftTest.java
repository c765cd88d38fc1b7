package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A host whose clock runs at another rate than that of the others: a library put before the C
 * library of its Java tells all that runs there another monotonic time. One publisher, and a
 * subscriber on that host and on one whose clock is the publisher's.
 */
class ClockDriftTest {
    private static final int PUBLISHER = 2;
    private static final int TRUE_CLOCK = 3;
    private static final int DRIFTING = 4;

    /**
     * Microseconds gained in a second: far more than quartz drifts, so that what a clock that is
     * not followed gets wrong is far more than what a busy machine adds to a bound or a median.
     */
    private static final int PPM = 2_000;

    private static final int SECONDS = 10;

    private static final long DRIFT_NS = PPM * 1_000L * SECONDS;

    /**
     * What a clock is wrong by at the end of the trial that is followed by half: all below has to
     * be well less.
     */
    private static final long HALF_FOLLOWED_NS = DRIFT_NS / 2;

    /** So many messages are not all late, however busy the machine. */
    private static final int MANY = 100;

    /** By so much more they may be late on one host than on the other. */
    private static final long BUSY_NS = DRIFT_NS / 10;

    private static final String LIBRARY =
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <pthread.h>
            #include <stdlib.h>
            #include <time.h>

            static long long base;
            static double gain;
            static int (*own_gettime)(clockid_t, struct timespec *);
            static int (*own_wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

            __attribute__((constructor)) static void begin(void) {
                base = atoll(getenv("DRIFT_SINCE_NS"));
                gain = atof(getenv("DRIFT_PPM")) * 1e-6;
                own_gettime = dlsym(RTLD_NEXT, "clock_gettime");
                own_wait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
                if (!own_wait) own_wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
            }

            static void put(struct timespec *to, long long ns) {
                to->tv_sec = ns / 1000000000LL;
                to->tv_nsec = ns % 1000000000LL;
            }

            int clock_gettime(clockid_t id, struct timespec *to) {
                const int result = own_gettime(id, to);
                if (result == 0 && id == CLOCK_MONOTONIC) {
                    const long long ns = to->tv_sec * 1000000000LL + to->tv_nsec;
                    put(to, ns + (long long)((ns - base) * gain));
                }
                return result;
            }

            /* until a time of the clock above; times of day are far greater */
            int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
                const long long ns = until->tv_sec * 1000000000LL + until->tv_nsec;
                struct timespec real = *until;
                if (ns < 1000000000000000000LL) {
                    put(&real, base + (long long)((ns - base) / (1 + gain)));
                }
                return own_wait(c, m, &real);
            }
            """;

    @TempDir private static Path keys;
    @TempDir private Path folder;

    private static Namespaces namespaces;
    private static Path client;
    private static final List<SshServer> SERVERS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "a drifting clock needs gcc");
        namespaces = new Namespaces(4);
        client = SshServer.keys(keys);
        for (final int host : new int[] {PUBLISHER, TRUE_CLOCK, DRIFTING}) {
            SERVERS.add(SshServer.start(namespaces, host, keys));
        }
        Files.writeString(keys.resolve("drift.c"), LIBRARY);
        final Process gcc =
                new ProcessBuilder(
                                "gcc",
                                "-shared",
                                "-fPIC",
                                "-O1",
                                "-o",
                                "drift.so",
                                "drift.c",
                                "-ldl")
                        .directory(keys.toFile())
                        .inheritIO()
                        .start();
        assertThat(gcc.waitFor()).isZero();
        final Path java =
                Files.writeString(
                        keys.resolve("drifting-java"),
                        """
                        #!/bin/sh
                        export DRIFT_SINCE_NS=%d DRIFT_PPM=%d LD_PRELOAD=%s
                        exec %s "$@"
                        """
                                .formatted(
                                        System.nanoTime(), PPM, keys.resolve("drift.so"), java()));
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    @AfterAll
    static void end() {
        SERVERS.forEach(SshServer::close);
        if (namespaces != null) {
            namespaces.close();
        }
    }

    private Path hosts() throws IOException {
        final StringBuilder text = new StringBuilder("schema: tickmark.hosts/1\nhosts:\n");
        for (final int host : new int[] {PUBLISHER, TRUE_CLOCK, DRIFTING}) {
            text.append(
                    "  - {name: h%d, address: %s, configuration: %s, java: %s, folder: %s }\n"
                            .formatted(
                                    host,
                                    Namespaces.ip4(host),
                                    client,
                                    host == DRIFTING ? keys.resolve("drifting-java") : java(),
                                    keys.resolve("on-h" + host)));
        }
        return Files.writeString(folder.resolve("hosts.yaml"), text);
    }

    /**
     * The quickest message of each second of a subscriber. A busy machine makes messages late, and
     * hardly all of a second; a clock that is wrong moves the quickest of them as well.
     */
    private List<Long> quickestNs(final String role) throws FileNotFoundException {
        final File log =
                folder.resolve("run/roles")
                        .toFile()
                        .listFiles((dir, name) -> name.endsWith(role))[0]
                        .toPath()
                        .resolve("latency.hlog")
                        .toFile();
        final List<Long> quickest = new ArrayList<>();
        try (HistogramLogReader reader = new HistogramLogReader(log)) {
            while (reader.hasNext()) {
                final Object next = reader.nextIntervalHistogram();
                if (next instanceof final Histogram histogram
                        && String.valueOf(histogram.getTag()).contains("response")
                        && histogram.getTotalCount() >= MANY) {
                    quickest.add(histogram.getMinNonZeroValue());
                }
            }
        }
        assertThat(quickest).as(role).hasSizeGreaterThanOrEqualTo(3);
        return quickest;
    }

    @Test
    void shouldMeasureTheSameToAClockThatDrifts() throws Exception {
        final Launch.Outcome outcome =
                namespaces
                        .on(
                                1,
                                Launch.tickmark(
                                                folder,
                                                "stream --channel udp://127.0.0.1:0 --rate 500 --idle adaptive --subscribers 2"
                                                        + " --jvm-warm-up 50ms --no-noise --out run --duration "
                                                        + SECONDS
                                                        + "s")
                                        .onHosts("--hosts", hosts()))
                        .runInTime(folder.resolve("run"));

        outcome.passedOrWasSaturated();
        final JsonNode trial =
                ResultDocument.read(folder.resolve("run/result.json")).trials().getFirst();
        final JsonNode drifting = trial.at("/roles/2/metrics");
        assertThat(drifting.path("host").asString()).isEqualTo("h" + DRIFTING);
        assertThat(drifting.path("clockDriftNs").asLong())
                .as("the library was in effect: " + trial)
                .isGreaterThan((long) (0.9 * DRIFT_NS));
        assertThat(Math.abs(trial.at("/roles/1/metrics/clockDriftNs").asLong()))
                .isLessThan(DRIFT_NS / 4);
        final long boundsNs =
                drifting.path("clockBoundNs").asLong()
                        + trial.at("/roles/1/metrics/clockBoundNs").asLong();
        final List<Long> trueNs = quickestNs("sub-1");
        final long allowedNs =
                boundsNs + Collections.max(trueNs) - Collections.min(trueNs) + BUSY_NS;
        assertThat(drifting.path("clockBoundNs").asLong()).isPositive();
        assertThat(allowedNs)
                .as("tells a clock that is followed by half: %s, %s", boundsNs, trueNs)
                .isLessThan(HALF_FOLLOWED_NS);
        assertThat(quickestNs("sub-2"))
                .allSatisfy(each ->
                        assertThat(each)
                                .isBetween(
                                        Collections.min(trueNs) - allowedNs,
                                        Collections.min(trueNs) + allowedNs));
    }
}
