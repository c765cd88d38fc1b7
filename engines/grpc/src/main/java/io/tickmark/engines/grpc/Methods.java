package io.tickmark.engines.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * The two methods of the service {@code tickmark.Messages}. Messages are plain bytes: there is
 * neither a schema nor a serializer, so that only gRPC is measured.
 */
final class Methods {
    static final String SERVICE = "tickmark.Messages";

    /** The caller sends one empty request and receives what is published. */
    static final MethodDescriptor<byte[], byte[]> SUBSCRIBE =
            method(MethodType.SERVER_STREAMING, "Subscribe");

    /** Both sides send. */
    static final MethodDescriptor<byte[], byte[]> EXCHANGE =
            method(MethodType.BIDI_STREAMING, "Exchange");

    /** RFC 6750, section 2.1: the word {@code Bearer}, a space, the token. */
    static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private Methods() {}

    static String bearer(final String token) {
        return "Bearer " + token;
    }

    private static MethodDescriptor<byte[], byte[]> method(
            final MethodType type, final String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(final byte[] message) {
            return new ByteArrayInputStream(message);
        }

        /** The library's streams know how much is left (io.grpc.KnownLength). */
        @Override
        public byte[] parse(final InputStream stream) {
            try {
                return stream.readNBytes(stream.available());
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
