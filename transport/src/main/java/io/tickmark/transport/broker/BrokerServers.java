package io.tickmark.transport.broker;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.HostPort;
import io.tickmark.transport.store.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.agrona.CloseHelper;

/**
 * The servers of a broker that we run: child processes that never outlive this one, each with a
 * folder {@code member-N}. They keep their ports when they are started again, so that clients find
 * them. One thread.
 *
 * @param <P> the settings record of the engine's channels
 */
final class BrokerServers<P extends Record> implements AutoCloseable {
    private static final String LOG = "server.log";
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final int MOST_COMPLAINTS = 3;
    private static final int MOST_LINES = 50;

    private final BrokerChannel<P> channel;
    private final List<ServerSpec.Member> members;
    private final BiFunction<ServerSpec.Member, List<ServerSpec.Member>, ServerSpec> specs;
    private final ServerProcess[] processes;
    private final ServerSpec[] started;

    /** Chooses ports; the first member takes the port of the channel where it names one. */
    BrokerServers(
            final BrokerChannel<P> channel,
            final int count,
            final Path directory,
            final BiFunction<ServerSpec.Member, List<ServerSpec.Member>, ServerSpec> specs) {
        this.channel = channel;
        this.specs = specs;
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
        processes = new ServerProcess[count];
        started = new ServerSpec[count];
    }

    /** Held together while they are chosen, so that all differ. */
    private static List<Integer> freePorts(
            final BrokerChannel<?> channel, final InetAddress host, final int count) {
        final List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, host));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (final IOException e) {
            throw channel.failed(
                    "no port can be had on %s; give an address of this machine"
                            .formatted(host.getHostAddress()),
                    e);
        } finally {
            CloseHelper.closeAll(held);
        }
    }

    /** Starts those that do not run, all at once, and waits until they take requests. */
    void start() {
        try {
            for (final ServerSpec.Member member : members) {
                startProcess(member);
            }
            for (final ServerSpec.Member member : members) {
                awaitReady(member);
            }
        } catch (final RuntimeException e) {
            killAll();
            throw e;
        }
    }

    /** Starts one that was killed, and waits until it takes requests. */
    void restart(final int number) {
        startProcess(members.get(number - 1));
        awaitReady(members.get(number - 1));
    }

    private void startProcess(final ServerSpec.Member member) {
        if (isAlive(member.number())) {
            return;
        }
        final ServerSpec spec = specs.apply(member, members);
        try {
            Files.createDirectories(member.folder());
            for (final Map.Entry<String, String> file : spec.files().entrySet()) {
                Files.writeString(member.folder().resolve(file.getKey()), file.getValue());
            }
        } catch (final IOException e) {
            throw channel.failed(member.folder() + " cannot be written: " + e.getMessage(), e);
        }
        started[member.number() - 1] = spec;
        processes[member.number() - 1] =
                ServerProcess.start(spec.command(), Map.of(), member.folder().resolve(LOG));
    }

    private void awaitReady(final ServerSpec.Member member) {
        final ServerProcess process = processes[member.number() - 1];
        final ServerSpec spec = started[member.number() - 1];
        process.awaitReady(spec.ready(), spec.failed(), spec.startPatience())
                .ifPresent(why -> {
                    throw notReady(member, process, why);
                });
    }

    private UserError notReady(
            final ServerSpec.Member member, final ServerProcess process, final String why) {
        final String said = process.lastWords(MOST_LINES).toLowerCase(java.util.Locale.ROOT);
        return said.contains("address already in use")
                ? channel.failed(
                        "port %d is in use; choose another, or 0 for any free one"
                                .formatted(member.address().port()),
                        null)
                : channel.failed(
                        "the server does not start: " + why.strip().replaceFirst("\\.$", ""), null);
    }

    int count() {
        return members.size();
    }

    long running() {
        return Stream.of(processes).filter(each -> each != null && each.isAlive()).count();
    }

    boolean isAlive(final int number) {
        return processes[number - 1] != null && processes[number - 1].isAlive();
    }

    Path folder(final int number) {
        return members.get(number - 1).folder();
    }

    /** The channel as clients reach it. */
    BrokerChannel<P> reached() {
        return channel.at(members.stream().map(ServerSpec.Member::address).toList());
    }

    /** What they complained about, and who ended though nobody ended it. */
    List<String> troubles() {
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < processes.length; i++) {
            final ServerProcess process = processes[i];
            if (process != null) {
                for (final String mark : started[i].complaints()) {
                    process.complaints(mark, MOST_COMPLAINTS).stream()
                            .map(line -> line.replaceFirst("([^.])$", "$1."))
                            .forEach(all::add);
                }
                if (process.hasEndedByItself()) {
                    all.add("Member %d ended by itself.".formatted(i + 1));
                }
            }
        }
        return all.stream().distinct().toList();
    }

    void kill(final int number) {
        if (processes[number - 1] != null) {
            processes[number - 1].kill();
        }
    }

    /** For those whose data is worth nothing any more. */
    void killAll() {
        for (int number = 1; number <= processes.length; number++) {
            kill(number);
        }
    }

    /** Ends them in good order. */
    @Override
    public void close() {
        for (final ServerProcess process : processes) {
            if (process != null) {
                process.stop(STOP_PATIENCE);
            }
        }
    }
}
