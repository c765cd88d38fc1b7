package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A client that connects and does nothing, or never completes a message, uses few resources and not
 * for long.
 */
@Timeout(180)
class HostileConnectionsTest {
    private static final int PATIENCE_MS = 60_000;

    private static Trial gateway(final Trial trial, final Map<String, Object> settings) {
        final Map<String, Object> all = new java.util.HashMap<>(settings);
        all.put("exitAtEnd", false);
        return trial.gateway(all).start();
    }

    private static List<Socket> connect(final int port, final int count) throws IOException {
        final List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(PATIENCE_MS);
            sockets.add(socket);
        }
        return sockets;
    }

    @Test
    void shouldCloseThoseThatWaitLongestForTheirLogonWhereThereAreTooMany() throws Exception {
        try (Trial trial = gateway(new Trial(Map.of()), Map.of("mostWaiting", 10))) {
            final List<Socket> idle = connect(trial.port("fixConsumers"), 300);
            for (final Socket socket : idle.subList(0, 290)) {
                assertThat(socket.getInputStream().read()).as("closed").isEqualTo(-1);
            }
            try (RawClient honest = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
                honest.settle();
            }
            for (final Socket socket : idle) {
                socket.close();
            }
            trial.stop("gateway");
            assertThat(trial.count("gateway", "crowdedOut"))
                    .isBetween(290L, 291L); // the honest client connected when there were 10
            assertThat(trial.result("gateway").warnings())
                    .anyMatch(line -> line.contains("--most-waiting"));
            assertThat(trial.context("gateway").lines())
                    .as("no line for each of them")
                    .hasSizeLessThan(60);
        }
    }

    /** On a clock ten times as fast: it took 72 s with the usual heartbeats. */
    @Test
    void shouldCutOffAMessageThatNeverEnds() throws Exception {
        final AtomicLong aheadNs = new AtomicLong();
        final Trial fast = new Trial(Map.of()).on(() -> System.nanoTime() + aheadNs.get());
        try (Trial trial = gateway(fast, Map.of());
                RawClient client = new RawClient(trial.port("fixConsumers"), "CONSUMER1")) {
            client.raw("8=FIX.4.4|9=60000|35=0|58=");
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> {
                                while (true) { // bytes keep coming, as from a live client
                                    client.raw("x");
                                    Thread.sleep(20);
                                    aheadNs.addAndGet(200_000_000);
                                }
                            })
                    .isInstanceOf(IOException.class);
            assertThat(trial.context("gateway").lines())
                    .anyMatch(line -> line.contains("a message was not complete within 10 s"));
        }
    }
}
