package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretsTest {
    @Test
    void shouldHideWhatItsNameSaysIsSecret() {
        final Map<String, Object> values = new LinkedHashMap<>();
        values.put("username", "jane");
        values.put("storePassword", "open sesame");
        values.put("TLS_TOKEN", "t0k3n");
        values.put("password", "");
        values.put("payloadBytes", 700);

        assertThat(Secrets.hidden(values))
                .containsExactly(
                        Map.entry("username", "jane"),
                        Map.entry("storePassword", Secrets.HIDDEN),
                        Map.entry("TLS_TOKEN", Secrets.HIDDEN),
                        Map.entry("password", ""),
                        Map.entry("payloadBytes", 700));
    }

    @Test
    void shouldHideWhatStandsBehindASecretsNameInACommand() {
        assertThat(
                        Secrets.hidden(
                                List.of(
                                        "env",
                                        "API_TOKEN=t0k3n",
                                        "-Dtrust.password=open=sesame",
                                        "-Xmx1g",
                                        "LANG=C")))
                .containsExactly(
                        "env", "API_TOKEN=***", "-Dtrust.password=***", "-Xmx1g", "LANG=C");
    }
}
