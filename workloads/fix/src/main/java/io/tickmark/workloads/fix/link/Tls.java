package io.tickmark.workloads.fix.link;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.SessionOptions;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.TrustManagerFactory;

/** Links with TLS from the JDK, from PKCS #12 files. */
final class Tls {
    private Tls() {}

    static LinkFactory server(final SessionOptions options) {
        if (options.keyStore().isEmpty()) {
            throw UserError.usage(
                    "--tls: a gateway needs a certificate; name a PKCS #12 file with --key-store.");
        }
        final SSLContext context = context(options);
        return channel -> {
            final SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            engine.setNeedClientAuth(!options.trustStore().isEmpty());
            return new TlsLink(channel, engine);
        };
    }

    static LinkFactory client(final SessionOptions options) {
        final SSLContext context = context(options);
        return channel -> {
            final SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            return new TlsLink(channel, engine);
        };
    }

    private static SSLContext context(final SessionOptions options) {
        final char[] password = options.storePassword().toCharArray();
        try {
            final SSLContext context = SSLContext.getInstance("TLS");
            final KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(load("--key-store", options.keyStore(), password), password);
            final TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load("--trust-store", options.trustStore(), password));
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (final GeneralSecurityException e) {
            throw UserError.environment("--tls: cannot be set up (" + e.getMessage() + ").", e);
        }
    }

    /** Null where no file is named: the JDK's own certificates, and no key. */
    private static KeyStore load(final String option, final String file, final char[] password)
            throws GeneralSecurityException {
        if (file.isEmpty()) {
            return null;
        }
        final KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            store.load(in, password);
            return store;
        } catch (final IOException e) {
            throw UserError.usage(
                    "%s %s: is not a PKCS #12 file that can be read with this --store-password (%s)."
                            .formatted(option, file, why(e)));
        }
    }

    /** The JDK reports another format in terms of its decoder. */
    private static String why(final IOException e) {
        if (e instanceof FileSystemException) {
            return IoReason.of(e);
        }
        return e.getCause() instanceof UnrecoverableKeyException
                ? "the password is wrong"
                : "it has another format";
    }

    /**
     * Why a connection was lost, in terms of this program's options where it is due to TLS.
     *
     * @param e what a link threw
     * @return a few words
     */
    static String reason(final IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return "this side does not trust its certificate: name it with --trust-store";
            }
        }
        final String text = String.valueOf(e.getMessage());
        return text.contains("plaintext connection")
                ? "it does not speak TLS, which --tls requires"
                : text;
    }

    /**
     * A socket with the JDK's TLS over it. The handshake runs inside {@link #read} and {@link
     * #write}; until it is done nothing is accepted or received. Single-threaded.
     */
    public static final class TlsLink implements ByteLink {
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
}
