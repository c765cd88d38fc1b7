package io.tickmark.workloads.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.workloads.messaging.latency.LatencyPublisher;
import io.tickmark.workloads.messaging.latency.LatencySubscriber;
import io.tickmark.workloads.messaging.stream.StreamPublisher;
import io.tickmark.workloads.messaging.stream.StreamSubscriber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The page on the hot path in ARCHITECTURE.md, compared with stacks of the hot threads while they
 * send, and the number of our calls between a loop and the system call. Its files, and those on the
 * walk of a FIX message, have to be there.
 */
@Timeout(300)
final class HotPathTest {
    private static final String HEADING = "## The hot path";
    private static final int MOST_FRAMES = 8;

    /** Time for one kind of send; threads stand still for seconds on a busy machine. */
    private static final int FEWEST_STACKS = 10;

    private static final int MOST_PLAYS = 20;

    /** Producer, gateway, consumer, kernel and report. */
    private static final int FEWEST_FILES_OF_FIX = 30;

    private static final String FIX_WALK =
            "workloads/fix/src/main/java/io/tickmark/workloads/fix/package-info.java";

    /** In Markdown and in Javadoc, where a line may end within the braces. */
    private static final Pattern FILE =
            Pattern.compile("(?:`|\\{@code[\\s*]+)([a-z/]+)/\\.\\.\\./([\\w/-]+\\.java)[`}]");

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static String page() throws IOException {
        final String whole = Files.readString(root().resolve("ARCHITECTURE.md"));
        final int from = whole.indexOf(HEADING);
        return whole.substring(from, whole.indexOf("\n## ", from));
    }

    /**
     * Frames from a system call down to a loop.
     *
     * @param path names of both: {@code loop>call}
     * @param stack the call first
     */
    private record Found(String path, List<StackTraceElement> stack) {}

    /** Takes stacks of all threads until it is closed; keeps those with a system call on top. */
    private static final class Sampler implements AutoCloseable {
        private final Set<String> paths;
        private final Queue<Found> found = new ConcurrentLinkedQueue<>();
        private final Thread thread = new Thread(this::sample, "sampler");
        private volatile boolean closed;

        Sampler(final Set<String> paths) {
            this.paths = paths;
            thread.setDaemon(true);
            thread.start();
        }

        private void sample() {
            while (!closed) {
                Thread.getAllStackTraces().values().forEach(this::take);
                Thread.yield();
            }
        }

        /**
         * From the call down to the loop, both included, without frames of the JDK: its adapters
         * for method references bear our package's name, but have no file. An answer at the end of
         * a step is not a measured message.
         */
        private void take(final StackTraceElement[] stack) {
            final List<StackTraceElement> ours =
                    Arrays.stream(stack)
                            .filter(frame -> frame.getClassName().startsWith("io.tickmark."))
                            .filter(frame -> !frame.getClassName().contains("$$Lambda"))
                            .toList();
            if (ours.isEmpty()
                    || ours.stream().anyMatch(frame -> name(frame).startsWith("Control."))) {
                return;
            }
            for (int i = 0; i < ours.size(); i++) {
                final String path = name(ours.get(i)) + ">" + name(ours.getFirst());
                if (paths.contains(path)) {
                    found.add(new Found(path, ours.subList(0, i + 1)));
                    return;
                }
            }
        }

        private static String name(final StackTraceElement frame) {
            final String type = frame.getClassName();
            return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
        }

        List<Found> found() {
            return List.copyOf(found);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** By the path that they are on. */
    private static Map<String, List<List<StackTraceElement>>> stacks(
            final boolean isStream,
            final String channel,
            final double rate,
            final Set<String> paths)
            throws Exception {
        final Map<String, Object> settings = new HashMap<>();
        settings.put("channel", channel);
        if (rate > 0) {
            settings.put("rate", rate);
        }
        final RoleFactory<?> publisher =
                isStream ? new StreamPublisher.Factory() : new LatencyPublisher.Factory();
        final RoleFactory<?> subscriber =
                isStream ? new StreamSubscriber.Factory() : new LatencySubscriber.Factory();
        settings.put("duration", "500ms");
        settings.put(isStream ? "jvmWarmUp" : "warmUp", "20ms");
        settings.put(isStream ? "payloadBytes" : "sizes", isStream ? 64 : "64");
        final Map<String, List<List<StackTraceElement>>> all = new TreeMap<>();
        paths.forEach(path -> all.put(path, new ArrayList<>()));
        for (int plays = 0;
                plays < MOST_PLAYS
                        && all.values().stream().anyMatch(each -> each.size() < FEWEST_STACKS);
                plays++) {
            try (Sampler sampler = new Sampler(paths)) {
                LocalTrial.run(publisher, settings, subscriber, Map.of(), 1);
                sampler.found().forEach(each -> all.get(each.path()).add(each.stack()));
            }
        }
        return all;
    }

    /** Both ends of a trial are looked at in the same one: {@code loop>call}, a space between. */
    @ParameterizedTest
    @CsvSource({
        "false, udp://127.0.0.1:0, 20000, LatencyPublisher$OpenLoop.pace>SocketCalls.sendto"
                + " LatencyPublisher$OpenLoop.pace>SocketCalls.recvfrom",
        "false, udp://127.0.0.1:0, 0, LatencyPublisher$ClosedLoop.run>SocketCalls.sendto"
                + " Receiving.pollUntil>SocketCalls.sendto",
        "true, udp://127.0.0.1:0, 20000, SendLoop.run>SocketCalls.sendto",
        "true, udp://127.0.0.1:0, 0, SendLoop.run>SocketCalls.sendto",
        "true, udp://127.0.0.1:0?batch=8, 20000, SendLoop.run>SocketCalls.sendto",
        "true, udp://127.0.0.1:0?batch=8, 0, SendLoop.run>SocketCalls.sendto"
                + " Receiving.pollUntil>SocketCalls.recvmsg",
    })
    void shouldPassNoMoreThanEightCallsWhoseFilesThePageNames(
            final boolean isStream, final String channel, final double rate, final String paths)
            throws Exception {
        final Map<String, List<List<StackTraceElement>>> stacks =
                stacks(isStream, channel, rate, Set.of(paths.split(" ")));

        final Set<String> files = new LinkedHashSet<>();
        stacks.forEach((path, found) -> {
            assertThat(found).as("stacks of " + path).hasSizeGreaterThanOrEqualTo(1);
            for (final List<StackTraceElement> stack : found) {
                assertThat(stack).as(path).hasSizeLessThanOrEqualTo(MOST_FRAMES);
                stack.forEach(frame -> files.add(frame.getFileName()));
            }
        });
        assertThat(files)
                .allSatisfy(file -> assertThat(page()).as("the page").contains("/" + file + "`"));
    }

    @Test
    void shouldNameFilesThatAreThere() throws IOException {
        assertThat(filesOf(page())).isGreaterThan(MOST_FRAMES);
    }

    @Test
    void shouldNameFilesThatAreThereOnTheWalkOfAFixMessage() throws IOException {
        assertThat(filesOf(Files.readString(root().resolve(FIX_WALK))))
                .isGreaterThan(FEWEST_FILES_OF_FIX);
    }

    /** How many files a page names; each has to be there. */
    private static int filesOf(final String page) {
        final Matcher named = FILE.matcher(page);
        int count = 0;
        while (named.find()) {
            count++;
            final String module = named.group(1);
            final Path sources = root().resolve(module).resolve("src/main/java");
            assertThat(find(sources, named.group(2))).as(named.group()).isTrue();
        }
        return count;
    }

    private static boolean find(final Path folder, final String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.endsWith(ending));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
