package io.tickmark.wire.capture;

import java.nio.file.Path;

/** Starts a capture in a separate process, reports it and waits to be killed. */
final class AbandonedCapture {
    private AbandonedCapture() {}

    public static void main(final String[] arguments) throws InterruptedException {
        Tcpdump.start(new TcpdumpOptions("lo", "port 1", 1), Path.of(arguments[0]));
        System.out.println("captures");
        Thread.sleep(Long.MAX_VALUE);
    }
}
