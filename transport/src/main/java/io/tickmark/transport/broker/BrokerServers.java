package io.tickmark.transport.broker;

import io.tickmark.kernel.host.FreePort;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The servers of a broker that we start: child processes that never outlive this one, each with a
 * folder {@code member-N}. They keep their ports when they are restarted, so that clients find
 * them. Any thread may kill; those that start different members may overlap.
 *
 * @param <P> the settings record of the engine's channels
 */
final class BrokerServers<P extends Record> implements AutoCloseable {
    private static final String LOG = "server.log";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_COMPLAINTS = 3;
    private static final int MOST_LINES = 50;
    private static final int LISTENER_PATIENCE_MS = 1000;
    private static final int MOST_CHARACTERS = 400;
    private static final int MB = 1_000_000;

    /** In this process, by the address of each member. */
    private static final Map<String, BrokerServers<?>> STARTED = new ConcurrentHashMap<>();

    private final BrokerTransport<P> transport;
    private final BrokerChannel<P> channel;
    private final Path directory;
    private final boolean stores;
    private final List<ServerSpec.Member> members;
    private final AtomicReferenceArray<Started> started;

    /** Chooses ports; the first member takes the port of the channel where it names one. */
    BrokerServers(
            final BrokerTransport<P> transport,
            final BrokerChannel<P> channel,
            final Path directory,
            final boolean stores) {
        this.transport = transport;
        this.channel = channel;
        this.directory = directory;
        this.stores = stores;
        final int count = transport.members(channel);
        final HostPort wanted = channel.address();
        final List<Integer> ports = freePorts(channel, wanted.address(), 2 * count);
        final List<ServerSpec.Member> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final int port = i == 0 && wanted.port() != 0 ? wanted.port() : ports.get(2 * i);
            all.add(
                    new ServerSpec.Member(
                            i + 1,
                            wanted.withPort(port),
                            ports.get(2 * i + 1),
                            directory.resolve("member-" + (i + 1))));
        }
        members = List.copyOf(all);
        started = new AtomicReferenceArray<>(count);
    }

    /** The process of a member, and its specification. */
    private record Started(ServerProcess process, ServerSpec spec) {}

    private static List<Integer> freePorts(
            final BrokerChannel<?> channel, final InetAddress host, final int count) {
        final List<Integer> ports = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ports.add(FreePort.tcp(host));
            }
            return ports;
        } catch (final IOException e) {
            throw channel.failed(
                    "no port is available on %s; give an address of this machine"
                            .formatted(host.getHostAddress()),
                    e);
        }
    }

    /** Refuses a disk with less room than a server needs in order to take messages. */
    void requireRoom() {
        final long least = transport.leastFreeBytes();
        if (least == 0) {
            return;
        }
        final long free;
        try {
            free = Files.getFileStore(directory).getUsableSpace();
        } catch (final IOException e) {
            return; // the server says it if it cannot write there
        }
        if (free < least) {
            throw channel.failed(
                    "the disk of %s has %d MB free, and a %s takes no messages with less than %d MB; make room there%s"
                            .formatted(
                                    directory,
                                    free / MB,
                                    transport.serverTitle(),
                                    least / MB,
                                    stores
                                            ? ", or name a folder on another disk with --store-directory"
                                            : ", or set TICKMARK_ROLE_JAVA_OPTS=-Djava.io.tmpdir=FOLDER"),
                    null);
        }
    }

    /** Starts all that are not running at the same time, and waits until they accept requests. */
    void start() {
        try {
            members.forEach(this::startProcess);
            members.forEach(this::awaitReady);
        } catch (final RuntimeException e) {
            killAll();
            throw e;
        }
    }

    /** Restarts one that was killed, and waits until it accepts requests if it can. */
    void restart(final int number) {
        final ServerSpec.Member member = members.get(number - 1);
        startProcess(member);
        if (transport.startsAlone() || hasMajority()) {
            try {
                awaitReady(member);
            } catch (final RuntimeException e) {
                kill(number);
                throw e;
            }
        }
    }

    /** It can be killed from the moment it is started. */
    private void startProcess(final ServerSpec.Member member) {
        if (isAlive(member.number())) {
            return;
        }
        final ServerSpec spec = transport.server(channel, member, members, stores);
        try {
            Files.createDirectories(member.folder());
            for (final Map.Entry<String, String> file : spec.files().entrySet()) {
                Files.writeString(member.folder().resolve(file.getKey()), file.getValue());
            }
        } catch (final IOException e) {
            throw channel.failed(member.folder() + " cannot be written: " + e.getMessage(), e);
        }
        STARTED.put(member.address().authority(), this);
        started.set(
                member.number() - 1,
                new Started(
                        ServerProcess.start(spec.command(), Map.of(), member.folder().resolve(LOG)),
                        spec));
    }

    private void awaitReady(final ServerSpec.Member member) {
        final Started its = started.get(member.number() - 1);
        its.process()
                .awaitReady(its.spec().ready(), its.spec().failed(), its.spec().startPatience())
                .ifPresent(why -> {
                    throw notReady(member, its.process(), why);
                });
    }

    private UserError notReady(
            final ServerSpec.Member member, final ServerProcess process, final String why) {
        final String said = process.lastWords(MOST_LINES).toLowerCase(java.util.Locale.ROOT);
        return said.contains("address already in use")
                        || !process.isAlive() && isListenedAt(member.address())
                ? channel.failed(
                        "port %d is in use; choose another, or 0 for any free one"
                                .formatted(member.address().port()),
                        null)
                : channel.failed(
                        "%s does not start: %s"
                                .formatted(transport.serverName(), shortened(why, member)),
                        null);
    }

    /** By whatever program: what should listen there may have ended, or never have begun. */
    static boolean isListenedAt(final HostPort address) {
        try (Socket probe = new Socket()) {
            probe.connect(
                    new InetSocketAddress(address.address(), address.port()), LISTENER_PATIENCE_MS);
            return true;
        } catch (final IOException e) {
            return false;
        }
    }

    /** Some servers print pages of text. */
    private static String shortened(final String why, final ServerSpec.Member member) {
        final String clause = why.strip().replaceFirst("\\.$", "");
        return clause.length() <= MOST_CHARACTERS
                ? clause
                : "%s...; see %s"
                        .formatted(
                                clause.substring(0, MOST_CHARACTERS), member.folder().resolve(LOG));
    }

    int count() {
        return members.size();
    }

    private Stream<Started> all() {
        return IntStream.range(0, count()).mapToObj(started::get).filter(Objects::nonNull);
    }

    long running() {
        return all().filter(each -> each.process().isAlive()).count();
    }

    boolean hasMajority() {
        return running() > count() / 2;
    }

    private boolean isAlive(final int number) {
        final Started its = started.get(number - 1);
        return its != null && its.process().isAlive();
    }

    Path folder(final int number) {
        return members.get(number - 1).folder();
    }

    /** Addresses for clients. */
    List<HostPort> addresses() {
        return members.stream().map(ServerSpec.Member::address).toList();
    }

    /** What they complained about. */
    List<String> troubles() {
        final List<String> said = new ArrayList<>();
        for (int number = 1; number <= count(); number++) {
            final Started its = started.get(number - 1);
            if (its != null) {
                for (final String mark : its.spec().complaints()) {
                    its.process().complaints(mark, MOST_COMPLAINTS).stream()
                            .map(line -> line.replaceFirst("([^.])$", "$1."))
                            .forEach(said::add);
                }
            }
        }
        return said;
    }

    /** Which of them ended without having been stopped, and how: a sentence each. */
    List<String> ended() {
        return IntStream.rangeClosed(1, count())
                .filter(number -> {
                    final Started its = started.get(number - 1);
                    return its != null && its.process().hasEndedByItself();
                })
                .mapToObj(this::ended)
                .toList();
    }

    private String ended(final int number) {
        final String how = started.get(number - 1).process().howEnded().orElse("");
        final String title = transport.serverTitle();
        return count() == 1
                ? "The %s that tickmark started has ended %s%s."
                        .formatted(title, how, transport.endsWhen(how))
                : "%s %d of %d, which tickmark started, has ended %s%s."
                        .formatted(title, number, count(), how, transport.endsWhen(how));
    }

    /**
     * Those at an address that were started in this process.
     *
     * @return sentences about which of them ended; empty where none did, or others started them
     */
    static List<String> ended(final List<HostPort> addresses) {
        return addresses.stream()
                .map(address -> STARTED.get(address.authority()))
                .filter(Objects::nonNull)
                .distinct()
                .flatMap(servers -> servers.ended().stream())
                .toList();
    }

    void kill(final int number) {
        final Started its = started.get(number - 1);
        if (its != null) {
            its.process().kill();
        }
    }

    private void forget() {
        addresses().forEach(address -> STARTED.remove(address.authority(), this));
    }

    /** Stops servers whose data is no longer needed. */
    void killAll() {
        forget();
        all().forEach(each -> each.process().kill());
    }

    /**
     * Shuts them down in an orderly way, all at once: each may use its patience up, as on a full
     * disk, and a trial does not wait for the sum.
     */
    @Override
    public void close() {
        forget();
        final List<CompletableFuture<Void>> stops =
                all().map(each ->
                                CompletableFuture.runAsync(
                                        () -> each.process().stop(STOP_PATIENCE),
                                        task -> Thread.ofVirtual().start(task)))
                        .toList();
        stops.forEach(CompletableFuture::join);
    }
}
