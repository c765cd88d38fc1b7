package io.tickmark.transport.udp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.tickmark.kernel.host.Errno;
import io.tickmark.kernel.host.Libc;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/**
 * The socket calls of the C library, and the numbers they take. Each returns what the library
 * returns, or the negative error number. Pointers are plain addresses, because all memory passed
 * here lives as long as its socket. Single-threaded; allocates nothing.
 *
 * <p>The numbers are those of {@code asm-generic/socket.h}, {@code linux/in.h}, {@code linux/in6.h}
 * and {@code linux/udp.h}; the same on x86-64, aarch64 and riscv64.
 */
final class SocketCalls {
    static final short AF_INET = 2;
    static final short AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_CLOEXEC = 0x80000;

    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final short POLLIN = 1;

    static final int SOL_SOCKET = 1;
    static final int SO_REUSEADDR = 2;
    static final int SO_SNDBUF = 7;
    static final int SO_RCVBUF = 8;
    static final int SO_SNDBUFFORCE = 32;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_BUSY_POLL = 46;
    static final int SO_MEMINFO = 55;

    /** Index of the count of dropped datagrams among the 32-bit values of {@link #SO_MEMINFO}. */
    static final int MEMINFO_DROPS = 8;

    static final int IPPROTO_IP = 0;
    static final int IP_TOS = 1;
    static final int IP_TTL = 2;
    static final int IP_MULTICAST_IF = 32;
    static final int IP_MULTICAST_TTL = 33;
    static final int IP_MULTICAST_LOOP = 34;
    static final int IP_ADD_MEMBERSHIP = 35;
    static final int IP_MULTICAST_ALL = 49;

    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_UNICAST_HOPS = 16;
    static final int IPV6_MULTICAST_IF = 17;
    static final int IPV6_MULTICAST_HOPS = 18;
    static final int IPV6_MULTICAST_LOOP = 19;
    static final int IPV6_JOIN_GROUP = 20;
    static final int IPV6_MULTICAST_ALL = 29;
    static final int IPV6_TCLASS = 67;

    static final int SOL_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;

    /**
     * Most datagrams that the kernel makes of one send; {@code UDP_MAX_SEGMENTS} of older kernels.
     */
    static final int MAX_SEGMENTS = 64;

    static final int EIO = 5;
    static final int EBADF = 9;
    static final int ENOMEM = 12;
    static final int ENOPROTOOPT = 92;
    static final int EOPNOTSUPP = 95;
    static final int EAFNOSUPPORT = 97;
    static final int EADDRNOTAVAIL = 99;

    private static final MethodHandle SOCKET = intCall("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = intCall("bind", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CONNECT = intCall("connect", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKNAME =
            intCall("getsockname", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            intCall("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            intCall("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOSE = intCall("close", JAVA_INT);
    private static final MethodHandle PPOLL =
            intCall("ppoll", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SENDTO =
            longCall("sendto", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECVFROM =
            longCall("recvfrom", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle RECVMSG = longCall("recvmsg", JAVA_INT, JAVA_LONG, JAVA_INT);

    private final Errno errno = new Errno();

    private static MethodHandle intCall(final String name, final MemoryLayout... arguments) {
        return Libc.handleWithErrno(name, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private static MethodHandle longCall(final String name, final MemoryLayout... arguments) {
        return Libc.handleWithErrno(name, FunctionDescriptor.of(JAVA_LONG, arguments));
    }

    int socket(final int family, final int type) {
        try {
            return checked((int) SOCKET.invokeExact(errno.segment(), family, type, 0));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    int bind(final int fd, final long name, final int nameLength) {
        try {
            return checked((int) BIND.invokeExact(errno.segment(), fd, name, nameLength));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    int connect(final int fd, final long name, final int nameLength) {
        try {
            return checked((int) CONNECT.invokeExact(errno.segment(), fd, name, nameLength));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    int getsockname(final int fd, final long name, final long nameLength) {
        try {
            return checked((int) GETSOCKNAME.invokeExact(errno.segment(), fd, name, nameLength));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    int setsockopt(
            final int fd, final int level, final int option, final long value, final int length) {
        try {
            return checked(
                    (int)
                            SETSOCKOPT.invokeExact(
                                    errno.segment(), fd, level, option, value, length));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    int getsockopt(
            final int fd, final int level, final int option, final long value, final long length) {
        try {
            return checked(
                    (int)
                            GETSOCKOPT.invokeExact(
                                    errno.segment(), fd, level, option, value, length));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    int close(final int fd) {
        try {
            return checked((int) CLOSE.invokeExact(errno.segment(), fd));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** ppoll(2) rather than poll(2): its time-out is in nanoseconds. */
    int ppoll(final long pollfds, final long count, final long timespec) {
        try {
            return checked((int) PPOLL.invokeExact(errno.segment(), pollfds, count, timespec, 0L));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    long sendto(
            final int fd,
            final long bytes,
            final long length,
            final int flags,
            final long name,
            final int nameLength) {
        try {
            return checked(
                    (long)
                            SENDTO.invokeExact(
                                    errno.segment(), fd, bytes, length, flags, name, nameLength));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    long recvfrom(
            final int fd,
            final long bytes,
            final long capacity,
            final int flags,
            final long name,
            final long nameLength) {
        try {
            return checked(
                    (long)
                            RECVFROM.invokeExact(
                                    errno.segment(), fd, bytes, capacity, flags, name, nameLength));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    long recvmsg(final int fd, final long header, final int flags) {
        try {
            return checked((long) RECVMSG.invokeExact(errno.segment(), fd, header, flags));
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
