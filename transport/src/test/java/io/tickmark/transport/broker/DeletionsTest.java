package io.tickmark.transport.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DeletionsTest {
    private final List<Long> requested = new ArrayList<>();
    private boolean isServed = true;
    private CompletableFuture<Void> answer = new CompletableFuture<>();
    private final Deletions deletions = new Deletions(this::request, () -> isServed);

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

        assertThat(deletions.refused()).isEqualTo(2);
        assertThat(deletions.sentence().orElseThrow()).contains("the client has ended");
    }
}
