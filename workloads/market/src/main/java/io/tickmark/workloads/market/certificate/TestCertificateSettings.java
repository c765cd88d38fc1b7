package io.tickmark.workloads.market.certificate;

import io.tickmark.kernel.settings.Setting;
import java.time.Duration;
import java.util.List;

/**
 * What a test certificate is to be.
 *
 * @param out keystore to write
 * @param keyPassword of the keystore
 * @param hosts it is good for, the first one is its name
 * @param validity how long it is good
 */
public record TestCertificateSettings(
        @Setting(help = "Keystore to write.", byDefault = "tickmark-test.p12", label = "FILE")
                String out,
        @Setting(help = "Password of the keystore.", byDefault = "tickmark", label = "WORD")
                String keyPassword,
        @Setting(
                        help = "Names and addresses of servers that it is valid for.",
                        byDefault = "localhost,127.0.0.1",
                        label = "HOST,...")
                List<String> hosts,
        @Setting(help = "How long it is valid.", byDefault = "720h", min = 3.6e12, max = 3.2e16)
                Duration validity) {
    /** Copies the list. */
    public TestCertificateSettings {
        hosts = List.copyOf(hosts);
    }
}
