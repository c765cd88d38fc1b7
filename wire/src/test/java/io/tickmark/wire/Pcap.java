package io.tickmark.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A capture file to be written, or one that was read whole to be rewritten. */
public final class Pcap {
    public static final int ETHERNET = 1;

    private final ByteOrder order;
    private final boolean isNano;
    private final int linkType;
    private final List<Frame> frames = new ArrayList<>();

    /** A packet and when it was captured. */
    public record Frame(long timeNs, byte[] bytes, int originalBytes) {
        public Frame(final long timeNs, final byte[] bytes) {
            this(timeNs, bytes, bytes.length);
        }

        public Frame cutTo(final int captured) {
            return new Frame(
                    timeNs,
                    java.util.Arrays.copyOf(bytes, Math.min(captured, bytes.length)),
                    originalBytes);
        }
    }

    public Pcap(final ByteOrder order, final boolean isNano, final int linkType) {
        this.order = order;
        this.isNano = isNano;
        this.linkType = linkType;
    }

    public static Pcap nano() {
        return new Pcap(ByteOrder.LITTLE_ENDIAN, true, ETHERNET);
    }

    public List<Frame> frames() {
        return frames;
    }

    public Pcap add(final long timeNs, final byte[] bytes) {
        frames.add(new Frame(timeNs, bytes));
        return this;
    }

    /** Reads what tcpdump wrote: little-endian, nanoseconds. */
    public static Pcap read(final Path file) {
        try {
            final ByteBuffer in =
                    ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            final Pcap pcap = new Pcap(ByteOrder.LITTLE_ENDIAN, true, in.getInt(20));
            in.position(24);
            while (in.remaining() >= 16) {
                final long seconds = in.getInt();
                final long ns = in.getInt();
                final byte[] bytes = new byte[in.getInt()];
                final int original = in.getInt();
                in.get(bytes);
                pcap.frames.add(new Frame(seconds * 1_000_000_000L + ns, bytes, original));
            }
            return pcap;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public byte[] bytes() {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteBuffer header = ByteBuffer.allocate(24).order(order);
        header.putInt(isNano ? 0xa1b23c4d : 0xa1b2c3d4).putShort((short) 2).putShort((short) 4);
        header.putInt(0).putInt(0).putInt(262144).putInt(linkType);
        out.writeBytes(header.array());
        for (final Frame frame : frames) {
            final ByteBuffer record = ByteBuffer.allocate(16).order(order);
            record.putInt((int) (frame.timeNs() / 1_000_000_000L));
            final int fraction = (int) (frame.timeNs() % 1_000_000_000L);
            record.putInt(isNano ? fraction : fraction / 1000);
            record.putInt(frame.bytes().length).putInt(frame.originalBytes());
            out.writeBytes(record.array());
            out.writeBytes(frame.bytes());
        }
        return out.toByteArray();
    }

    public Path write(final Path file) {
        try {
            return Files.write(file, bytes());
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
