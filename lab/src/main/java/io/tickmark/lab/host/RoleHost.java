package io.tickmark.lab.host;

import io.tickmark.kernel.host.NoiseFloor;
import io.tickmark.kernel.record.Progress;
import io.tickmark.kernel.record.Progress.ProgressListener;
import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.result.TrialResult;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockSegment;
import io.tickmark.kernel.time.SteeredNanoClock;
import io.tickmark.lab.place.Plugins;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.ProtocolException;
import io.tickmark.lab.protocol.StepLine;
import io.tickmark.lab.protocol.ToRole;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The process of a role: serves a controller with one receiving thread, and one for each role. It
 * communicates over standard input and file descriptor 1, which it reserves: output of libraries is
 * redirected to standard error. When its standard input closes, because the controller died, it
 * ends soon, whatever its roles do.
 */
public final class RoleHost {
    /** How long roles may take to end once they are no longer needed. */
    private static final long GRACE_MS = 2_000;

    private final Lines.Reader in;
    private final OutputStream out;
    private final RoleCatalog catalog;
    private final NanoClock clock;
    private final Map<String, RoleSession> sessions = new HashMap<>();

    RoleHost(
            final InputStream in,
            final OutputStream out,
            final RoleCatalog catalog,
            final NanoClock clock) {
        this.in = new Lines.Reader(in);
        this.out = out;
        this.catalog = catalog;
        this.clock = clock;
    }

    /**
     * Serves a controller.
     *
     * @param args none
     */
    public static void main(final String[] args) {
        final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        int exitCode = 1;
        try {
            exitCode =
                    new RoleHost(
                                    new FileInputStream(FileDescriptor.in),
                                    out,
                                    RoleCatalog.load(),
                                    SystemNanoClock.INSTANCE)
                            .serve();
        } catch (final IOException e) {
            System.err.println("Cannot read from the controller: " + e);
        } catch (final RuntimeException | Error e) {
            e.printStackTrace(); // otherwise it would be lost with the end of the process
            System.err.println(
                    "Ended by a defect: " + e); // last, as it becomes the reason of the trial
        } finally {
            ProcessEnd.ofRole(exitCode);
        }
    }

    /** Serves until it is ordered to end or the controller is gone; returns the exit code. */
    int serve() throws IOException {
        say(
                new FromRole.Hello(
                        FromRole.PROTOCOL,
                        ProcessHandle.current().pid(),
                        Runtime.version().toString()));
        while (true) {
            final Optional<String> line = in.next();
            if (line.isEmpty()) {
                endSessions();
                return 1; // the controller died
            }
            final ToRole order;
            try {
                order = Lines.parse(line.get(), ToRole.class);
            } catch (final ProtocolException e) {
                System.err.println(
                        "Exiting, because a command was not understood: " + e.getMessage());
                endSessions();
                return 2;
            }
            if (order instanceof ToRole.Bye) {
                endSessions();
                say(new FromRole.Bye());
                return 0;
            }
            carryOut(order);
        }
    }

    private void carryOut(final ToRole order) {
        switch (order) {
            case final ToRole.Prepare prepare -> prepare(prepare);
            case final ToRole.Connect connect -> deliver(connect.id(), connect);
            case final ToRole.StartAt start -> deliver(start.id(), start);
            case final ToRole.Steer steer -> {
                final RoleSession session = sessions.get(steer.id());
                if (session != null) {
                    session.steer(steer.clock());
                }
            }
            case final ToRole.Inject inject -> {
                final RoleSession session = sessions.get(inject.id());
                if (session != null) {
                    session.inject(inject.fault());
                }
            }
            case final ToRole.Stop stop -> {
                final RoleSession session = sessions.get(stop.id());
                if (session == null) {
                    say(new FromRole.Failed(stop.id(), null, "The role was not prepared yet."));
                } else {
                    session.stop(stop);
                }
            }
            case final ToRole.Noise noise -> Thread.ofPlatform().start(() -> measure(noise));
            case final ToRole.Bye _ -> throw new IllegalStateException("handled before");
        }
    }

    private void prepare(final ToRole.Prepare order) {
        try {
            final RoleSession session =
                    new RoleSession(order, catalog.find(order.role()), clock, this::say);
            sessions.put(order.id(), session); // one of an earlier trial has ended
            session.start();
        } catch (final UserError e) {
            say(new FromRole.Failed(order.id(), e.kind(), e.getMessage()));
        }
    }

    private void deliver(final String id, final ToRole order) {
        final RoleSession session = sessions.get(id);
        if (session != null) {
            session.deliver(order);
        }
    }

    private void measure(final ToRole.Noise order) {
        say(
                new FromRole.NoiseResult(
                        new NoiseFloor(clock).measure(order.cores(), order.durationNs())));
    }

    /** If messages cannot be sent, the controller is gone, and the process ends. */
    private void say(final FromRole message) {
        try {
            Lines.send(out, message);
        } catch (final ProtocolException e) {
            System.err.println(
                    "Exiting, because a message was too long to be sent: " + e.getMessage());
            ProcessEnd.with(2);
        } catch (final IOException e) {
            ProcessEnd.with(1);
        }
    }

    private void endSessions() {
        sessions.values().forEach(RoleSession::breakOff);
        final long untilNs = clock.nanoTime() + GRACE_MS * 1_000_000;
        try {
            for (final RoleSession session : sessions.values()) {
                session.join(Math.max(1, (untilNs - clock.nanoTime()) / 1_000_000));
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One role of one trial on a separate thread, which becomes the hot one. */
    private static final class RoleSession implements Runnable, ProgressListener {
        private final ToRole.Prepare order;
        private final RoleFactory<?> factory;
        private final SteeredNanoClock steered;
        private final NanoClock clock;
        private final Consumer<FromRole> out;
        private final BlockingQueue<ToRole> orders = new LinkedBlockingQueue<>();
        private final Thread thread;
        private volatile ToRole.Stop stopped;
        private volatile RoleRun running;

        RoleSession(
                final ToRole.Prepare order,
                final RoleFactory<?> factory,
                final NanoClock clock,
                final Consumer<FromRole> out) {
            this.order = order;
            this.factory = factory;
            steered = new SteeredNanoClock(clock, order.clock());
            this.clock = order.clock().changesNothing() ? clock : steered;
            this.out = out;
            thread = Thread.ofPlatform().name("role-" + order.id()).unstarted(this);
        }

        void start() {
            thread.start();
        }

        /** Passes the next order to the role. */
        void deliver(final ToRole next) {
            orders.add(next);
        }

        /** Keeps its clock on the controller's time line. */
        void steer(final List<ClockSegment> clock) {
            steered.steer(clock);
        }

        /** Asks the role to end soon; before it measures it ends at once. */
        void stop(final ToRole.Stop stop) {
            stopped = stop;
            final RoleRun run = running;
            if (run != null) {
                run.stop(stop.isBrokenOff());
            }
            orders.add(stop);
        }

        /** Ends it where its result is no longer waited for. */
        void breakOff() {
            stop(new ToRole.Stop(order.id(), true));
        }

        /** Passes a fault to the measuring role, which fails when it cannot inject it. */
        void inject(final MemberFault fault) {
            final RoleRun run = running;
            if (run != null) {
                try {
                    run.inject(fault);
                } catch (final RuntimeException e) {
                    out.accept(failed(e));
                }
            }
        }

        void join(final long millis) throws InterruptedException {
            thread.join(millis);
        }

        @Override
        public void run() {
            try {
                out.accept(play(factory));
            } catch (final Throwable e) {
                out.accept(failed(e));
            }
        }

        private FromRole failed(final Throwable cause) {
            return switch (cause) {
                case final UserError e -> new FromRole.Failed(order.id(), e.kind(), e.getMessage());
                case final InterruptedException _ ->
                        new FromRole.Failed(order.id(), null, "The role was interrupted.");
                default -> {
                    cause.printStackTrace(); // into role.log
                    final Optional<String> old = Plugins.here().refusal(cause);
                    if (old.isPresent()) {
                        yield new FromRole.Failed(
                                order.id(), UserError.Kind.ENVIRONMENT, old.get());
                    }
                    yield new FromRole.Failed(
                            order.id(),
                            null,
                            "The role failed because of a defect: " + cause + ".");
                }
            };
        }

        private <S extends Record> FromRole play(final RoleFactory<S> roleFactory)
                throws InterruptedException {
            final S settings = Settings.read(roleFactory.settings(), order.settings(), key -> key);
            try (RoleRun run =
                    RoleRun.of(
                            roleFactory,
                            settings,
                            place(),
                            Optional.of(order.directory())
                                    .filter(directory -> !directory.isEmpty())
                                    .map(Path::of),
                            order.repeat(),
                            clock,
                            new RoleRun.Listeners(this::print, this))) {
                running = run;
                if (stopped != null) {
                    run.stop(stopped.isBrokenOff());
                }
                out.accept(
                        new FromRole.Bound(
                                order.id(), run.prepare().boundBy(order.role(), order.index())));
                if (!(orders.take() instanceof final ToRole.Connect connect)) {
                    return stoppedEarly();
                }
                run.connect(connect.endpoints());
                out.accept(new FromRole.Ready(order.id()));
                if (!(orders.take() instanceof final ToRole.StartAt start)) {
                    return stoppedEarly();
                }
                final long heardNs = clock.nanoTime();
                final RoleResult result = run.run(start.startAtNs(), start.faultsNs());
                sendDeliveries(run);
                return measured(result, run.beganNs().orElse(heardNs) - start.startAtNs());
            }
        }

        private void sendDeliveries(final RoleRun run) {
            run.deliveries()
                    .forEach((latency, faults) -> {
                        for (int fault = 0; fault < faults.size(); fault++) {
                            out.accept(
                                    new FromRole.Delivered(
                                            order.id(), latency, fault, faults.get(fault)));
                        }
                    });
        }

        /** A role that begins late catches up; how late it was is a separate figure. */
        private FromRole measured(final RoleResult result, final long startLateNs) {
            for (final StepResult step : result.steps()) {
                out.accept(new FromRole.Step(order.id(), StepLine.of(step)));
            }
            final Map<String, Object> metrics = new LinkedHashMap<>(result.metrics());
            metrics.put(TrialResult.RoleSummary.START_LATE_NS, Math.max(0, startLateNs));
            return new FromRole.Result(order.id(), metrics, result.warnings(), result.failure());
        }

        private FromRole stoppedEarly() {
            return new FromRole.Failed(
                    order.id(), null, "The role was stopped before it measured.");
        }

        private HostedContext.Place place() {
            return new HostedContext.Place(
                    order.index(),
                    order.count(),
                    order.trialId(),
                    order.connectTimeoutNs(),
                    order.threads());
        }

        private void print(final String line) {
            out.accept(new FromRole.Output(order.id(), line));
        }

        @Override
        public void accept(final Progress progress) {
            out.accept(FromRole.Progress.of(order.id(), progress));
        }

        @Override
        public void rehearse(final Progress progress) {
            try {
                Lines.send(
                        OutputStream.nullOutputStream(),
                        FromRole.Progress.of(order.id(), progress));
            } catch (final IOException e) {
                throw new UncheckedIOException(e); // nothing refuses nothing
            }
        }
    }
}
