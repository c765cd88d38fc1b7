package io.tickmark.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.Exchange;
import io.tickmark.transport.Waiting;
import java.io.File;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalDriverTest {
    @TempDir private File parent;

    @Test
    void shouldJoinADriverByItsDirectory() {
        try (MediaDriver driver = start();
                Pair ipc = new Pair("aeron:ipc?term-length=64k|aeronDir=" + path(driver), 1);
                Pair udp =
                        new Pair(
                                "aeron:udp?endpoint=127.0.0.1:0|term-length=64k|driver=external|aeronDir="
                                        + path(driver),
                                2)) {
            ipc.sendAndReceiveAll(100, 64);
            ipc.reply();
            udp.sendAndReceiveAll(100, 64);
            udp.reply();

            assertThat(udp.bound().publication().facts())
                    .containsEntry("driver", "external")
                    .containsEntry("driverDirectory", path(driver));
        }
    }

    @Test
    void shouldKnowInWhichProcessADriverRuns() {
        try (MediaDriver driver = start()) {
            assertThat(DriverDirectory.process(new File(path(driver))))
                    .hasValue(ProcessHandle.current().pid());
        }
    }

    @Test
    void shouldSayThatNoDriverRunsThere() {
        final UserError error =
                refused("aeron:udp?endpoint=127.0.0.1:0|aeronDir=" + new File(parent, "none"));

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error).hasMessageContaining("no Aeron driver runs in " + parent);
    }

    @Test
    void shouldSayThatADriverHasDied() {
        final MediaDriver driver = start();
        final String channel =
                "aeron:udp?endpoint=127.0.0.1:0|term-length=64k|livenessTimeout=5s|aeronDir="
                        + path(driver);
        try (Exchange bound = Pair.bind(channel)) {
            driver.close();

            Waiting.until(
                    "the client gives the driver up",
                    () -> {
                        bound.publication().doWork();
                        return !Pair.isOpen(bound.publication());
                    });

            assertThat(bound.subscription().isConnected()).isFalse();
            assertThat(bound.publication().subscriberCount()).isZero();
            // the thread that detects it closes the client's ends before it counts the reason
            Waiting.until(
                    "the reason is counted",
                    () -> !bound.publication().facts().get("driverErrors").equals(0L));
            assertThat(bound.note().orElseThrow())
                    .as("a warning of the result")
                    .startsWith("Aeron reported ")
                    .contains("MediaDriver");
            assertThat(refused(channel)).hasMessageContaining("no Aeron driver runs in");
        }
    }

    @Test
    void shouldHostADriverWhereItIsWantedButNotAmongOtherFiles() throws Exception {
        final File wanted = new File(parent, "wanted");
        final String channel = "aeron:ipc?term-length=64k|driver=embedded|aeronDir=";
        try (Pair pair = new Pair(channel + wanted, 1)) {
            pair.sendAndReceiveAll(10, 64);
            assertThat(pair.bound().channel().parameters()).containsEntry("driver", "embedded");
        }
        final File precious = new File(parent, "precious");
        assertThat(precious.mkdir() && new File(precious, "letter").createNewFile()).isTrue();

        assertThat(refused(channel + precious)).hasMessageContaining("holds other files");

        assertThat(new File(precious, "letter")).exists();
    }

    private MediaDriver start() {
        return MediaDriver.launch(
                new MediaDriver.Context()
                        .aeronDirectoryName(new File(parent, "driver").getPath())
                        .threadingMode(ThreadingMode.SHARED)
                        .sharedIdleStrategy(new SleepingMillisIdleStrategy(1))
                        .asyncExecutorEnabled(false)
                        .dirDeleteOnShutdown(false));
    }

    private static String path(final MediaDriver driver) {
        return driver.aeronDirectoryName();
    }

    private static UserError refused(final String channel) {
        final UserError error = catchThrowableOfType(UserError.class, () -> Pair.bind(channel));
        assertThat(error.getMessage()).endsWith(".").doesNotContain("\n");
        return error;
    }
}
