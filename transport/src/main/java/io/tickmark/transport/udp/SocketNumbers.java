package io.tickmark.transport.udp;

/**
 * Numbers of socket calls: those of {@code asm-generic/socket.h}, {@code linux/in.h}, {@code
 * linux/in6.h} and {@code linux/udp.h}; the same on x86-64, aarch64 and riscv64.
 */
final class SocketNumbers {
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

    private SocketNumbers() {}
}
