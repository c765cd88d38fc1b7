package io.tickmark.wire.capture;

import io.tickmark.kernel.host.HostAddress;
import io.tickmark.kernel.settings.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/**
 * What is captured.
 *
 * @param device network device; where blank, the loopback device, or the one that has this host's
 *     address where roles of the run are on several hosts
 * @param filter of packets
 * @param bufferMib memory of the kernel for packets that are not written yet
 */
public record TcpdumpOptions(
        @Setting(
                        help =
                                "Network device to capture on; any for all of them (default: lo, or the device with the "
                                        + "address of the host where roles run on several).",
                        label = "NAME")
                String device,
        @Setting(
                        help =
                                "What to capture, such as 'tcp port 3000', see pcap-filter(7) (default: all).",
                        label = "EXPRESSION")
                String filter,
        @Setting(
                        help = "Memory of the kernel for packets that are not written yet.",
                        byDefault = "64",
                        unit = "MiB",
                        min = 1,
                        max = 2047)
                int bufferMib) {
    private static final String LOOPBACK = "lo";

    /** Finds the device where none is named. */
    public TcpdumpOptions {
        if (device.isBlank()) {
            device = HostAddress.given().isEmpty() ? LOOPBACK : deviceOf(HostAddress.given());
        }
    }

    /** What roles on other hosts send and receive passes that one, and not the loopback device. */
    private static String deviceOf(final String address) {
        try {
            final NetworkInterface found =
                    NetworkInterface.getByInetAddress(InetAddress.getByName(address));
            return found == null ? LOOPBACK : found.getName();
        } catch (final IOException e) {
            return LOOPBACK;
        }
    }
}
