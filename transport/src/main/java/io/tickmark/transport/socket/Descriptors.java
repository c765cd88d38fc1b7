package io.tickmark.transport.socket;

import java.lang.reflect.Method;
import java.nio.channels.SocketChannel;
import java.util.OptionalInt;

/** The descriptors of the JDK's sockets, for calls that the JDK does not make. */
public final class Descriptors {
    private Descriptors() {}

    /**
     * The descriptor of a socket, valid until the channel is closed.
     *
     * @param socket of the JDK
     * @return empty where this JVM does not show it ({@code --add-opens java.base/sun.nio.ch})
     */
    public static OptionalInt of(final SocketChannel socket) {
        try {
            final Method method = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
            method.setAccessible(true);
            return OptionalInt.of((int) method.invoke(socket));
        } catch (final ReflectiveOperationException | RuntimeException e) {
            return OptionalInt.empty();
        }
    }
}
