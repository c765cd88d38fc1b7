package io.tickmark.engines.pulsar;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A server that another party set up. */
final class GivenPulsar implements AutoCloseable {
    private static final String MEMBER = "given";

    /** Runs a server whose folder, with the files that are there, is a file system of its own. */
    private static final String ON_A_SMALL_DISK =
            """
            set -e
            cp -r "$0" "$0.files"
            mount -t tmpfs -o size=%s tmpfs "$0"
            cp "$0.files"/* "$0"
            exec "$@"
            """;

    private static final byte[] KEY =
            "a key of thirty-two bytes or more".getBytes(StandardCharsets.US_ASCII);
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final int port;
    private final String token;
    private final ServerProcess process;
    private final ServerSpec spec;

    private GivenPulsar(
            final int port,
            final String token,
            final ServerProcess process,
            final ServerSpec spec) {
        this.port = port;
        this.token = token;
        this.process = process;
        this.spec = spec;
    }

    /** It asks for a token that is signed with its key. */
    static GivenPulsar askingForTokens(final Path folder)
            throws IOException, GeneralSecurityException {
        final String token = signed("tester");
        return started(folder, List.of(), token, security(token));
    }

    /** All its files but its log are on a small file system, in a mount namespace of its own. */
    static GivenPulsar onADiskOf(final String bytes, final Path folder) throws Exception {
        final List<String> mounted =
                List.of(
                        "unshare",
                        "-rm",
                        "sh",
                        "-c",
                        ON_A_SMALL_DISK.formatted(bytes),
                        folder.resolve(MEMBER).toString());
        assumeTrue(
                new ProcessBuilder(
                                        "unshare",
                                        "-rm",
                                        "mount",
                                        "-t",
                                        "tmpfs",
                                        "tmpfs",
                                        folder.toString())
                                .start()
                                .waitFor()
                        == 0,
                "this machine allows no mount namespace to try a full disk in");
        return started(folder, mounted, "", "");
    }

    /** It refuses what exceeds a quota of messages that nobody has acknowledged. */
    static GivenPulsar withAQuota(final Path folder) throws IOException {
        return started(
                folder,
                List.of(),
                "",
                """
                backlogQuotaCheckEnabled=true
                backlogQuotaCheckIntervalInSeconds=1
                backlogQuotaDefaultLimitBytes=100000
                backlogQuotaDefaultRetentionPolicy=producer_exception
                """);
    }

    /** Started as one of ours, with what its administrator would add. */
    private static GivenPulsar started(
            final Path folder, final List<String> before, final String token, final String settings)
            throws IOException {
        final InetAddress host = InetAddress.getLoopbackAddress();
        final int port = FreePort.tcp(host);
        final Path member = Files.createDirectory(folder.resolve(MEMBER));
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
        final List<String> command = new ArrayList<>(before);
        command.addAll(spec.command());
        final ServerProcess process =
                ServerProcess.start(command, Map.of(), member.resolve("server.log"));
        process.awaitReady(spec.ready(), spec.failed(), spec.startPatience())
                .ifPresent(why -> {
                    process.close();
                    throw new IllegalStateException(why);
                });
        return new GivenPulsar(port, token, process, spec);
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

    /** What a run would report of its log, were it ours. */
    List<String> complaints() {
        return spec.complaints().stream()
                .flatMap(mark -> process.complaints(mark, 9).stream())
                .toList();
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
