package io.tickmark.workloads.fix.link;

import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.fix.SessionOptions;
import java.io.IOException;
import java.io.InputStream;
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
                return "its certificate is not one that this side trusts: name it with --trust-store";
            }
        }
        final String text = String.valueOf(e.getMessage());
        return text.contains("plaintext connection")
                ? "it does not speak TLS, as --tls asks"
                : text;
    }
}
