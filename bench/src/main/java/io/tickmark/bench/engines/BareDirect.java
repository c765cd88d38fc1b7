package io.tickmark.bench.engines;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.tickmark.kernel.host.ThreadPriority;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Bare loops of engines without a server: the sending side binds, and says where it is. There are
 * two directions, whatever the topics are called.
 */
abstract class BareDirect implements BareClient {
    private volatile boolean isClosed;

    private BareDirect() {}

    /** Engines that have one. */
    static List<String> schemes() {
        return List.of("grpc", "zeromq", "chronicle");
    }

    /** The side that binds. */
    static BareDirect bound(final String scheme) throws IOException {
        return of(scheme, "");
    }

    /**
     * One side.
     *
     * @param at where the other side is, one word; empty for the side that binds
     */
    static BareDirect of(final String scheme, final String at) throws IOException {
        return switch (scheme) {
            case "grpc" -> at.isEmpty() ? new GrpcServer() : new GrpcCaller(at);
            case "zeromq" -> new Zeromq(at);
            case "chronicle" -> new Chronicle(at);
            default -> throw new IllegalArgumentException("no bare loop for " + scheme);
        };
    }

    /** Where the other side finds it; one word. */
    abstract String at();

    final boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        isClosed = true;
    }

    private static void start(final Runnable reading) {
        Thread.ofPlatform().daemon().name("bare-read").start(reading);
    }

    /** Calls of both directions: bytes without a schema. */
    private abstract static class Grpc extends BareDirect {
        static final String SERVICE = "bare.Messages";
        static final MethodDescriptor<byte[], byte[]> EXCHANGE =
                MethodDescriptor.<byte[], byte[]>newBuilder()
                        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                        .setFullMethodName(
                                MethodDescriptor.generateFullMethodName(SERVICE, "Exchange"))
                        .setRequestMarshaller(new Plain())
                        .setResponseMarshaller(new Plain())
                        .build();

        volatile Consumer<byte[]> received = payload -> {};

        private static final class Plain implements MethodDescriptor.Marshaller<byte[]> {
            @Override
            public InputStream stream(final byte[] message) {
                return new ByteArrayInputStream(message);
            }

            @Override
            public byte[] parse(final InputStream stream) {
                try {
                    return stream.readAllBytes();
                } catch (final IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        abstract boolean isReady();

        abstract void pass(byte[] payload);

        /** The library would gather without a limit what the other side is too slow for. */
        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken) {
            while (!isReady() && !isClosed()) {
                Thread.onSpinWait();
            }
            pass(payload);
            taken.run();
        }
    }

    private static final class GrpcServer extends Grpc {
        private final Server server;
        private volatile ServerCall<byte[], byte[]> call;

        GrpcServer() throws IOException {
            server =
                    NettyServerBuilder.forAddress(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                            .directExecutor()
                            .addService(
                                    ServerServiceDefinition.builder(SERVICE)
                                            .addMethod(EXCHANGE, (by, headers) -> accepted(by))
                                            .build())
                            .build()
                            .start();
        }

        private ServerCall.Listener<byte[]> accepted(final ServerCall<byte[], byte[]> by) {
            by.sendHeaders(new Metadata());
            by.request(Integer.MAX_VALUE);
            call = by;
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(final byte[] payload) {
                    received.accept(payload);
                }
            };
        }

        @Override
        String at() {
            return Integer.toString(server.getPort());
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> to) {
            received = to;
        }

        @Override
        boolean isReady() {
            return call.isReady();
        }

        @Override
        void pass(final byte[] payload) {
            call.sendMessage(payload);
        }

        @Override
        public void close() {
            super.close();
            server.shutdownNow();
        }
    }

    private static final class GrpcCaller extends Grpc {
        private final ManagedChannel channel;
        private final ClientCall<byte[], byte[]> call;

        GrpcCaller(final String port) {
            channel =
                    NettyChannelBuilder.forAddress(
                                    new InetSocketAddress(
                                            InetAddress.getLoopbackAddress(),
                                            Integer.parseInt(port)))
                            .usePlaintext()
                            .directExecutor()
                            .build();
            call = channel.newCall(EXCHANGE, CallOptions.DEFAULT);
        }

        @Override
        String at() {
            return "";
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> to) {
            call.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onMessage(final byte[] payload) {
                            to.accept(payload);
                        }
                    },
                    new Metadata());
            call.request(Integer.MAX_VALUE);
        }

        @Override
        boolean isReady() {
            return call.isReady();
        }

        @Override
        void pass(final byte[] payload) {
            call.sendMessage(payload);
        }

        @Override
        public void close() {
            super.close();
            channel.shutdownNow();
        }
    }

    /** XPUB without drops to SUB, and PUSH to PULL for the way back. */
    private static final class Zeromq extends BareDirect {
        private static final String ANY = "tcp://127.0.0.1:*";
        private static final String PORT = "tcp://127.0.0.1:%s";
        private static final int LOOK_MS = 100;

        private final ZContext context = new ZContext();
        private final boolean binds;
        private final ZMQ.Socket sending;
        private final ZMQ.Socket receiving;
        private boolean isJoined;

        Zeromq(final String at) {
            binds = at.isEmpty();
            context.setThreadFactor(Zeromq::ioThread);
            sending = context.createSocket(binds ? SocketType.XPUB : SocketType.PUSH);
            receiving = context.createSocket(binds ? SocketType.PULL : SocketType.SUB);
            receiving.setReceiveTimeOut(LOOK_MS);
            if (binds) {
                sending.setXpubNoDrop(true);
                sending.bind(ANY);
                receiving.bind(ANY);
            } else {
                final String[] ports = at.split(",");
                receiving.connect(PORT.formatted(ports[0]));
                receiving.subscribe(ZMQ.SUBSCRIPTION_ALL);
                sending.connect(PORT.formatted(ports[1]));
            }
        }

        /** It does not interrupt who wakes it, as in our engine. */
        private static Thread ioThread(final Runnable work, final String name) {
            return Thread.ofPlatform()
                    .daemon()
                    .name(name)
                    .unstarted(() -> {
                        ThreadPriority.batch().ifPresent(System.err::println);
                        work.run();
                    });
        }

        private static String port(final ZMQ.Socket socket) {
            return socket.getLastEndpoint().replaceFirst(".*:", "");
        }

        @Override
        String at() {
            return port(sending) + "," + port(receiving);
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received) {
            start(() -> {
                while (!isClosed()) {
                    final byte[] payload = receiving.recv();
                    if (payload != null) {
                        received.accept(payload);
                    }
                }
            });
        }

        /** The first message waits for the subscription. One thread at a time. */
        @Override
        public synchronized void send(
                final String topic, final byte[] payload, final Runnable taken) {
            if (binds && !isJoined) {
                isJoined = sending.recv() != null;
            }
            sending.send(payload);
            taken.run();
        }
    }

    /**
     * A queue for each direction; readers poll without a pause. The library lets a writer be ahead
     * of its readers as far as the disk goes: they tell it in a mapped file how many they have
     * read.
     */
    private static final class Chronicle extends BareDirect {
        private static final String READ = ".read";

        private final Path folder;
        private final boolean owns;
        private final ChronicleQueue out;
        private final ChronicleQueue back;
        private final ExcerptAppender appender;
        private final UnsafeBuffer readByOther;
        private final UnsafeBuffer readHere;
        private long sent;

        Chronicle(final String at) throws IOException {
            System.setProperty("chronicle.analytics.disable", "true");
            System.setProperty("chronicle.announcer.disable", "true");
            System.setProperty("chronicle.disk.monitor.disable", "true");
            owns = at.isEmpty();
            folder = owns ? Files.createTempDirectory("bare-chronicle-") : Path.of(at);
            out = ChronicleQueue.single(folder.resolve("out").toString());
            back = ChronicleQueue.single(folder.resolve("back").toString());
            readByOther = count(owns ? "out" : "back");
            readHere = count(owns ? "back" : "out");
            appender = (owns ? out : back).createAppender();
            appender.singleThreadedCheckDisabled(true); // the receiving side echoes where it reads
            if (owns) { // also where this process is asked to end, or fails
                Runtime.getRuntime()
                        .addShutdownHook(new Thread(() -> IoUtil.delete(folder.toFile(), true)));
            }
        }

        /** How many messages of a queue were read. */
        private UnsafeBuffer count(final String queue) {
            final File file = folder.resolve(queue + READ).toFile();
            return new UnsafeBuffer(
                    owns
                            ? IoUtil.mapNewFile(file, Long.BYTES)
                            : IoUtil.mapExistingFile(file, queue + READ));
        }

        @Override
        String at() {
            return folder.toString();
        }

        @Override
        public void subscribe(final String topic, final Consumer<byte[]> received) {
            start(() -> {
                final ExcerptTailer tailer = (owns ? back : out).createTailer();
                while (!isClosed()) {
                    try (DocumentContext document = tailer.readingDocument()) {
                        if (document.isPresent()) {
                            final Bytes<?> bytes = document.wire().bytes();
                            final byte[] payload = new byte[(int) bytes.readRemaining()];
                            bytes.read(payload);
                            received.accept(payload);
                            readHere.putLongRelease(0, readHere.getLong(0) + 1);
                        }
                    }
                }
            });
        }

        @Override
        public void send(final String topic, final byte[] payload, final Runnable taken) {
            while (sent - readByOther.getLongVolatile(0) >= BareEngine.MOST_UNDER_WAY
                    && !isClosed()) {
                Thread.onSpinWait();
            }
            sent++;
            try (DocumentContext document = appender.writingDocument()) {
                document.wire().bytes().write(payload);
            }
            taken.run();
        }
    }
}
