package io.tickmark.engines.artemis;

import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/**
 * The main class of a server's process, with its data in the folder of its file of properties. It
 * accepts any user. What it has to report is one line on standard error.
 */
public final class ArtemisServer {
    /** Line on standard error once it accepts connections. */
    static final String READY = "tickmark: the server is ready";

    /** Begins the line that says why it does not start. */
    static final String FAILED = "tickmark: it failed: ";

    /** Begins the line that says why it ends. */
    static final String ENDED = "the server ended: ";

    private static final int JOURNAL_FILE_BYTES = 10 << 20;

    /** The default of Artemis; each message has to fit into it. */
    private static final int JOURNAL_BUFFER_BYTES = 490 << 10;

    private ArtemisServer() {}

    /**
     * Runs a server until the process is stopped.
     *
     * @param args file of properties
     * @throws InterruptedException never
     */
    public static void main(final String[] args) throws InterruptedException {
        try {
            final Path file = Path.of(args[0]).toAbsolutePath();
            final Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            }
            run(properties, file.getParent());
            System.err.println(READY);
        } catch (final Exception e) { // the library declares no narrower one
            System.err.println(FAILED + e.getMessage());
            Runtime.getRuntime().halt(1);
        }
        Thread.currentThread().join();
    }

    private static void run(final Properties properties, final Path folder) throws Exception {
        final String host = properties.getProperty("host");
        final int port = Integer.parseInt(properties.getProperty("port"));
        requireFree(host, port);
        final ActiveMQServer server =
                ActiveMQServers.newActiveMQServer(
                        configuration(properties, folder)
                                .addAcceptorConfiguration(
                                        new TransportConfiguration(
                                                NettyAcceptorFactory.class.getName(),
                                                Map.of(
                                                        TransportConstants.HOST_PROP_NAME,
                                                        host,
                                                        TransportConstants.PORT_PROP_NAME,
                                                        port,
                                                        TransportConstants.USE_EPOLL_PROP_NAME,
                                                        false))));
        final AtomicReference<Exception> failure = new AtomicReference<>();
        server.registerActivationFailureListener(failure::set);
        server.registerIOCriticalErrorListener((error, message, path) -> {
            System.err.println("%s%s (%s)".formatted(ENDED, message, error.getMessage()));
            Runtime.getRuntime().halt(1);
        });
        server.start();
        if (failure.get() != null) {
            throw failure.get();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
    }

    /** The server reports a port that is in use only in its log, and runs without it. */
    private static void requireFree(final String host, final int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
        }
    }

    /**
     * The defaults of Artemis, except that each message fits into the journal, that messages are
     * delivered however often, and that neither a nearly full disk nor a busy machine stops it.
     */
    private static Configuration configuration(final Properties properties, final Path folder)
            throws Exception {
        final int bufferBytes =
                Math.max(
                        JOURNAL_BUFFER_BYTES,
                        Integer.parseInt(properties.getProperty("maxMessageBytes")));
        return new ConfigurationImpl()
                .setName("tickmark")
                .setSecurityEnabled(false)
                .setPersistenceEnabled(true)
                .setJournalDirectory(folder.resolve("journal").toString())
                .setBindingsDirectory(folder.resolve("bindings").toString())
                .setPagingDirectory(folder.resolve("paging").toString())
                .setLargeMessagesDirectory(folder.resolve("large").toString())
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(Boolean.parseBoolean(properties.getProperty("sync")))
                .setJournalBufferSize_NIO(bufferBytes)
                .setJournalFileSize(Math.max(JOURNAL_FILE_BYTES, 2 * bufferBytes))
                .setMaxDiskUsage(-1)
                .setCriticalAnalyzer(false)
                .setJMXManagementEnabled(false)
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                .setMaxDeliveryAttempts(-1)
                                .setAddressFullMessagePolicy(
                                        AddressFullMessagePolicy.valueOf(
                                                properties.getProperty("whenFull"))));
    }

    private static void stop(final ActiveMQServer server) {
        try {
            server.stop();
        } catch (final Exception e) { // as above
            System.err.println(ENDED + e.getMessage());
        }
    }
}
