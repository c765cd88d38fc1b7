package lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.openmessaging.benchmark.driver.BenchmarkConsumer;
import io.openmessaging.benchmark.driver.BenchmarkDriver;
import io.openmessaging.benchmark.driver.BenchmarkProducer;
import io.openmessaging.benchmark.driver.ConsumerCallback;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.agrona.BitUtil;
import org.apache.bookkeeper.stats.StatsLogger;

/** A driver for the fan-out server of the tests; its configuration says what it does wrong. */
public class TcpDriver implements BenchmarkDriver {
    private Map<String, String> configuration = Map.of();

    private boolean does(final String fault) {
        return configuration.getOrDefault("fault", "").equals(fault);
    }

    private static <T> CompletableFuture<T> failed(final String words) {
        return CompletableFuture.failedFuture(new IllegalStateException(words));
    }

    @Override
    public void initialize(final File file, final StatsLogger statistics)
            throws IOException, InterruptedException {
        configuration =
                Files.readAllLines(file.toPath()).stream()
                        .map(line -> line.split(":", 2))
                        .filter(words -> words.length == 2)
                        .collect(Collectors.toMap(words -> words[0].strip(), words -> words[1].strip()));
        System.setProperty("lab.configuration." + configuration.get("port"), file.toString());
        if (statistics == null) {
            throw new IOException("there is no logger of statistics");
        }
        if (Thread.currentThread().getContextClassLoader() != getClass().getClassLoader()) {
            throw new IOException("threads do not know this driver's jars");
        }
        if (configuration.getOrDefault("reset", "false").equals("true")) {
            throw new IOException("all topics would be deleted");
        }
        if (does("initialize")) {
            throw new IOException("no server\n  at amqp://guest:secret@this-address.");
        }
    }

    @Override
    public String getTopicNamePrefix() {
        return configuration.getOrDefault("prefix", BitUtil.version());
    }

    private Socket connect() throws IOException {
        final Socket socket =
                new Socket(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(configuration.get("port")));
        socket.setTcpNoDelay(true);
        return socket;
    }

    @Override
    public CompletableFuture<Void> createTopic(final String topic, final int partitions) {
        if (does("createTopic")) {
            return failed("no right to make topics");
        }
        try (Socket socket = connect()) {
            final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeByte('T');
            out.writeUTF(topic + "/" + partitions);
            return socket.getInputStream().read() == 1
                    ? CompletableFuture.completedFuture(null)
                    : failed("Topic '" + topic + "' already exists.");
        } catch (final IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<BenchmarkProducer> createProducer(final String topic) {
        if (does("createProducer")) {
            return null;
        }
        try {
            return CompletableFuture.completedFuture(new Producer(connect(), topic));
        } catch (final IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<BenchmarkConsumer> createConsumer(
            final String topic, final String subscriptionName, final ConsumerCallback callback) {
        if (does("createConsumer")) {
            throw new IllegalArgumentException("no such subscription");
        }
        if (does("createConsumerHangs")) {
            return new CompletableFuture<>();
        }
        try {
            return CompletableFuture.completedFuture(
                    new Consumer(connect(), topic, subscriptionName, callback));
        } catch (final IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {}

    private final class Producer implements BenchmarkProducer {
        private final Socket socket;
        private final DataOutputStream out;
        private final Queue<CompletableFuture<Void>> underWay = new ConcurrentLinkedQueue<>();
        private int sent;

        Producer(final Socket socket, final String topic) throws IOException {
            this.socket = socket;
            out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            out.writeByte('P');
            out.writeUTF(topic);
            out.flush();
            final Thread reader = new Thread(this::read, "lab-answers");
            reader.start();
        }

        private void read() {
            try {
                while (socket.getInputStream().read() >= 0) {
                    underWay.remove().complete(null);
                }
            } catch (final IOException e) {
                // closed
            }
        }

        @Override
        public CompletableFuture<Void> sendAsync(final Optional<String> key, final byte[] payload) {
            sent++;
            if (does("sendThrows")) {
                throw new IllegalStateException("the producer is fenced");
            }
            if (does("sendFails")) {
                return sent % 2 == 0 ? failed("not enough replicas.") : CompletableFuture.completedFuture(null);
            }
            if (does("sendNull")) {
                return null;
            }
            if (does("sendBlocks")) {
                try {
                    new CountDownLatch(1).await();
                } catch (final InterruptedException e) {
                    return CompletableFuture.failedFuture(e);
                }
            }
            if (Thread.currentThread().getContextClassLoader() != getClass().getClassLoader()) {
                return failed("threads do not know this driver's jars");
            }
            final CompletableFuture<Void> answer = new CompletableFuture<>();
            if (does("sendSilent")) {
                return answer;
            }
            underWay.add(answer);
            try {
                out.writeUTF(key.orElse(""));
                final byte[] message =
                        does("asText") ? new String(payload, UTF_8).getBytes(UTF_8) : payload;
                out.writeInt(message.length);
                out.write(message);
                out.flush();
            } catch (final IOException e) {
                answer.completeExceptionally(e);
            }
            return answer;
        }

        @Override
        public void close() throws IOException, InterruptedException {
            if (does("closeHangs")) {
                new CountDownLatch(1).await();
            }
            socket.close();
        }
    }

    private final class Consumer implements BenchmarkConsumer {
        private final Socket socket;
        private final DataInputStream in;
        private final ConsumerCallback callback;
        private final List<byte[]> slow = new ArrayList<>();

        Consumer(
                final Socket socket,
                final String topic,
                final String subscription,
                final ConsumerCallback callback)
                throws IOException {
            this.socket = socket;
            this.callback = callback;
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeByte('S');
            out.writeUTF(topic);
            out.writeUTF(subscription);
            in.readByte();
            new Thread(this::read, "lab-consumer").start();
        }

        /** As one byte array, or one buffer that holds it in its midst, both used again. */
        private void read() {
            final byte[] reused = new byte[2_000_000];
            try {
                for (boolean asBuffer = false; ; asBuffer = !asBuffer) {
                    in.readUTF();
                    final int length = in.readInt();
                    if (does("consumerDies")) {
                        throw new IllegalStateException("cannot decode");
                    }
                    if (does("overtaken")) {
                        receiveOvertaken(in.readNBytes(length));
                    } else if (asBuffer) {
                        in.readFully(reused, 3, length);
                        callback.messageReceived(ByteBuffer.wrap(reused, 3, length).slice(), 0L);
                        ByteBuffer.wrap(reused).put(3, (byte) ~reused[3]);
                    } else {
                        final byte[] message = in.readNBytes(length);
                        callback.messageReceived(message, 0L);
                        message[0] = (byte) ~message[0];
                    }
                }
            } catch (final IOException e) {
                // closed
            }
        }

        /**
         * One of three messages comes only after the end of its step. The stamp has the sequence at
         * byte 8 and flags at byte 12: 4 is for a warm-up, 8 for an end.
         */
        private void receiveOvertaken(final byte[] message) {
            final int flags = message[12] & 0x1f;
            if ((flags & ~4) == 0 && message[8] % 3 == 0) {
                slow.add(message);
                return;
            }
            callback.messageReceived(message, 0L);
            if ((flags & 8) != 0) {
                slow.forEach(each -> callback.messageReceived(each, 0L));
                slow.clear();
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
