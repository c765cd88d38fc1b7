package io.tickmark.engines.artemis;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Waiting;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Set;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;

/**
 * A server that another party set up, with the defaults of Artemis; where it is secured it knows
 * one user.
 */
final class GivenArtemis implements AutoCloseable {
    static final String USER = "tester";
    static final String PASSWORD = "secret";
    private static final int NO_DISK_LIMIT = -1;

    private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();
    private final int port;

    GivenArtemis(final Path folder, final boolean isSecured) throws Exception {
        this(folder, isSecured, new AddressSettings(), NO_DISK_LIMIT);
    }

    /** A server that always finds its disk fuller than it may be (max-disk-usage). */
    static GivenArtemis aboveItsDiskLimit(final Path folder) throws Exception {
        final GivenArtemis given = new GivenArtemis(folder, false, new AddressSettings(), 0);
        Waiting.until(
                "it has looked at its disk",
                () -> given.server.getActiveMQServer().getPagingManager().isDiskFull());
        return given;
    }

    /** A server whose addresses put what exceeds some bytes on its disk, in pages. */
    static GivenArtemis paging(final Path folder, final int memoryBytes) throws Exception {
        return new GivenArtemis(
                folder,
                false,
                new AddressSettings()
                        .setMaxSizeBytes(memoryBytes)
                        .setPageSizeBytes(memoryBytes / 4)
                        .setMaxReadPageBytes(memoryBytes)
                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE),
                NO_DISK_LIMIT);
    }

    private GivenArtemis(
            final Path folder,
            final boolean isSecured,
            final AddressSettings addresses,
            final int maxDiskUsage)
            throws Exception {
        port = FreePort.tcp(InetAddress.getLoopbackAddress());
        server.setConfiguration(
                new ConfigurationImpl()
                        .setJournalDirectory(folder.resolve("journal").toString())
                        .setBindingsDirectory(folder.resolve("bindings").toString())
                        .setPagingDirectory(folder.resolve("paging").toString())
                        .setLargeMessagesDirectory(folder.resolve("large").toString())
                        .setMaxDiskUsage(maxDiskUsage)
                        .setDiskScanPeriod(50)
                        .setSecurityEnabled(isSecured)
                        .addAddressSetting("#", addresses)
                        .addAcceptorConfiguration(
                                "given", "tcp://127.0.0.1:%d?useEpoll=false".formatted(port)));
        server.setSecurityManager(new OneUser());
        server.start();
    }

    ChannelUri channel(final String parameters) {
        return ChannelUri.parse("artemis://127.0.0.1:%d?%s".formatted(port, parameters));
    }

    /** May do everything except manage the server. */
    private static final class OneUser implements ActiveMQSecurityManager {
        @Override
        public boolean validateUser(final String user, final String password) {
            return USER.equals(user) && PASSWORD.equals(password);
        }

        @Override
        public boolean validateUserAndRole(
                final String user,
                final String password,
                final Set<Role> roles,
                final CheckType check) {
            return validateUser(user, password) && check != CheckType.MANAGE;
        }
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (final Exception e) { // the library declares no narrower one
            throw new IllegalStateException(e);
        }
    }
}
