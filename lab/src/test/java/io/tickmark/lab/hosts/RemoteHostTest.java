package io.tickmark.lab.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.hosts.Ssh.AgentTrouble;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.FaultPlan;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host whose agent is a thread here, at the other end of two pipes. */
@Timeout(180)
class RemoteHostTest {
    private static final String VERSION = "this";

    @TempDir Path folder;

    private final CountDownLatch hasFailed = new CountDownLatch(1);
    private volatile boolean isBroken;
    private Agent agent;
    private RemoteHost host;

    /** The agent; its clock stands, so that it never considers the controller lost. */
    private final class Agent implements PlacedProcess {
        private final PipedOutputStream input = new PipedOutputStream();

        /** Threads of its processes write into it, too, and end before all is read. */
        private final Pipe output = Pipe.open();

        private final Thread thread;

        Agent() throws IOException {
            final PipedInputStream in = new PipedInputStream(input, 1 << 16);
            final OutputStream out = Channels.newOutputStream(output.sink());
            thread = Thread.ofPlatform().daemon().start(() -> serve(in, out));
        }

        private void serve(final InputStream in, final OutputStream out) {
            try (out) {
                out.write(Frames.MAGIC);
                new HostAgent(folder.resolve("there"), VERSION, new Frames(in, out), () -> 0)
                        .serve();
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public OutputStream input() {
            return new FilterOutputStream(input) {
                @Override
                public void write(final byte[] bytes, final int offset, final int length)
                        throws IOException {
                    if (isBroken) {
                        hasFailed.countDown();
                        throw new IOException("Broken pipe");
                    }
                    out.write(bytes, offset, length);
                }
            };
        }

        @Override
        public InputStream output() {
            return Channels.newInputStream(output.source());
        }

        @Override
        public InputStream errors() {
            return new InputStream() {
                /** Says nothing, and ends once something could not be sent. */
                @Override
                public int read() throws IOException {
                    try {
                        hasFailed.await();
                        return -1;
                    } catch (final InterruptedException e) {
                        throw new IOException(e);
                    }
                }
            };
        }

        @Override
        public OptionalInt awaitEnd(final Duration atMost) {
            try {
                return thread.join(atMost) ? OptionalInt.of(0) : OptionalInt.empty();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return OptionalInt.empty();
            }
        }

        @Override
        public void inject(final FaultPlan.Action action, final long pid) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void kill() {
            thread.interrupt();
        }
    }

    private final class Machine implements HostAccess {
        @Override
        public String name() {
            return "h2";
        }

        @Override
        public String address() {
            return "127.0.0.1";
        }

        @Override
        public String shown() {
            return "a thread";
        }

        @Override
        public PlacedProcess agent() {
            try {
                agent = new Agent();
                return agent;
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String trouble(final String said) {
            return AgentTrouble.sentence(name(), said);
        }

        @Override
        public String otherVersion() {
            return "another version";
        }
    }

    @BeforeEach
    void reach() {
        host =
                new RemoteHost(
                        new Machine(),
                        new Build(folder, folder, VERSION, "none.jar", List.of()),
                        "run",
                        () -> 0);
    }

    @AfterEach
    void letGo() {
        hasFailed.countDown(); // for the thread that reads what the agent says of itself
        host.close();
    }

    private Path result(final String name) {
        return folder.resolve(name).resolve("roles");
    }

    /** Roles find their neighbours by these names; two results may have the same. */
    @Test
    void shouldCallFoldersAsTheirResultDoes() {
        final Path sender = Path.of(host.folder(result("a").resolve("t-udp-stream-pub-1")));
        final Path capture = Path.of(host.folder(result("a").resolve("t-udp-capture-1")));
        final Path other = Path.of(host.folder(result("b").resolve("t-udp-stream-pub-1")));

        assertThat(sender.getFileName()).hasToString("1-t-udp-stream-pub-1");
        assertThat(capture).hasToString(sender.resolveSibling("1-t-udp-capture-1").toString());
        assertThat(other.getFileName()).hasToString("2-t-udp-stream-pub-1");
        assertThat(host.folder(result("a").resolve("t-udp-capture-1")))
                .as("again")
                .isEqualTo(capture.toString());
    }

    @Test
    void shouldGiveFoldersOfUnusualNamesNamesOfItsOwn() {
        final Path first = Path.of(host.folder(result("a").resolve("t " + "x".repeat(150))));
        final Path second = Path.of(host.folder(result("a").resolve("u " + "x".repeat(150))));

        assertThat(first).isDirectory().isNotEqualTo(second);
        assertThat(second).isDirectory();
    }

    @Test
    void shouldBringWhatARoleWrote() throws IOException {
        final Path wanted = result("a").resolve("t-1");
        Files.writeString(Path.of(host.folder(wanted)).resolve("latency.csv"), "1,2");

        host.collect(wanted);

        assertThat(wanted.resolve("latency.csv")).hasContent("1,2");
    }

    /** A disk that was full here had counted as the loss of a host. */
    @Test
    void shouldSayWhatCannotBeWrittenHereAndKeepTheHost() throws IOException {
        final Path wanted = Files.createDirectories(result("a")).resolve("t-1");
        Files.createFile(wanted); // no file can be written into it
        Files.writeString(Path.of(host.folder(wanted)).resolve("latency.csv"), "1,2");

        assertThatThrownBy(() -> host.collect(wanted))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("on host h2 cannot all be kept in " + result("a"))
                .hasMessageContaining("make room");

        final Path next = result("a").resolve("t-2");
        Files.writeString(Path.of(host.folder(next)).resolve("latency.csv"), "3,4");
        host.collect(next);
        assertThat(next.resolve("latency.csv")).hasContent("3,4");
    }

    /** The role then writes nothing, and the result did not mention it. */
    @Test
    void shouldSayThatARoleHadNoFolder() throws IOException {
        final Path wanted = result("a").resolve("t-1");
        final Path there = folder.resolve("there/runs/run");
        Files.createFile(there.resolve("1-t-1")); // no folder of that name can be created

        assertThat(host.folder(wanted)).isEmpty();
        assertThatThrownBy(() -> host.collect(wanted))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(
                        "What a role wrote on host h2 is missing: there was no folder");

        Files.delete(there.resolve("1-t-1"));
        assertThat(host.folder(wanted)).as("the next trial").isNotEmpty();
        host.collect(wanted);
    }

    /** The end of the link is known only once all that the agent said has been read. */
    @Test
    void shouldKillProcessesOfAHostThatIsJustBeingLost() {
        final PlacedProcess role =
                host.start(
                        new RoleLaunch(
                                "role",
                                List.of("/bin/sh", "-c", "sleep 600"),
                                List.of(),
                                List.of(),
                                Map.of()));
        isBroken = true;
        try {
            assertThatCode(role::kill).doesNotThrowAnyException();
        } finally {
            isBroken = false; // so that what was started there ends
        }
    }

    /**
     * As where its pod was evicted: that it was lost voids its trial, and is no further failure.
     */
    @Test
    void shouldEndWithAHostThatIsJustBeingLost() throws IOException {
        isBroken = true;
        agent.output.sink().close();
        assertThatCode(host::close).doesNotThrowAnyException();
    }

    @Test
    void shouldSayThatWhatARoleWroteIsGone() throws IOException {
        final Path wanted = result("a").resolve("t-1");
        Files.delete(Path.of(host.folder(wanted)));

        assertThatThrownBy(() -> host.collect(wanted))
                .isInstanceOf(UserError.class)
                .hasMessageMatching(
                        "What a role wrote on host h2 is missing: .*1-t-1 no longer exists.");
    }
}
