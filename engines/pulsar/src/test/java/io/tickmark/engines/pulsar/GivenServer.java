package io.tickmark.engines.pulsar;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.broker.ServerSpec;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A server that another party set up. */
final class GivenServer implements AutoCloseable {
    private static final byte[] KEY =
            "a key of thirty-two bytes or more".getBytes(StandardCharsets.US_ASCII);
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final int port;
    private final String token;
    private final ServerProcess process;

    private GivenServer(final int port, final String token, final ServerProcess process) {
        this.port = port;
        this.token = token;
        this.process = process;
    }

    /** It asks for a token that is signed with its key. */
    static GivenServer askingForTokens(final Path folder)
            throws IOException, GeneralSecurityException {
        final String token = signed("tester");
        return started(folder, token, security(token));
    }

    /** It refuses what exceeds a quota of messages that nobody has acknowledged. */
    static GivenServer withAQuota(final Path folder) throws IOException {
        return started(
                folder,
                "",
                """
                backlogQuotaCheckEnabled=true
                backlogQuotaCheckIntervalInSeconds=1
                backlogQuotaDefaultLimitBytes=100000
                backlogQuotaDefaultRetentionPolicy=producer_exception
                """);
    }

    /** Started as one of ours, with what its administrator would add. */
    private static GivenServer started(final Path folder, final String token, final String settings)
            throws IOException {
        final InetAddress host = InetAddress.getLoopbackAddress();
        final int port = FreePort.tcp(host);
        final Path member = Files.createDirectory(folder.resolve("given"));
        final ServerSpec spec =
                PulsarServer.spec(
                        new PulsarTransport().channel(ChannelUri.parse("pulsar:")),
                        new ServerSpec.Member(
                                1,
                                new HostPort(host.getHostAddress(), host, port),
                                FreePort.tcp(host),
                                member));
        for (final Map.Entry<String, String> file : spec.files().entrySet()) {
            Files.writeString(
                    member.resolve(file.getKey()),
                    file.getValue() + (file.getKey().equals("standalone.conf") ? settings : ""));
        }
        final ServerProcess process =
                ServerProcess.start(spec.command(), Map.of(), member.resolve("server.log"));
        process.awaitReady(spec.ready(), spec.failed(), spec.startPatience())
                .ifPresent(why -> {
                    process.close();
                    throw new IllegalStateException(why);
                });
        return new GivenServer(port, token, process);
    }

    private static String security(final String token) {
        return """
        authenticationEnabled=true
        authenticationProviders=org.apache.pulsar.broker.authentication.AuthenticationProviderToken
        tokenSecretKey=data:;base64,%s
        brokerClientAuthenticationPlugin=org.apache.pulsar.client.impl.auth.AuthenticationToken
        brokerClientAuthenticationParameters=token:%s
        """
                .formatted(Base64.getEncoder().encodeToString(KEY), token);
    }

    /** A JSON Web Token by HMAC with SHA-256 (RFC 7519, RFC 7515). */
    private static String signed(final String role) throws GeneralSecurityException {
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        final String signed =
                encoded("{\"alg\":\"HS256\"}") + "." + encoded("{\"sub\":\"%s\"}".formatted(role));
        return signed
                + "."
                + BASE64.encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String encoded(final String json) {
        return BASE64.encodeToString(json.getBytes(StandardCharsets.US_ASCII));
    }

    String token() {
        return token;
    }

    ChannelUri channel(final String parameters) {
        return ChannelUri.parse("pulsar://127.0.0.1:%d?%s".formatted(port, parameters));
    }

    @Override
    public void close() {
        process.close();
    }
}
