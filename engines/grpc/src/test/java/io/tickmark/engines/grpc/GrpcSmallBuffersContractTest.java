package io.tickmark.engines.grpc;

import io.tickmark.transport.ChannelUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The same with buffers so small that each side holds the other back all the time. */
class GrpcSmallBuffersContractTest extends GrpcContractTest {
    @TempDir static Path folder;

    @BeforeAll
    static void agreeOnAToken() throws IOException {
        Files.writeString(folder.resolve("token"), "ours\n");
    }

    @Override
    protected ChannelUri channel() {
        return ChannelUri.parse(
                "grpc://[::1]:0?sendPendingBytes=1&receivePendingBytes=1024&windowBytes=65535"
                        + "&ioThreads=2&maxPayloadBytes=262144&tokenFile="
                        + folder.resolve("token"));
    }
}
