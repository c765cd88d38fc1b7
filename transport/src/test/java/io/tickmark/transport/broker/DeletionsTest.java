package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class DeletionsTest {
    private final List<Long> requested = new ArrayList<>();
    private boolean isServed = true;
    private CompletableFuture<Void> answer = new CompletableFuture<>();
    private long nowNs;
    private final BoundedClose.Silence silence = new BoundedClose.Silence(() -> nowNs);
    private final Deletions deletions = new Deletions(this::request, () -> isServed, silence);

    private CompletableFuture<Void> request(final long upTo) {
        if (answer == null) {
            throw new IllegalStateException("the client has ended.");
        }
        requested.add(upTo);
        return answer;
    }

    private void nextAnswer() {
        answer = new CompletableFuture<>();
    }

    @Test
    void shouldRequestOnceForAllThatWereAcknowledgedDuringTheRequestBefore() {
        deletions.acknowledge(3);
        deletions.acknowledge(4);
        deletions.acknowledge(7);
        answer.complete(null);
        nextAnswer();
        answer.complete(null);
        deletions.settle();
        deletions.settle();

        assertThat(requested).containsExactly(3L, 7L);
        assertThat(deletions.refused()).isZero();
        assertThat(deletions.sentence()).isEmpty();
    }

    @Test
    void shouldCountARequestThatFailedAndRepeatItWithTheNext() {
        deletions.acknowledge(3);
        answer.completeExceptionally(new IllegalStateException("no leader."));
        nextAnswer();
        answer.complete(null);
        deletions.acknowledge(3);
        deletions.settle();

        assertThat(requested).containsExactly(3L, 3L);
        assertThat(deletions.refused()).isOne();
        assertThat(deletions.sentence().orElseThrow()).contains("(no leader)");
    }

    /** A client may not know yet that its connection is broken. */
    @Test
    void shouldCountARequestThatFailsAgainForTheSameMessagesOnce() {
        deletions.acknowledge(3);
        answer.completeExceptionally(new IllegalStateException("the connection broke."));
        deletions.settle();
        deletions.settle();

        assertThat(requested).containsExactly(3L, 3L, 3L);
        assertThat(deletions.refused()).isOne();
    }

    @Test
    void shouldCountWhatIsNotAnsweredBeforeTheConnectionBreaks() {
        deletions.acknowledge(3);
        isServed = false;
        deletions.settle();

        assertThat(deletions.refused()).isOne();
        assertThat(deletions.sentence().orElseThrow()).contains("the connection is broken");
    }

    @Test
    void shouldCountWhatCannotBeRequestedAtAll() {
        answer = null;
        deletions.acknowledge(3);
        isServed = false;
        deletions.acknowledge(4);

        assertThat(deletions.refused()).as("each would be for the same messages").isOne();
        assertThat(deletions.sentence().orElseThrow()).contains("the client has ended");
    }

    @Test
    void shouldCountABreakOnceHoweverMuchIsAcknowledgedDuringIt() {
        breakFor(3, 4, 5);
        assertThat(deletions.refused()).isOne();

        isServed = true;
        answer.complete(null);
        deletions.acknowledge(6);
        deletions.settle();
        breakFor(7, 8);

        assertThat(requested).containsExactly(6L);
        assertThat(deletions.refused()).as("and the next one").isEqualTo(2);
    }

    private void breakFor(final long... acknowledged) {
        isServed = false;
        for (final long upTo : acknowledged) {
            deletions.acknowledge(upTo);
        }
    }

    @Test
    void shouldCountWhatIsLeftToDeleteWhereTheConnectionBreaksAtTheEnd() {
        deletions.acknowledge(3);
        deletions.acknowledge(4);
        answer.complete(null);
        isServed = false;
        deletions.settle();
        deletions.settle();

        assertThat(requested).containsExactly(3L);
        assertThat(deletions.refused()).isOne();
    }

    /** Closing settles again, for each topic; a role that waits for fifteen seconds is hung. */
    @Test
    void shouldWaitOnlyOnceForAServerThatStandsStill() {
        final Unanswered never = new Unanswered();
        answer = never;
        deletions.acknowledge(3);
        deletions.acknowledge(4);
        deletions.settle();
        deletions.settle();
        deletions.acknowledge(5);
        deletions.settle();

        assertThat(never.waitedSeconds).containsExactly(5L, 0L);
        assertThat(requested).containsExactly(3L, 5L);
        assertThat(deletions.refused()).isEqualTo(2);
        assertThat(deletions.sentence().orElseThrow()).contains("no answer in time");
    }

    @Test
    void shouldWaitAgainForAServerThatHasAnsweredSince() {
        answer = new Unanswered();
        deletions.acknowledge(3);
        deletions.settle();
        nowNs += TimeUnit.SECONDS.toNanos(60);
        nextAnswer();
        answer.complete(null);
        deletions.acknowledge(4);
        final Unanswered never = new Unanswered();
        answer = never;
        deletions.acknowledge(5);
        deletions.settle();

        assertThat(never.waitedSeconds).containsExactly(5L);
        assertThat(requested).containsExactly(3L, 4L, 5L);
    }

    /** Each topic has its own. */
    @Test
    void shouldWaitBrieflyWhereTheServerOfAnotherTopicJustStoodStill() {
        final Unanswered first = new Unanswered();
        answer = first;
        deletions.acknowledge(3);
        deletions.settle();
        final Unanswered second = new Unanswered();
        answer = second;
        final Deletions other = new Deletions(this::request, () -> isServed, silence);
        other.acknowledge(3);
        other.settle();

        assertThat(first.waitedSeconds).containsExactly(5L);
        assertThat(second.waitedSeconds).containsExactly(0L);
        assertThat(other.refused()).isOne();
    }

    /** It was not waited for again, so nothing is known of it. */
    @Test
    void shouldWaitAsUsualForOthersWhereNobodyWaitedForTheSilentServer() {
        answer = new Unanswered();
        deletions.acknowledge(3);
        deletions.settle();
        nowNs += TimeUnit.SECONDS.toNanos(60);
        deletions.acknowledge(4);
        deletions.settle();
        final Unanswered second = new Unanswered();
        answer = second;
        final Deletions other = new Deletions(this::request, () -> isServed, silence);
        other.acknowledge(3);
        other.settle();

        assertThat(second.waitedSeconds).containsExactly(5L);
    }

    /** Its time is over at once. */
    private static final class Unanswered extends CompletableFuture<Void> {
        private final List<Long> waitedSeconds = new ArrayList<>();

        @Override
        public Void get(final long timeout, final TimeUnit unit) throws TimeoutException {
            waitedSeconds.add(unit.toSeconds(timeout));
            throw new TimeoutException();
        }
    }
}
