package io.tickmark.wire.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.wire.Frames;
import io.tickmark.wire.Pcap;
import java.io.IOException;
import java.io.UncheckedIOException;
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

class CaptureFileTest {
    private static final long TIME_NS = 1_795_000_000_123_456_789L;

    @TempDir Path folder;

    private final List<String> seen = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldReadBothByteOrdersAndBothUnits(final boolean isBig, final boolean isNano) {
        final Pcap pcap =
                new Pcap(isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, isNano, 1);
        pcap.add(TIME_NS, new byte[60]).add(TIME_NS + 5_000, new byte[0]);

        assertThat(read(pcap).kind()).isEqualTo(CaptureEnd.Kind.WHOLE);
        final long unitNs = isNano ? 1 : 1000;
        assertThat(seen)
                .containsExactly(
                        "24 " + TIME_NS / unitNs * unitNs + " 60 of 60 link 1",
                        "100 " + (TIME_NS + 5_000) / unitNs * unitNs + " 0 of 0 link 1");
    }

    @Test
    void shouldReadAFileThatIsManyWindowsLong() throws IOException {
        final Pcap pcap = Pcap.nano();
        for (int i = 0; i < 500; i++) {
            pcap.add(i, new byte[i]);
        }
        final Path file = pcap.write(folder.resolve("long.pcap"));

        assertThat(new CaptureFile(file, 1 << 12).read(this::note).kind())
                .isEqualTo(CaptureEnd.Kind.WHOLE);
        assertThat(seen).hasSize(500);
        assertThat(seen.getLast()).endsWith(" 499 499 of 499 link 1");
    }

    @Test
    void shouldReadARecordThatIsLongerThanTheWindow() throws IOException {
        final Path file =
                Pcap.nano()
                        .add(1, new byte[60])
                        .add(2, new byte[5000])
                        .add(3, new byte[60])
                        .write(folder.resolve("wide.pcap"));

        assertThat(new CaptureFile(file, 1 << 10).read(this::note).kind())
                .isEqualTo(CaptureEnd.Kind.WHOLE);
        assertThat(seen).hasSize(3);
    }

    @Test
    void shouldSayThatAFileBecameShorterWhileItWasRead() throws IOException {
        final Path file =
                Pcap.nano()
                        .add(1, new byte[60])
                        .add(2, new byte[5000])
                        .write(folder.resolve("shorter.pcap"));

        assertThatThrownBy(() ->
                        new CaptureFile(file, 1 << 10)
                                .read(packet -> {
                                    try {
                                        Files.write(file, new byte[100]);
                                    } catch (final IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                }))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        file
                                + " became shorter while it was read; read it again once it is written.");
    }

    @Test
    void shouldSayWhereAFileIsCutOffAndReadAllBefore() throws IOException {
        final byte[] whole = Pcap.nano().add(1, new byte[60]).add(2, new byte[60]).bytes();
        for (int length = 100; length < whole.length; length++) {
            seen.clear();
            final CaptureEnd ending = read(java.util.Arrays.copyOf(whole, length));

            assertThat(seen).hasSize(1);
            assertThat(ending.kind())
                    .isEqualTo(length == 100 ? CaptureEnd.Kind.WHOLE : CaptureEnd.Kind.CUT_OFF);
            if (length > 100) {
                assertThat(ending.sentence())
                        .isEqualTo(
                                "the file ends in the middle of a packet that begins at byte 100; all before it is read.");
            }
        }
    }

    @Test
    void shouldSayWhereAFileIsBroken() throws IOException {
        final byte[] bytes = Pcap.nano().add(1, new byte[60]).add(2, new byte[60]).bytes();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(100 + 8, -1);

        final CaptureEnd ending = read(bytes);

        assertThat(ending.kind()).isEqualTo(CaptureEnd.Kind.BROKEN);
        assertThat(ending.position()).isEqualTo(100);
        assertThat(ending.sentence())
                .startsWith("byte 100: a packet that says it has 4294967295 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "'', that is not a capture file",
        "GIF89a, byte 0: 47494638 does not begin a capture file",
        "'\u001f\u008b\u0008\u0000', unpack it with gunzip",
        "'(\u00b5/\u00fd', unpack it with unzstd"
    })
    void shouldSayWhatIsNoCapture(final String content, final String sentence) {
        assertThatThrownBy(() -> read(Frames.text(content)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void shouldSayThatAFileIsNotThere() {
        assertThatThrownBy(() -> new CaptureFile(folder.resolve("none")).read(this::note))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none does not exist");
        assertThatThrownBy(() -> new CaptureFile(folder).read(this::note))
                .hasMessageContaining("is not a file");
    }

    private CaptureEnd read(final Pcap pcap) {
        return new CaptureFile(pcap.write(folder.resolve("test.pcap"))).read(this::note);
    }

    private CaptureEnd read(final byte[] bytes) throws IOException {
        return new CaptureFile(Files.write(folder.resolve("test.pcap"), bytes)).read(this::note);
    }

    private void note(final Packet packet) {
        seen.add(
                "%d %d %d of %d link %d"
                        .formatted(
                                packet.position(),
                                packet.timeNs(),
                                packet.capturedBytes(),
                                packet.originalBytes(),
                                packet.linkType()));
    }
}
