package io.tickmark.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.ExchangeSide;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.Topic;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that lets in nobody without a password, except itself. */
class PasswordListenerTest {
    private static final String FILE = "server.properties";

    private final KafkaTransport kafka = new KafkaTransport();

    @TempDir private Path folder;

    /** It used to say that no broker answers there. */
    @Test
    @Timeout(300)
    void shouldSayThatABrokerTakesNoClientWithoutAPassword() throws IOException {
        final ChannelUri given = ChannelUri.parse("kafka://127.0.0.1:" + FreePort.tcp());
        final ServerSpec spec = broker();
        Files.writeString(folder.resolve(FILE), withPasswords(spec, given.authority()));
        try (ServerProcess broker =
                ServerProcess.start(spec.command(), Map.of(), folder.resolve("server.log"))) {
            assertThat(broker.awaitReady(spec.ready(), spec.failed(), spec.startPatience()))
                    .isEmpty();

            assertThatThrownBy(() -> kafka.exchange(given, Topic.DEFAULT, ExchangeSide.BIND, 0))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("takes no unencrypted Kafka client without a password")
                    .hasMessageEndingWith("give a PLAINTEXT listener.");
        }
    }

    /** As tickmark starts one. */
    private ServerSpec broker() throws IOException {
        final ChannelUri own = ChannelUri.parse("kafka://127.0.0.1:%d".formatted(FreePort.tcp()));
        final ServerSpec.Member member =
                new ServerSpec.Member(1, HostPort.of(own), FreePort.tcp(), folder);
        return kafka.server(
                kafka.channel(own.with("brokerHeapMib", "200")), member, List.of(member), false);
    }

    private static String withPasswords(final ServerSpec spec, final String address) {
        return spec.files()
                        .get(FILE)
                        .replace(
                                "listeners=PLAINTEXT://",
                                "listeners=SASL_PLAINTEXT://%s,PLAINTEXT://".formatted(address))
                + """
                listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT
                sasl.enabled.mechanisms=PLAIN
                listener.name.sasl_plaintext.plain.sasl.jaas.config=\
                    org.apache.kafka.common.security.plain.PlainLoginModule required user_lab="secret";
                """;
    }
}
