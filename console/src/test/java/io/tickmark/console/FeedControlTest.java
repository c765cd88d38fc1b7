package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A feed that cannot be started: its source can be read and not opened. */
class FeedControlTest {
    private static FeedSettings feed(final String source) {
        return Settings.read(FeedSettings.class, Map.of("source", source), key -> key);
    }

    private static final FeedSettings NOWHERE = feed("mcast://239.1.2.3:4002?interface=nosuch0");

    private static Set<Thread> sessionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("sessions-"))
                .collect(Collectors.toSet());
    }

    /** A thread that was told to end may take a while on a busy machine. */
    private static void endsAllBut(final Set<Thread> threads) throws InterruptedException {
        for (final Thread each : sessionThreads()) {
            if (!threads.contains(each)) {
                assertThat(each.join(Duration.ofSeconds(120))).as("%s ends", each).isTrue();
            }
        }
    }

    @Test
    void shouldStandStillAndLeaveNothingBehind() throws InterruptedException {
        try (FeedControl control = new FeedControl(feed("generator"), 1, true)) {
            final SessionHub before = control.hub();
            final Set<Thread> threads = sessionThreads();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> control.change(NOWHERE, true))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("nosuch0");
                assertThat(control.isRunning()).isFalse();
                assertThat(control.hub()).as("sessions stay").isSameAs(before);
            }
            endsAllBut(threads);
            control.change(feed("generator"), true);
            assertThat(control.isRunning()).isTrue();
            assertThat(control.hub()).isNotSameAs(before);
        }
    }

    @Test
    void shouldNotBeginWithAFeedThatCannotBeStarted() throws InterruptedException {
        final Set<Thread> threads = sessionThreads();
        assertThatThrownBy(() -> new FeedControl(NOWHERE, 2, true))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nosuch0");
        endsAllBut(threads);
    }
}
