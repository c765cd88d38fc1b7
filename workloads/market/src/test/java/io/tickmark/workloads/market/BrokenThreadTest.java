package io.tickmark.workloads.market;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import io.tickmark.workloads.market.provider.MarketProvider;
import io.tickmark.workloads.market.publisher.MarketPublisher;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One of several threads meets an error, and the others must not go on without it. */
class BrokenThreadTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir private Path folder;

    static List<RoleFactory<?>> roles() {
        return List.of(
                new MarketConsumer.Factory(),
                new MarketProvider.Factory(),
                new MarketPublisher.Factory());
    }

    @ParameterizedTest
    @MethodSource("roles")
    void shouldFailTheRole(final RoleFactory<?> factory) throws Exception {
        assertThat(failure(factory))
                .contains(
                        " 2 failed because of a defect: java.lang.LinkageError: a class is missing.");
    }

    private <S extends Record> String failure(final RoleFactory<S> factory) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            final boolean listens = factory instanceof MarketProvider.Factory;
            final S settings =
                    Settings.read(
                            factory.settings(),
                            listens
                                    ? Map.of("port", 0, "threads", "-1,-1")
                                    : Map.of(
                                            "host",
                                            "127.0.0.1",
                                            "port",
                                            silent.getLocalPort(),
                                            "threads",
                                            "-1,-1"),
                            key -> key);
            final List<HotThread> threads = factory.hotThreads(settings, 1, 1);
            final LocalContext context =
                    new LocalContext(Optional.of(folder), PATIENCE_NS, threads);
            context.breakThread(threads.get(1).name());
            try (Role role = factory.create(settings, context)) {
                role.prepare();
                role.connect(Endpoints.NONE);
                return role.run(0).failure();
            } catch (final UserError e) { // of a publisher, which connects before it runs
                return e.getMessage();
            } finally {
                context.recording().close();
            }
        }
    }
}
