package io.tickmark.engines.omb;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.CloseHelper;

/**
 * A small broker on loopback: a topic is there once it was made, and each subscription gets all
 * that is sent to it from then on, its members in turn. Ends with all its connections. As a
 * program, which {@code java FanOutServer.java} runs with Agrona on its class path, it prints its
 * port and serves until it is ended.
 */
final class FanOutServer implements AutoCloseable {
    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<String, Map<String, Subscription>> topics = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> producers = new ConcurrentHashMap<>();
    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** Members get messages in turn; one that is gone leaves. */
    private static final class Subscription {
        private final List<DataOutputStream> members = new CopyOnWriteArrayList<>();
        private int next;

        synchronized void send(final String key, final byte[] message) {
            while (!members.isEmpty()) {
                final DataOutputStream member = members.get(next++ % members.size());
                try {
                    member.writeUTF(key);
                    member.writeInt(message.length);
                    member.write(message);
                    member.flush();
                    return;
                } catch (final IOException e) {
                    members.remove(member);
                }
            }
        }
    }

    FanOutServer() throws IOException {
        thread(this::accept);
    }

    static void main() throws Exception {
        try (FanOutServer server = new FanOutServer()) {
            System.out.println(server.port());
            Thread.currentThread().join();
        }
    }

    private static void thread(final Runnable task) {
        Thread.ofPlatform().daemon().name("fan-out-server").start(task);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Topics that were made, with their partitions. */
    Map<String, Integer> topics() {
        return partitions;
    }

    /** Keys of what was sent to a topic. */
    Set<String> keys(final String topic) {
        return keys.getOrDefault(topic, Set.of());
    }

    int producers(final String topic) {
        return producers.getOrDefault(topic, new AtomicInteger()).get();
    }

    /** Members of all subscriptions of a topic. */
    List<Integer> consumers(final String topic) {
        return topics.getOrDefault(topic, Map.of()).values().stream()
                .map(each -> each.members.size())
                .toList();
    }

    /** Connections that are open. */
    long connections() {
        return sockets.size();
    }

    private void accept() {
        try {
            while (true) {
                final Socket socket = listening.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                thread(() -> serve(socket));
            }
        } catch (final IOException e) {
            // closed
        }
    }

    private void serve(final Socket socket) {
        try (socket) {
            final DataInputStream in =
                    new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            final OutputStream out = socket.getOutputStream();
            switch (in.readByte()) {
                case 'T' -> {
                    final String text = in.readUTF();
                    final int end = text.lastIndexOf('/');
                    final Integer had =
                            partitions.putIfAbsent(
                                    text.substring(0, end),
                                    Integer.parseInt(text.substring(end + 1)));
                    out.write(had == null ? 1 : 0);
                }
                case 'S' -> {
                    final String topic = in.readUTF();
                    final DataOutputStream data =
                            new DataOutputStream(new BufferedOutputStream(out));
                    final Subscription subscription =
                            topics.computeIfAbsent(topic, any -> new ConcurrentHashMap<>())
                                    .computeIfAbsent(in.readUTF(), any -> new Subscription());
                    out.write(1);
                    subscription.members.add(data);
                    in.read();
                    subscription.members.remove(data);
                }
                case 'P' -> publish(in.readUTF(), in, out);
                default -> throw new IOException("no such request");
            }
        } catch (final IOException e) {
            // it left
        } finally {
            sockets.remove(socket);
        }
    }

    private void publish(final String topic, final DataInputStream in, final OutputStream out)
            throws IOException {
        producers.computeIfAbsent(topic, any -> new AtomicInteger()).incrementAndGet();
        final Map<String, Subscription> subscriptions =
                topics.computeIfAbsent(topic, any -> new ConcurrentHashMap<>());
        final Set<String> used = keys.computeIfAbsent(topic, any -> ConcurrentHashMap.newKeySet());
        while (true) {
            final String key = in.readUTF();
            final byte[] message = in.readNBytes(in.readInt());
            used.add(key);
            subscriptions.values().forEach(each -> each.send(key, message));
            out.write(1);
        }
    }

    @Override
    public void close() {
        CloseHelper.quietClose(listening);
        CloseHelper.quietCloseAll(sockets);
    }
}
