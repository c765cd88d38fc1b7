package io.tickmark.transport.socket;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * The socket calls of the C library. Each returns what the library returns, or the negative error
 * number. Pointers are plain addresses, because all memory passed here lives as long as its socket.
 * Single-threaded; allocates nothing.
 *
 * <p>All of a kind have one signature: each further one takes as long to link as a hundredth of a
 * role's start. Whole numbers and pointers are passed in registers of 64 bits, of which a function
 * reads as many bits, and as many registers, as it declares (System V ABI for x86-64, 3.2.3;
 * AAPCS64, 6.8.2, and its like).
 */
public final class SocketCalls {
    private static final FunctionDescriptor INT_CALL =
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor LONG_CALL =
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SOCKET = Libc.handleWithErrno("socket", INT_CALL);
    private static final MethodHandle BIND = Libc.handleWithErrno("bind", INT_CALL);
    private static final MethodHandle CONNECT = Libc.handleWithErrno("connect", INT_CALL);
    private static final MethodHandle GETSOCKNAME = Libc.handleWithErrno("getsockname", INT_CALL);
    private static final MethodHandle SETSOCKOPT = Libc.handleWithErrno("setsockopt", INT_CALL);
    private static final MethodHandle GETSOCKOPT = Libc.handleWithErrno("getsockopt", INT_CALL);
    private static final MethodHandle CLOSE = Libc.handleWithErrno("close", INT_CALL);
    private static final MethodHandle PPOLL = Libc.handleWithErrno("ppoll", INT_CALL);

    /** Linked when the first of them is called: a socket listens without them. */
    private static final class Transfers {
        static final MethodHandle SENDTO = Libc.handleWithErrno("sendto", LONG_CALL);
        static final MethodHandle RECVFROM = Libc.handleWithErrno("recvfrom", LONG_CALL);
        static final MethodHandle RECVMSG = Libc.handleWithErrno("recvmsg", LONG_CALL);
    }

    private final Errno errno = new Errno();

    /** For one thread. */
    public SocketCalls() {}

    /**
     * socket(2).
     *
     * @param family of its addresses
     * @param type and flags
     * @return the descriptor, or the negative error number
     */
    public int socket(final int family, final int type) {
        try {
            return checked(
                    (int)
                            SOCKET.invokeExact(
                                    errno.segment(), (long) family, (long) type, 0L, 0L, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * bind(2).
     *
     * @param fd of the socket
     * @param name address of the address
     * @param nameLength its bytes
     * @return 0, or the negative error number
     */
    public int bind(final int fd, final long name, final int nameLength) {
        try {
            return checked(
                    (int)
                            BIND.invokeExact(
                                    errno.segment(), (long) fd, name, (long) nameLength, 0L, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * connect(2).
     *
     * @param fd of the socket
     * @param name address of the address
     * @param nameLength its bytes
     * @return 0, or the negative error number
     */
    public int connect(final int fd, final long name, final int nameLength) {
        try {
            return checked(
                    (int)
                            CONNECT.invokeExact(
                                    errno.segment(), (long) fd, name, (long) nameLength, 0L, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * getsockname(2).
     *
     * @param fd of the socket
     * @param name where its address is to be written
     * @param nameLength address of the room, overwritten with the length
     * @return 0, or the negative error number
     */
    public int getsockname(final int fd, final long name, final long nameLength) {
        try {
            return checked(
                    (int)
                            GETSOCKNAME.invokeExact(
                                    errno.segment(), (long) fd, name, nameLength, 0L, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * setsockopt(2).
     *
     * @param fd of the socket
     * @param level of the option
     * @param option its number
     * @param value address of the value
     * @param length its bytes
     * @return 0, or the negative error number
     */
    public int setsockopt(
            final int fd, final int level, final int option, final long value, final int length) {
        try {
            return checked(
                    (int)
                            SETSOCKOPT.invokeExact(
                                    errno.segment(),
                                    (long) fd,
                                    (long) level,
                                    (long) option,
                                    value,
                                    (long) length));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * getsockopt(2).
     *
     * @param fd of the socket
     * @param level of the option
     * @param option its number
     * @param value where the value is to be written
     * @param length address of the room, overwritten with the length
     * @return 0, or the negative error number
     */
    public int getsockopt(
            final int fd, final int level, final int option, final long value, final long length) {
        try {
            return checked(
                    (int)
                            GETSOCKOPT.invokeExact(
                                    errno.segment(),
                                    (long) fd,
                                    (long) level,
                                    (long) option,
                                    value,
                                    length));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * close(2).
     *
     * @param fd of the socket
     * @return 0, or the negative error number
     */
    public int close(final int fd) {
        try {
            return checked((int) CLOSE.invokeExact(errno.segment(), (long) fd, 0L, 0L, 0L, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * ppoll(2) rather than poll(2): its time-out is in nanoseconds.
     *
     * @param pollfds address of what to wait for
     * @param count of them
     * @param timespec address of the longest wait
     * @return how many are ready, or the negative error number
     */
    public int ppoll(final long pollfds, final long count, final long timespec) {
        try {
            return checked(
                    (int) PPOLL.invokeExact(errno.segment(), pollfds, count, timespec, 0L, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * sendto(2).
     *
     * @param fd of the socket
     * @param bytes address of what to send
     * @param length its bytes
     * @param flags of the call
     * @param name address of the address; 0 for the peer of a connected socket
     * @param nameLength its bytes
     * @return bytes sent, or the negative error number
     */
    public long sendto(
            final int fd,
            final long bytes,
            final long length,
            final int flags,
            final long name,
            final int nameLength) {
        try {
            return checked(
                    (long)
                            Transfers.SENDTO.invokeExact(
                                    errno.segment(),
                                    (long) fd,
                                    bytes,
                                    length,
                                    (long) flags,
                                    name,
                                    (long) nameLength));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * recvfrom(2).
     *
     * @param fd of the socket
     * @param bytes where to receive
     * @param capacity bytes of room
     * @param flags of the call
     * @param name where the address of the sender is to be written; 0 for nowhere
     * @param nameLength address of the room, overwritten with the length
     * @return bytes received, or the negative error number
     */
    public long recvfrom(
            final int fd,
            final long bytes,
            final long capacity,
            final int flags,
            final long name,
            final long nameLength) {
        try {
            return checked(
                    (long)
                            Transfers.RECVFROM.invokeExact(
                                    errno.segment(),
                                    (long) fd,
                                    bytes,
                                    capacity,
                                    (long) flags,
                                    name,
                                    nameLength));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /**
     * recvmsg(2).
     *
     * @param fd of the socket
     * @param header address of the message header
     * @param flags of the call
     * @return bytes received, or the negative error number
     */
    public long recvmsg(final int fd, final long header, final int flags) {
        try {
            return checked(
                    (long)
                            Transfers.RECVMSG.invokeExact(
                                    errno.segment(), (long) fd, header, (long) flags, 0L, 0L, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    private int checked(final int result) {
        return result >= 0 ? result : -errno.value();
    }

    private long checked(final long result) {
        return result >= 0 ? result : -errno.value();
    }
}
