package io.tickmark.bench.peers;

import io.tickmark.bench.contest.NotMeasured;
import io.tickmark.kernel.host.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.locks.LockSupport;

/** TCP ports for programs that cannot choose their own. */
final class TcpPorts {
    private static final int TRIES = 500;
    private static final long PAUSE_NS = 10_000_000;

    private TcpPorts() {}

    /** A port without a listener at present. */
    static int free() {
        try {
            return FreePort.tcp(InetAddress.getLoopbackAddress());
        } catch (final IOException e) {
            throw new NotMeasured("there is no free TCP port: " + e.getMessage() + ".", e);
        }
    }

    /** Waits until a program has said a word on its standard output. */
    static void awaitSaid(final String word, final Child child) {
        for (int i = 0; i < TRIES; i++) {
            if (child.output().contains(word)) {
                return;
            }
            if (!child.isAlive()) {
                break;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        throw new NotMeasured("the program did not start: " + child.reason());
    }
}
