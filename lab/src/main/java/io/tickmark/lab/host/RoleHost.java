package io.tickmark.lab.host;

import io.tickmark.kernel.host.NoiseFloor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.ProtocolException;
import io.tickmark.lab.protocol.ToRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.agrona.concurrent.NanoClock;

/** Serves a controller: one thread that listens, and one for each role. */
final class RoleHost {
    /** How long roles may take to end once nobody wants them any more. */
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

    /** Serves until told to end or nobody is there any more; returns the exit code. */
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
                System.err.println("Not understood, so ended: " + e.getMessage());
                endSessions();
                return 2;
            }
            if (order instanceof ToRole.Bye) {
                endSessions();
                say(new FromRole.Bye());
                return 0;
            }
            obey(order);
        }
    }

    private void obey(final ToRole order) {
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
            case final ToRole.Inflict inflict -> {
                final RoleSession session = sessions.get(inflict.id());
                if (session != null) {
                    session.inflict(inflict.fault());
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

    /** What cannot be said is not worth living for: without a controller the process ends. */
    private void say(final FromRole message) {
        try {
            Lines.send(out, message);
        } catch (final ProtocolException e) {
            System.err.println("Too long to be sent, so ended: " + e.getMessage());
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
}
