package io.tickmark.workloads.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.role.TestContext;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.Schedules;
import io.tickmark.transport.Publication;
import io.tickmark.transport.Topic;
import io.tickmark.workloads.messaging.OutgoingMessage;
import io.tickmark.workloads.messaging.Refusing;
import io.tickmark.workloads.messaging.session.ExchangePublishing;
import io.tickmark.workloads.messaging.session.PublishingEnd;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of messages that an engine refuses, and what users are told of it. */
@Timeout(120)
final class SendLoopTest {
    private static final int BYTES = 64;
    private static final long READING_NS = 1_000_000;
    private static final String SAID = "The server accepts no messages now (memory).";

    private final AtomicLong nowNs = new AtomicLong(1);

    /** Time passes while it is read. */
    private final TestContext context = new TestContext(1, 1, () -> nowNs.getAndAdd(READING_NS));

    private PublishingEnd end(final Refusing engine) {
        return new ExchangePublishing(
                List.of(engine.exchange()), List.of(Topic.DEFAULT), 1, context);
    }

    private SendLoop sentBy(final PublishingEnd end, final boolean inGroups) {
        final SendLoop loop =
                new SendLoop(
                        end.publications(),
                        1,
                        new OutgoingMessage(BYTES, end.trialId(), true),
                        false,
                        BYTES,
                        0,
                        context);
        loop.batch(inGroups);
        loop.giveUpAfter(end.stallNs(), end::ended);
        loop.run(0, 0, Schedules.fixedRate(1000), nowNs.get(), 10, Long.MAX_VALUE);
        return loop;
    }

    private String stall(final Refusing engine, final boolean inGroups) {
        final PublishingEnd end = end(engine);
        final SendLoop loop = sentBy(end, inGroups);
        assertThat(loop.isStalled()).isTrue();
        return StreamPublisher.stall(end, loop.refusal());
    }

    /** It was said that its receivers were gone. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSayThatAnEngineTakesNothingMore(final boolean inGroups) {
        final Refusing engine =
                new Refusing(
                        Publication.BACK_PRESSURED, Publication.UNKNOWN_COUNT, Optional.of(SAID));

        assertThat(stall(engine, inGroups))
                .isEqualTo(
                        "null:refusing accepted no message for 10s: the engine, or a receiver, accepts no more messages. "
                                + SAID);
    }

    @Test
    void shouldSayThatReceiversAreGoneOnlyWhereTheEngineKnowsThatItHasNone() {
        assertThat(stall(new Refusing(Publication.NOT_CONNECTED, 0, Optional.empty()), false))
                .endsWith(": its receivers are gone.");
        assertThat(
                        stall(
                                new Refusing(
                                        Publication.NOT_CONNECTED,
                                        Publication.UNKNOWN_COUNT,
                                        Optional.empty()),
                                false))
                .endsWith(": it is not connected.");
        assertThat(stall(new Refusing(Publication.BACK_PRESSURED, 1, Optional.empty()), false))
                .endsWith(": the engine, or a receiver, accepts no more messages.");
    }

    /** It was offered until the time was over. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndAtTheFirstMessageThatIsTooLong(final boolean inGroups) {
        final Refusing engine =
                new Refusing(
                        Publication.TOO_LONG, Publication.UNKNOWN_COUNT, Optional.of("Its limit."));
        final PublishingEnd end = end(engine);

        assertThatThrownBy(() -> sentBy(end, inGroups))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "--channel null:refusing: the engine accepts no messages of this length; send shorter ones."
                                + " Its limit.");
        assertThat(engine.offers()).isOne();
    }
}
