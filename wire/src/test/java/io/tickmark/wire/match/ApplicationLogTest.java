package io.tickmark.wire.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.RoleResult;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.stamp.Stamp;
import io.tickmark.wire.Frames;
import io.tickmark.wire.Pcap;
import io.tickmark.wire.WireContext;
import io.tickmark.wire.WireReader;
import io.tickmark.wire.WireRoleResult;
import io.tickmark.wire.WireSettings;
import io.tickmark.wire.net.IpPacket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationLogTest {
    private static final int MESSAGES = 10;

    @TempDir Path folder;

    /** What had no room was said to have been on the wire only. */
    @Test
    void shouldSayWhatFoundNoRoom() throws IOException {
        final StringBuilder text =
                new StringBuilder("repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence\n");
        final Pcap pcap = Pcap.nano();
        for (int i = 0; i < MESSAGES; i++) {
            pcap.add(2_000, datagram(i));
            text.append("1,0,responseNs,1000,5000,4000,1,%d%n".formatted(i));
        }
        final ApplicationLog log =
                new ApplicationLog(1, 7)
                        .add(Files.writeString(folder.resolve("latency.csv"), text.toString()));
        final WireContext context =
                new WireContext(
                        Optional.empty(),
                        1,
                        0,
                        Optional.of(new EpochOffset(0, 0)),
                        Optional.of(log),
                        OptionalLong.of(0),
                        WireContext.NONE.kept());
        final RoleResult result =
                WireRoleResult.of(
                        new WireReader(
                                        Settings.read(WireSettings.class, Map.of(), key -> key),
                                        context,
                                        () -> false)
                                .read(pcap.write(folder.resolve("a.pcap"))),
                        false);

        assertThat(result.metrics())
                .containsEntry("applicationMessages", 7L)
                .containsEntry("paired", 7L)
                .containsEntry("applicationNotKept", 3L)
                .doesNotContainKey("onWireOnly");
        assertThat(result.warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "The application's log holds more than the 7 messages that are matched; 3 times");
    }

    private static byte[] datagram(final int sequence) {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[Stamp.FULL_LENGTH]);
        Stamp.write(message, 0, 1_000, sequence, 0, 0, 1);
        Stamp.writeSentNs(message, 0, 1_000);
        final byte[] udp = Frames.udp(40_000, 40_001, message.byteArray());
        return Frames.ethernet(Frames.ipv4(Frames.CLIENT, Frames.GATEWAY, IpPacket.UDP, 0, 0, udp));
    }
}
