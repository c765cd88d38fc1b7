package io.tickmark.wire.capture;

import io.tickmark.kernel.settings.Setting;

/**
 * What is captured.
 *
 * @param device network device
 * @param filter of packets
 * @param bufferMib memory of the kernel for packets that are not written yet
 */
public record TcpdumpOptions(
        @Setting(
                        help = "Network device to capture on; any for all of them.",
                        byDefault = "lo",
                        label = "NAME")
                String device,
        @Setting(
                        help =
                                "What to capture, such as 'tcp port 3000' (pcap-filter(7)); all where left out.",
                        label = "EXPRESSION")
                String filter,
        @Setting(
                        help = "Memory of the kernel for packets that are not written yet.",
                        byDefault = "64",
                        unit = "MiB",
                        min = 1,
                        max = 2047)
                int bufferMib) {}
