package io.tickmark.wire.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.wire.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PcapngTest {
    private static final int SECTION = 0x0a0d0d0a;

    @TempDir Path folder;

    private final List<String> seen = new ArrayList<>();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private CaptureFile file;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadInterfacesAndPacketsInBothByteOrders(final boolean isBig) throws IOException {
        order = isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;

        assertThat(
                        read(
                                        section(),
                                        device(1, new byte[0]),
                                        device(113, option(9, new byte[] {9})),
                                        packet(0, 7_000_001, 61),
                                        packet(1, 7_000_000_001L, 3))
                                .kind())
                .isEqualTo(CaptureEnd.Kind.WHOLE);
        assertThat(seen).containsExactly("7000001000 61 link 1", "7000000001 3 link 113");
    }

    @Test
    void shouldReadSectionsOfDifferentByteOrders() throws IOException {
        final byte[] little = Frames.join(section(), device(1, new byte[0]), packet(0, 1, 1));
        order = ByteOrder.BIG_ENDIAN;
        final byte[] big = Frames.join(section(), device(101, new byte[0]), packet(0, 2, 2));

        read(little, big);

        assertThat(seen).containsExactly("1000 1 link 1", "2000 2 link 101");
    }

    @ParameterizedTest
    @CsvSource({"3, 5000, 5000000000", "0, 5, 5000000000", "12, 5000, 5", "-118, 1024, 1000000000"})
    void shouldTakeAnyResolution(final byte resolution, final long units, final long timeNs)
            throws IOException {
        read(section(), device(1, option(9, new byte[] {resolution})), packet(0, units, 1));

        assertThat(seen).containsExactly(timeNs + " 1 link 1");
    }

    @Test
    void shouldAddTheOffsetOfAnInterface() throws IOException {
        final byte[] offset = ByteBuffer.allocate(8).order(order).putLong(100).array();

        read(section(), device(1, option(14, offset)), packet(0, 1, 1));

        assertThat(seen).containsExactly("100000001000 1 link 1");
    }

    @Test
    void shouldReadSimpleAndObsoletePacketsAndPassOverWhatItDoesNotKnow() throws IOException {
        final byte[] simple = block(3, ints(4), new byte[4]);
        final byte[] obsolete =
                block(
                        2,
                        ByteBuffer.allocate(4).order(order).putShort((short) 0).array(),
                        ints(0, 9, 2, 2),
                        new byte[4]);

        read(section(), device(1, new byte[0]), block(0x0bad, new byte[40]), obsolete, simple);

        assertThat(seen).containsExactly("9000 2 link 1", "9000 4 link 1");
    }

    @Test
    void shouldReportHowManyPacketsTheCaptureLost() throws IOException {
        read(section(), device(1, new byte[0]), lost(0, 5, 42));

        assertThat(file.dropped()).hasValue(42);
    }

    /** They were added up, though each counts from the beginning of the capture. */
    @Test
    void shouldTakeTheLastStatisticsOfEachInterfaceOfEachSection() throws IOException {
        final byte[] device = device(1, new byte[0]);

        read(section(), device, lost(0, 5, 10), lost(0, 5, 15), lost(0, 5, 20));
        assertThat(file.dropped()).hasValue(20);

        read(section(), device, device, lost(0, 5, 10), lost(1, 5, 4), lost(0, 5, 15));
        assertThat(file.dropped()).as("of two interfaces").hasValue(15 + 4);

        read(section(), device, lost(0, 5, 10), lost(0, 7, 4), lost(0, 5, 15));
        assertThat(file.dropped()).as("by the interface and by the system").hasValue(15 + 4);

        read(section(), device, lost(0, 5, 10), section(), device, lost(0, 5, 3), section());
        assertThat(file.dropped()).as("of two sections").hasValue(10 + 3);
    }

    private byte[] lost(final int device, final int option, final long packets) {
        return block(
                5,
                ints(device, 0, 0),
                option(option, ByteBuffer.allocate(8).order(order).putLong(packets).array()));
    }

    @Test
    void shouldSayWhereABlockIsBroken() throws IOException {
        assertBroken("byte 28: a block that says it has 13 bytes", section(), raw(1, 13, 13));
        assertBroken("byte 28: a block whose two lengths differ", section(), raw(1, 12, 16));
        assertBroken(
                "byte 28: a packet of interface 3, of which there are 0",
                section(),
                packet(3, 1, 1));
        assertBroken(
                "byte 48: a packet that says it has 900 bytes in a block that has room for 4",
                section(),
                device(1, new byte[0]),
                block(6, ints(0, 0, 1, 900, 900), new byte[4]));
        assertBroken(
                "byte 28: an interface description that is too short",
                section(),
                block(1, ints(1)));
        assertBroken("byte 28: a packet without an interface", section(), block(3, ints(4)));
        assertBroken(
                "byte 28: statistics of interface 1, of which there are 0",
                section(),
                lost(1, 5, 1));
    }

    @Test
    void shouldSayWhereAFileIsCutOff() throws IOException {
        final byte[] whole = Frames.join(section(), device(1, new byte[0]), packet(0, 1, 9));
        for (int length = 49; length < whole.length; length++) {
            seen.clear();
            final CaptureEnd ending = read(java.util.Arrays.copyOf(whole, length));

            assertThat(ending.kind()).as("%d", length).isEqualTo(CaptureEnd.Kind.CUT_OFF);
            assertThat(ending.position()).isEqualTo(48);
            assertThat(seen).isEmpty();
        }
    }

    private void assertBroken(final String sentence, final byte[]... blocks) throws IOException {
        final CaptureEnd ending = read(blocks);
        assertThat(ending.kind()).isEqualTo(CaptureEnd.Kind.BROKEN);
        assertThat(ending.sentence()).startsWith(sentence);
    }

    private CaptureEnd read(final byte[]... blocks) throws IOException {
        file = new CaptureFile(Files.write(folder.resolve("test.pcapng"), Frames.join(blocks)));
        return file.read(packet ->
                seen.add(
                        "%d %d link %d"
                                .formatted(
                                        packet.timeNs(),
                                        packet.capturedBytes(),
                                        packet.linkType())));
    }

    private byte[] section() {
        return block(SECTION, ints(0x1a2b3c4d, 1, -1, -1));
    }

    private byte[] device(final int linkType, final byte[] options) {
        final ByteBuffer head = ByteBuffer.allocate(8).order(order);
        head.putShort((short) linkType).putShort((short) 0).putInt(0);
        return block(1, head.array(), options);
    }

    private byte[] packet(final int device, final long units, final int length) {
        return block(
                6,
                ints(device, (int) (units >>> 32), (int) units, length, length),
                new byte[length + 3 & ~3]);
    }

    private byte[] option(final int code, final byte[] value) {
        final ByteBuffer head = ByteBuffer.allocate(4).order(order);
        head.putShort((short) code).putShort((short) value.length);
        return Frames.join(head.array(), java.util.Arrays.copyOf(value, value.length + 3 & ~3));
    }

    private byte[] block(final int type, final byte[]... body) {
        final byte[] all = Frames.join(body);
        return Frames.join(ints(type, all.length + 12), all, ints(all.length + 12));
    }

    private byte[] raw(final int type, final int length, final int again) {
        return ints(type, length, again, again);
    }

    private byte[] ints(final int... values) {
        final ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(order);
        for (final int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }
}
