package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Waiting;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerProgramTest {
    private static final String UNSET = "TICKMARK_NO_SUCH_PROGRAM";

    private record NoParameters() {}

    private final BrokerChannel<NoParameters> channel =
            new BrokerChannel<>(ChannelUri.parse("any:"), List.of(), new NoParameters());

    @Test
    void shouldGiveWhatAProgramPrints() {
        assertThat(new ServerProgram("echo", UNSET, "coreutils").printed(channel, "2.10"))
                .isEqualTo("2.10\n");
    }

    /** A user may have named anything, and the command waited for it for ever. */
    @Test
    void shouldNotWaitForAProgramThatDoesNotEnd() {
        assertThatThrownBy(() ->
                        new ServerProgram("sleep", UNSET, "coreutils")
                                .printed(channel, "86400", Duration.ofMillis(100)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("sleep 86400 does not end; see whether it is the server")
                .hasMessageContaining(UNSET);
        Waiting.until(
                "it is killed",
                () ->
                        ProcessHandle.current()
                                .children()
                                .noneMatch(each ->
                                        each.info()
                                                .commandLine()
                                                .filter(line -> line.endsWith("sleep 86400"))
                                                .isPresent()));
    }
}
