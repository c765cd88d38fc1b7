package io.tickmark.transport.tcp;

import io.tickmark.kernel.host.FewHandles;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import java.io.Closeable;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A listening side in a process without file handles. Prints its port; once a connection could not
 * be accepted, after half a second more, {@code REFUSED MS REASON}: how often, and for how long it
 * has tried; then gives the handles back and prints {@code connected} once it is.
 */
final class FewHandlesListener {
    private FewHandlesListener() {}

    public static void main(final String[] arguments) throws Exception {
        try (Publication publication =
                new TcpTransport()
                        .publication(ChannelUri.parse("tcp://127.0.0.1:0"), Topic.DEFAULT)) {
            final int port =
                    Integer.parseInt(publication.channel().toString().replaceAll(".*:", ""));
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                // all classes that accepting needs are there from now on
                workUntilSubscribers(publication, 1);
            }
            workUntilSubscribers(publication, 0); // its handle is free again, and taken below
            final List<Closeable> handles = FewHandles.takeAll();
            System.out.println(port);
            while (refused(publication) == 0) {
                publication.doWork();
            }
            final long sinceNs = System.nanoTime();
            while (System.nanoTime() - sinceNs < TimeUnit.MILLISECONDS.toNanos(500)) {
                publication.doWork();
            }
            System.out.printf(
                    "%d %d %s%n",
                    refused(publication),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNs),
                    publication.facts().get("refusedFor"));
            FewHandles.giveBack(handles);
            final Object before = publication.facts().get("connections");
            while (publication.facts().get("connections").equals(before)) {
                publication.doWork();
            }
            System.out.println("connected");
        }
    }

    private static void workUntilSubscribers(final Publication publication, final int wanted) {
        while (publication.subscriberCount() != wanted) {
            publication.doWork();
        }
    }

    private static long refused(final Publication publication) {
        return (long) publication.facts().get("refusedConnections");
    }
}
