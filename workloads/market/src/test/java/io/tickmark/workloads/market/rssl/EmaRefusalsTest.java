package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.ema.access.OmmException;
import com.refinitiv.ema.access.OmmInvalidUsageException;
import com.refinitiv.ema.access.OmmInvalidUsageException.ErrorCode;
import org.junit.jupiter.api.Test;

public class EmaRefusalsTest {
    private long nowNs = -5 * EmaRefusals.LASTING_NS;
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
            nowNs += EmaRefusals.LASTING_NS;
        }
        assertThat(refusals.noBuffer()).isEqualTo(3);
        assertThat(refusals.failure()).isEmpty();
    }

    @Test
    void shouldFailByAnotherReasonThatLasts() {
        refusals.refused(refusal(ErrorCode.INVALID_ARGUMENT, "no such\n handle"));
        nowNs += EmaRefusals.LASTING_NS - 1;
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
        nowNs += EmaRefusals.LASTING_NS;
        refusals.refused(new NullPointerException());
        assertThat(refusals.failure()).isEmpty();
    }

    /** An item that was closed while it was sent to is tried no more. */
    @Test
    void shouldNotFailWhereNothingIsTriedAnyMore() {
        refusals.refused(refusal(ErrorCode.INVALID_ARGUMENT, "no such handle"));
        nowNs += 10 * EmaRefusals.LASTING_NS;
        assertThat(refusals.failure()).isEmpty();
    }
}
