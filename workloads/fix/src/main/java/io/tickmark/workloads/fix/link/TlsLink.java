package io.tickmark.workloads.fix.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A socket with the JDK's TLS over it. The handshake runs inside {@link #read} and {@link #write};
 * until it is done nothing is accepted or received. Single-threaded.
 */
public final class TlsLink implements Link {
    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer in;
    private final ByteBuffer out;
    private final ByteBuffer nothing = ByteBuffer.allocate(0);
    private ByteBuffer clear;

    /**
     * A link; the handshake begins with the first read or write.
     *
     * @param channel connected and non-blocking
     * @param engine fresh, its side set
     * @throws IOException if the engine does not begin
     */
    public TlsLink(final SocketChannel channel, final SSLEngine engine) throws IOException {
        this.channel = channel;
        this.engine = engine;
        in = ByteBuffer.allocateDirect(2 * engine.getSession().getPacketBufferSize());
        out = ByteBuffer.allocateDirect(2 * engine.getSession().getPacketBufferSize());
        clear = ByteBuffer.allocate(2 * engine.getSession().getApplicationBufferSize());
        clear.limit(0);
        engine.beginHandshake();
    }

    @Override
    public int read(final ByteBuffer into) throws IOException {
        final int count = channel.read(in);
        int before;
        do { // records of the session may follow the last ones of the handshake
            before = in.position();
            decrypt();
            handshake();
        } while (in.position() > 0 && in.position() != before);
        flush();
        final int bytes = Math.min(into.remaining(), clear.remaining());
        if (bytes > 0) {
            into.put(into.position(), clear, clear.position(), bytes);
            into.position(into.position() + bytes);
            clear.position(clear.position() + bytes);
            return bytes;
        }
        return count < 0 || engine.isInboundDone() ? -1 : 0;
    }

    private void decrypt() throws IOException {
        in.flip();
        clear.compact();
        boolean goesOn = true;
        while (goesOn && in.hasRemaining()) {
            final SSLEngineResult result = engine.unwrap(in, clear);
            switch (result.getStatus()) {
                case BUFFER_OVERFLOW, BUFFER_UNDERFLOW, CLOSED -> goesOn = false;
                case OK -> {
                    runTasks();
                    goesOn =
                            result.bytesConsumed() > 0
                                    && engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP;
                }
            }
        }
        clear.flip();
        in.compact();
    }

    private void runTasks() {
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
        }
    }

    private void handshake() throws IOException {
        boolean goesOn = true;
        while (goesOn) {
            runTasks();
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> goesOn = encrypt(nothing) && flush();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    final int before = in.position();
                    if (before > 0) {
                        decrypt();
                    }
                    goesOn = in.position() != before;
                }
                default -> goesOn = false;
            }
        }
    }

    /** One record; false where it does not fit. */
    private boolean encrypt(final ByteBuffer from) throws IOException {
        final SSLEngineResult result = engine.wrap(from, out);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new EOFException("the TLS session is closed");
        }
        return result.getStatus() == SSLEngineResult.Status.OK;
    }

    private boolean flush() throws IOException {
        out.flip();
        channel.write(out);
        final boolean isEmpty = !out.hasRemaining();
        out.compact();
        return isEmpty;
    }

    @Override
    public void write(final ByteBuffer from) throws IOException {
        handshake();
        while (isHandshakeDone() && from.hasRemaining() && flush()) {
            encrypt(from);
        }
        flush();
    }

    private boolean isHandshakeDone() {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                || engine.getHandshakeStatus() == HandshakeStatus.FINISHED;
    }

    @Override
    public boolean isWaiting() {
        return out.position() > 0;
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        try {
            engine.closeOutbound();
            if (out.position() == 0) {
                encrypt(nothing);
                flush();
            }
        } catch (final IOException e) {
            // the other side sees the socket close
        }
        try {
            channel.close();
        } catch (final IOException e) {
            // it is gone either way
        }
    }
}
