package io.tickmark.workloads.fix.trial;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A gateway written by hand: its sessions send what the test says. */
public final class RawGateway implements AutoCloseable {
    private static final long PATIENCE_S = 120;

    private final ServerSocket listening;
    private final List<RawClient> sessions = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> complete = new CompletableFuture<>();

    /** Takes sessions of these CompIDs, which connect in this order. */
    public RawGateway(final String... ids) throws IOException {
        this(0, ids);
    }

    private RawGateway(final int receiveBytes, final String... ids) throws IOException {
        listening = new ServerSocket();
        if (receiveBytes > 0) {
            listening.setReceiveBufferSize(receiveBytes);
        }
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ids.length);
        Thread.ofPlatform()
                .daemon()
                .name("raw-gateway")
                .start(() -> {
                    try {
                        for (final String id : ids) {
                            sessions.add(new RawClient(listening.accept(), id));
                        }
                        complete.complete(null);
                    } catch (final IOException e) {
                        complete.completeExceptionally(e);
                    }
                });
    }

    /** A gateway whose sockets accept little while a session does not read. */
    public static RawGateway withLittleRoom(final String... ids) throws IOException {
        return new RawGateway(RawClient.LITTLE_BYTES, ids);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** A session's side of the gateway, once all have connected. */
    public RawClient session(final int number) throws Exception {
        complete.get(PATIENCE_S, TimeUnit.SECONDS);
        return sessions.get(number);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (final RawClient session : sessions) {
            session.close();
        }
    }
}
