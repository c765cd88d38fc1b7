package io.tickmark.lab.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;

class LinesFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void shouldUnderstandWhatARoleSaysOrRefuseIt(final byte[] bytes) throws IOException {
        final Lines.Reader lines = new Lines.Reader(new ByteArrayInputStream(bytes));
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            try {
                if (Lines.parse(line.get(), FromRole.class) instanceof final FromRole.Step said) {
                    assertThat(said.step().toResult().latencies()).isNotNull();
                }
            } catch (final ProtocolException e) {
                assertThat(e.getMessage()).isNotNull();
            }
        }
    }

    @FuzzTest(maxDuration = "1m")
    void shouldUnderstandWhatAControllerSaysOrRefuseIt(final byte[] bytes) throws IOException {
        final Lines.Reader lines = new Lines.Reader(new ByteArrayInputStream(bytes));
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            try {
                assertThat(Lines.parse(line.get(), ToRole.class)).isNotNull();
            } catch (final ProtocolException e) {
                assertThat(e.getMessage()).isNotNull();
            }
        }
    }
}
