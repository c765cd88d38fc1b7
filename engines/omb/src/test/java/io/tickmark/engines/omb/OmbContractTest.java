package io.tickmark.engines.omb;

import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transport;
import io.tickmark.transport.TransportContractTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A driver in a user's jars, its server in this process, its other end in another where need be.
 */
class OmbContractTest extends TransportContractTest {
    @TempDir private static Path folder;

    private static FanOutServer server;
    private static Path configuration;

    @BeforeAll
    static void startServer() throws IOException {
        server = new FanOutServer();
        DriverJars.in(folder);
        configuration =
                Files.writeString(
                        folder.resolve("tcp.yaml"),
                        "driverClass: lab.TcpDriver\nport: %d\n".formatted(server.port()));
    }

    @AfterAll
    static void endServer() {
        CloseHelper.quietClose(server);
    }

    @Override
    protected Transport transport() {
        return new OmbTransport();
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse("omb:" + configuration + parameters());
    }

    String parameters() {
        return "";
    }

    @Override
    protected boolean bindsExclusively() {
        return false;
    }

    @Override
    protected List<ChannelUri> badAddresses() {
        return List.of(
                ChannelUri.parse("omb:"),
                ChannelUri.parse("omb:?jars=lib"),
                ChannelUri.parse("omb:tcp.yaml?prefix=two words"),
                ChannelUri.parse("omb:tcp\0.yaml"),
                ChannelUri.parse("omb:tcp.yaml?jars=lib,a\0b"));
    }
}
