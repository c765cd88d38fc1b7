package io.tickmark.workloads.messaging.store;

import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.IdleMode;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.store.FileStoreTransport;
import io.tickmark.workloads.messaging.stream.StreamPublisher;
import io.tickmark.workloads.messaging.stream.StreamSubscriber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a store, a publisher and a subscriber as the controller would, on threads of one process.
 */
abstract class StoredTrial {
    private static final long TIMEOUT_S = 110;
    private static final Map<String, Object> SHORT =
            Map.of("jvmWarmUp", "20ms", "storeWarmUp", "50ms", "payloadBytes", 100, "rate", 4000);

    @TempDir Path folder;

    /** The endpoints of the store as passed to publisher and subscriber. */
    UnaryOperator<Endpoints> changing = UnaryOperator.identity();

    final TestContext storeContext = adaptive();
    TestContext publisherContext = adaptive();
    final TestContext subscriberContext = adaptive();
    Role store;

    /** The results of the three roles. */
    record Results(RoleResult publisher, RoleResult subscriber, RoleResult store) {
        StepResult sent() {
            return publisher.steps().getFirst();
        }

        StepResult received() {
            return subscriber.steps().getFirst();
        }

        StepResult kept() {
            return store.steps().getFirst();
        }
    }

    /** Threads that yield would keep both cores busy while they wait for a store. */
    private static TestContext adaptive() {
        return new TestContext(1, 1).waiting(IdleMode.ADAPTIVE);
    }

    /** Done once publisher and subscriber have ended, before the store is read back. */
    interface Meddling {
        void with(Path data) throws Exception;
    }

    Results run(final Map<String, Object> settings, final Thread meanwhile, final Meddling meddling)
            throws Exception {
        final Map<String, Object> all = all(settings);
        store = role(new StoreRole.Factory(), all, storeContext);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            return run(all, meanwhile, meddling, threads);
        } finally {
            store.close();
        }
    }

    private Results run(
            final Map<String, Object> all,
            final Thread meanwhile,
            final Meddling meddling,
            final ExecutorService threads)
            throws Exception {
        final Endpoints endpoints = changing.apply(store.prepare().boundBy("store", 1));
        final Future<RoleResult> kept = threads.submit(() -> store.run(System.nanoTime()));
        final Future<RoleResult> received =
                threads.submit(() ->
                        acting(new StreamSubscriber.Factory(), all, subscriberContext, endpoints));
        final Future<RoleResult> sent =
                threads.submit(() ->
                        acting(new StreamPublisher.Factory(), all, publisherContext, endpoints));
        meanwhile.start();
        try {
            final RoleResult publisher = sent.get(TIMEOUT_S, TimeUnit.SECONDS);
            final RoleResult subscriber = received.get(TIMEOUT_S, TimeUnit.SECONDS);
            meanwhile.join();
            meddling.with(folder.resolve("store-1").resolve("data"));
            storeContext.stop();
            return new Results(publisher, subscriber, kept.get(TIMEOUT_S, TimeUnit.SECONDS));
        } finally {
            storeContext.stop(); // otherwise its thread would never end
        }
    }

    /** With defaults for settings that tests do not use. */
    Map<String, Object> all(final Map<String, Object> settings) {
        final Map<String, Object> all = new HashMap<>(SHORT);
        all.put("channel", "filestore:?syncEvery=10");
        all.put("storeDirectory", folder.toString());
        all.putAll(settings);
        return all;
    }

    static <S extends Record> Role role(
            final RoleFactory<S> factory,
            final Map<String, Object> all,
            final TestContext context) {
        final Map<String, Object> known = new HashMap<>(all);
        known.keySet()
                .retainAll(
                        io.tickmark.kernel.settings.SettingDescriptor.of(factory.settings())
                                .stream()
                                .map(io.tickmark.kernel.settings.SettingDescriptor::key)
                                .toList());
        return factory.create(Settings.read(factory.settings(), known, key -> key), context);
    }

    static <S extends Record> RoleResult acting(
            final RoleFactory<S> factory,
            final Map<String, Object> all,
            final TestContext context,
            final Endpoints endpoints) {
        try (Role role = role(factory, all, context)) {
            role.prepare();
            role.connect(endpoints);
            return role.run(context.clock().nanoTime());
        }
    }

    static Thread nothing() {
        return new Thread(() -> {});
    }

    /** More than the warm-ups fill, so that measured messages are among them. */
    void awaitSegments() {
        final Path data = folder.resolve("store-1").resolve("data");
        long found = 0;
        while (found < 12) {
            pause(5);
            try (Stream<Path> segments = Files.list(data)) {
                found = segments.filter(Files::isRegularFile).count();
            } catch (final IOException e) {
                found = 0; // not available yet
            }
        }
    }

    /** It dies a moment after the kill; this reports it. */
    void killStore() {
        store.inject(new MemberFault(1, MemberFault.Kind.KILL));
        while (storeContext.lines().stream().noneMatch(it -> it.startsWith("member 1 killed"))) {
            pause(5);
        }
    }

    /** Not before the publisher has noticed that the store was killed. */
    void awaitPublisherHasMissed(final ChannelUri endpoint) {
        while (!FileStoreTransport.isMissed(endpoint)) {
            pause(5);
        }
    }

    static void pause(final long ms) {
        try {
            Thread.sleep(ms);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
