package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import org.junit.jupiter.api.Test;

class CannotListenTest {
    @Test
    void shouldNameTheOptionTheAddressAndTheFirstReason() {
        final UserError error =
                CannotListen.on(
                        "--producers-port 3000",
                        "127.0.0.1",
                        new IOException(
                                "Failed to bind", new BindException("Address already in use")));

        assertThat(error.kind()).isEqualTo(UserError.Kind.ENVIRONMENT);
        assertThat(error)
                .hasMessage(
                        "--producers-port 3000: cannot listen on 127.0.0.1 (Address already in use);"
                                + " give a free port, or 0 for any, and an address of this machine.");
    }

    @Test
    void shouldNameTheClassOfAnErrorWithoutMessage() {
        assertThat(CannotListen.on("--port 1", "127.0.0.1", new BindException()))
                .hasMessageContaining("(BindException)");
        assertThat(CannotListen.on("--port 1", "127.0.0.1", new IllegalStateException()))
                .hasMessageContaining("(IllegalStateException)");
    }
}
