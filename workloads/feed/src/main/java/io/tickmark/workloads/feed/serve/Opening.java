package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.FrameEncoder;
import io.tickmark.workloads.feed.session.Outlet;
import io.tickmark.workloads.feed.session.Session;
import io.tickmark.workloads.feed.session.SessionHub;
import io.tickmark.workloads.feed.session.SessionSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.xnio.StreamConnection;

/**
 * A client that opens a session, or continues one.
 *
 * @param hub of the session
 * @param channel that it came by
 * @param wanted by it
 * @param session that it continues; empty for a new one
 * @param after number of the last message that it has
 * @param goodbyes of its server
 */
record Opening(
        SessionHub hub,
        ChannelSettings channel,
        SessionSettings wanted,
        String session,
        long after,
        Goodbyes goodbyes) {
    private static final Ending NO_SESSION =
            new Ending(Ending.Kind.REFUSED, "there is no such session to continue");

    /**
     * A new session, or a continued one, on an outlet, which takes a note of the end where there is
     * none.
     *
     * @param opened gets the session, of a continued one on its owner's thread
     */
    void onOutlet(final Outlet outlet, final Consumer<Session> opened) {
        final FrameEncoder encoder = channel.encoder(hub.settings().messageBytes());
        try {
            if (session.isEmpty()) {
                opened.accept(hub.open(wanted, outlet, encoder));
                return;
            }
            hub.resume(
                    session,
                    after,
                    outlet,
                    encoder,
                    found -> {
                        if (found == null) {
                            refuse(outlet, encoder, hub.farewell(session, after), NO_SESSION);
                        } else {
                            opened.accept(found);
                        }
                    });
        } catch (final UserError e) {
            refuse(
                    outlet,
                    encoder,
                    SessionHub.refusal(e),
                    new Ending(Ending.Kind.REFUSED, e.getMessage()));
        }
    }

    private void refuse(
            final Outlet outlet,
            final FrameEncoder encoder,
            final String note,
            final Ending ending) {
        final ByteBuffer bytes = ByteBuffer.allocate(FrameEncoder.ROOM);
        final int end = encoder.note(new UnsafeBuffer(bytes), 0, note);
        try {
            outlet.write(bytes.limit(end));
            outlet.flush();
        } catch (final IOException _) {
            hub.untold(); // it is gone already
        }
        if (bytes.hasRemaining()) {
            outlet.close(); // a frame cannot stand within another
        } else {
            outlet.close(ending);
        }
    }

    /** A connection that goes without a word ends no guaranteed session. */
    private static boolean isToComeBack(final Session session, final Ending ending) {
        return session.settings().guaranteed()
                && (ending.kind() == Ending.Kind.BROKEN
                        || ending.kind() == Ending.Kind.CLIENT_LEFT);
    }

    /** A WebSocket: what comes in are acknowledgements. */
    void onSocket(final StreamConnection connection) {
        final AtomicReference<Session> known = new AtomicReference<>();
        final SocketOutlet outlet = new SocketOutlet(connection, goodbyes);
        final FrameReader reader = new FrameReader(new ClientFrames(known, outlet));
        final SocketIntake intake =
                new SocketIntake(
                        hub.time().clock(),
                        reader,
                        ending -> {
                            final Session mine = known.get();
                            if (mine == null || outlet.isLeaving() || isToComeBack(mine, ending)) {
                                outlet.close();
                            } else {
                                mine.wishToEnd(ending);
                            }
                        });
        onOutlet(
                outlet,
                opened -> {
                    known.set(opened);
                    connection.getIoThread().execute(() -> intake.attach(connection));
                });
    }
}
