package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmInvalidUsageException;
import com.refinitiv.ema.access.OmmInvalidUsageException.ErrorCode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

public class EmaRefusalsTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private long nowNs = -5 * SECOND_NS;
    private final EmaRefusals refusals = new EmaRefusals(() -> nowNs);

    /** What the library throws. */
    public static OmmException refusal(final int code, final String words) {
        return new OmmInvalidUsageException() {
            {
                _errorCode = code;
                _exceptMessage = words;
            }

            @Override
            public String exceptionTypeAsString() {
                return "OmmInvalidUsageException";
            }

            @Override
            public int exceptionType() {
                return OmmException.ExceptionType.OmmInvalidUsageException;
            }
        };
    }

    @Test
    void shouldCountWantOfBuffersAndNeverFailByIt() {
        for (int i = 0; i < 3; i++) {
            refusals.refused(refusal(ErrorCode.NO_BUFFERS, "no buffers"));
            nowNs += SECOND_NS;
        }
        assertThat(refusals.noBuffer()).isEqualTo(3);
        assertThat(refusals.failure()).isEmpty();
    }

    @Test
    void shouldFailByAnotherReasonThatLasts() {
        refusals.refused(refusal(ErrorCode.INVALID_ARGUMENT, "no such\n handle"));
        nowNs += SECOND_NS - 1;
        refusals.refused(refusal(ErrorCode.INVALID_ARGUMENT, "no such\n handle"));
        assertThat(refusals.failure()).isEmpty();

        nowNs++;
        refusals.refused(refusal(ErrorCode.INVALID_ARGUMENT, "no such\n handle"));
        assertThat(refusals.failure()).isEqualTo("no such handle");
        assertThat(refusals.noBuffer()).isZero();
    }

    @Test
    void shouldForgetWhatHasPassed() {
        refusals.refused(new NullPointerException());
        refusals.taken();
        nowNs += SECOND_NS;
        refusals.refused(new NullPointerException());
        assertThat(refusals.failure()).isEmpty();
    }

    /** An item that was closed while it was sent to is tried no more. */
    @Test
    void shouldNotFailWhereNothingIsTriedAnyMore() {
        refusals.refused(refusal(ErrorCode.INVALID_ARGUMENT, "no such handle"));
        nowNs += 10 * SECOND_NS;
        assertThat(refusals.failure()).isEmpty();
    }
}
