package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class ResourceSamplerTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private long nowNs = 77;
    private final Usage usage = new Usage();
    private final ResourceSampler sampler = new ResourceSampler(() -> nowNs, usage);

    @Test
    void shouldCountProcessorTimeAsPercentOfOneCore() {
        use(SECOND_NS, SECOND_NS / 2);
        assertThat(sampler.cpuPercent()).isEqualTo(50.0);

        use(2 * SECOND_NS, 4 * SECOND_NS);
        assertThat(sampler.cpuPercent()).isEqualTo(200.0);
    }

    @Test
    void shouldRepeatItselfWithinATenthOfASecond() {
        use(SECOND_NS, SECOND_NS / 2);
        sampler.cpuPercent();
        use(SECOND_NS / 20, SECOND_NS / 20);
        assertThat(sampler.cpuPercent()).isEqualTo(50.0);

        use(SECOND_NS / 20, 0);
        assertThat(sampler.cpuPercent()).as("nothing is lost of what was skipped").isEqualTo(50.0);
    }

    @Test
    void shouldGiveTheMeanOverTheWholeTrial() {
        usage.residentBytes = 100;
        use(SECOND_NS, SECOND_NS);
        sampler.cpuPercent();
        sampler.residentBytes();
        usage.residentBytes = 300;
        use(3 * SECOND_NS, 0);

        assertThat(sampler.metrics())
                .isEqualTo(
                        Map.of(
                                "cpuPercentMin",
                                0.0,
                                "cpuPercentMean",
                                25.0,
                                "cpuPercentMax",
                                100.0,
                                "residentBytesMin",
                                100L,
                                "residentBytesMean",
                                200L,
                                "residentBytesMax",
                                300L));
    }

    @Test
    void shouldGiveOneFigureForAVeryShortTrial() {
        use(SECOND_NS / 50, SECOND_NS / 100);

        assertThat(sampler.metrics())
                .containsEntry("cpuPercentMin", 50.0)
                .containsEntry("cpuPercentMean", 50.0)
                .containsEntry("cpuPercentMax", 50.0);
    }

    @Test
    void shouldForgetTheTrialBefore() {
        usage.residentBytes = 900;
        use(SECOND_NS, 2 * SECOND_NS);
        sampler.metrics();

        sampler.begin();
        usage.residentBytes = 100;
        use(SECOND_NS, SECOND_NS / 10);

        assertThat(sampler.metrics())
                .containsEntry("cpuPercentMax", 10.0)
                .containsEntry("residentBytesMax", 100L);
    }

    @Test
    void shouldLeaveOutWhatTheSystemDoesNotReport() {
        usage.cpuNs = -1;
        usage.residentBytes = -1;
        sampler.begin();
        nowNs += SECOND_NS;

        assertThat(sampler.cpuPercent()).isNaN();
        assertThat(sampler.residentBytes()).isEqualTo(-1);
        assertThat(sampler.metrics()).isEmpty();
    }

    @Test
    void shouldCloseWhatItReadsFrom() {
        sampler.close();

        assertThat(usage.closed).isTrue();
    }

    @Test
    void shouldSampleThisProcess() {
        try (ResourceSampler real = new ResourceSampler(SystemNanoClock.INSTANCE)) {
            assertThat(real.metrics()).hasSize(6);
            assertThat(real.cpuPercent()).isNotNegative();
        }
    }

    private void use(final long passedNs, final long cpuNs) {
        nowNs += passedNs;
        usage.cpuNs += cpuNs;
    }

    private static final class Usage implements ResourceSampler.ProcessUsage {
        private long cpuNs = 123;
        private long residentBytes;
        private boolean closed;

        @Override
        public long cpuNs() {
            return cpuNs;
        }

        @Override
        public long residentBytes() {
            return residentBytes;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
