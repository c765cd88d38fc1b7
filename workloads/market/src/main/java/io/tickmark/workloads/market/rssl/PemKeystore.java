package io.tickmark.workloads.market.rssl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.tickmark.kernel.host.Libc;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A keystore created from PEM files, because the library's Java edition only reads keystores, by
 * their path and anew for each connection. It is in the memory of this process, which the kernel
 * gives a path: however the process ends, no file with a key is left. Where the C library cannot be
 * called it is a file that only its owner can read, deleted when the process ends by itself.
 *
 * @param file the keystore, for this process
 * @param password of it
 */
record PemKeystore(String file, String password) {
    private static final long MAX_BYTES = 1 << 20;
    private static final String NAME = "tickmark-keys";

    /** {@code MFD_CLOEXEC}: programs that this process starts do not have it. */
    private static final int CLOSED_IN_OTHER_PROGRAMS = 1;

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

    /** The certificates that a client trusts. */
    static PemKeystore trusting(final Path certificates) {
        try {
            final KeyStore store = empty();
            int number = 0;
            for (final Certificate each : certificates(certificates)) {
                store.setCertificateEntry("trusted-" + ++number, each);
            }
            return write(store);
        } catch (final IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(reason(certificates, e), e);
        }
    }

    /** The certificate and the key of a server. */
    static PemKeystore serving(final Path certificates, final Path key) {
        try {
            final Certificate[] chain = certificates(certificates);
            final Matcher matcher = KEY.matcher(text(key));
            if (!matcher.find()) {
                throw new IllegalArgumentException(
                        "%s has no unencrypted PKCS #8 key; make one with: openssl pkcs8 -topk8 -nocrypt -in %s"
                                .formatted(key, key));
            }
            final PrivateKey secret =
                    KeyFactory.getInstance(chain[0].getPublicKey().getAlgorithm())
                            .generatePrivate(
                                    new PKCS8EncodedKeySpec(
                                            Base64.getMimeDecoder().decode(matcher.group(1))));
            final KeyStore store = empty();
            final String password = newPassword();
            store.setKeyEntry("server", secret, password.toCharArray(), chain);
            return write(store, password);
        } catch (final IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(reason(certificates, e), e);
        }
    }

    private static String reason(final Path file, final Exception e) {
        return e instanceof java.nio.file.NoSuchFileException none
                ? none.getFile() + ": there is no such file"
                : "%s cannot be used as PEM: %s".formatted(file, e.getMessage());
    }

    private static String text(final Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it is larger than " + MAX_BYTES + " bytes");
        }
        return Files.readString(file);
    }

    private static Certificate[] certificates(final Path file)
            throws IOException, GeneralSecurityException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it is larger than " + MAX_BYTES + " bytes");
        }
        try (InputStream in = Files.newInputStream(file)) {
            final Certificate[] found =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(in)
                            .toArray(Certificate[]::new);
            if (found.length == 0) {
                throw new IOException("it has no certificate");
            }
            return found;
        }
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Of a keystore that only this user can read. */
    private static String newPassword() {
        final byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static PemKeystore write(final KeyStore store)
            throws IOException, GeneralSecurityException {
        return write(store, newPassword());
    }

    private static PemKeystore write(final KeyStore store, final String password)
            throws IOException, GeneralSecurityException {
        final Optional<Path> inMemory = inMemory();
        final Path file = inMemory.isPresent() ? inMemory.get() : onDisk();
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return new PemKeystore(file.toString(), password);
    }

    /** A new file in memory, which lasts as long as this process; empty where there can be none. */
    private static Optional<Path> inMemory() {
        final Optional<MethodHandle> create =
                Libc.find("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        if (create.isEmpty()) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            final int descriptor =
                    (int)
                            create.get()
                                    .invokeExact(
                                            arena.allocateFrom(NAME), CLOSED_IN_OTHER_PROGRAMS);
            final Path file = Path.of("/proc/self/fd/" + descriptor);
            return Files.isWritable(file) ? Optional.of(file) : Optional.empty();
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    private static Path onDisk() throws IOException {
        final Path file = Files.createTempFile(NAME, ".p12"); // for its owner only
        file.toFile().deleteOnExit();
        return file;
    }
}
