package io.tickmark.wire.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutstandingTest {
    private final List<String> forgotten = new ArrayList<>();
    private final Outstanding outstanding =
            new Outstanding(
                    8,
                    100,
                    (copies, lastNs, isCounted) ->
                            forgotten.add(copies + " " + lastNs + " " + isCounted));

    @Test
    void shouldCountTheCopiesOfAMessageUntilItIsForgotten() {
        outstanding.add(7, 10);
        final int slot = outstanding.find(7);
        assertThat(outstanding.timeNs(slot)).isEqualTo(10);
        assertThat(outstanding.copied(slot, 15)).isEqualTo(1);
        outstanding.count(slot);
        assertThat(outstanding.copied(slot, 12)).isEqualTo(2);
        assertThat(outstanding.find(8)).isNegative();
        outstanding.finish();

        assertThat(forgotten).containsExactly("2 5 true");
        assertThat(outstanding.find(7)).isNegative();
    }

    @Test
    void shouldForgetAfterTheWindow() {
        outstanding.add(1, 0);
        outstanding.add(2, 100);
        assertThat(forgotten).isEmpty();
        outstanding.add(3, 101);

        assertThat(forgotten).containsExactly("0 0 false");
        assertThat(outstanding.find(1)).isNegative();
        assertThat(outstanding.find(2)).isNotNegative();
    }

    @Test
    void shouldKnowTheNewestOfTwoWithOneKey() {
        assertThat(outstanding.add(7, 1)).isTrue();
        assertThat(outstanding.add(7, 2)).isFalse();

        assertThat(outstanding.timeNs(outstanding.find(7))).isEqualTo(2);
        outstanding.finish();
        assertThat(forgotten).hasSize(2);
    }

    @Test
    void shouldKeepTheNewestWhateverTheKeysAre() {
        final Random random = new Random(1);
        final Deque<Long> newest = new ArrayDeque<>();
        for (int i = 0; i < 50_000; i++) {
            final long key = random.nextInt(64);
            outstanding.add(key, 0);
            newest.addLast(key);
            if (newest.size() > 8) {
                newest.removeFirst();
            }
            final Set<Long> known = new HashSet<>(newest);
            for (long each = 0; each < 64; each++) {
                assertThat(outstanding.find(each) >= 0).isEqualTo(known.contains(each));
            }
        }
    }

    @Test
    void shouldKeepWhatItKnowsWhileItGrows() {
        final Outstanding large = new Outstanding(1 << 14, 100, (copies, lastNs, isCounted) -> {});
        final int messages = 1 << 14;
        for (long key = 0; key < messages; key++) {
            large.add(key, key % 2);
            final int slot = large.find(key);
            large.origin(slot, -key);
            large.copied(slot, 50);
        }
        for (long key = 0; key < messages; key++) {
            final int slot = large.find(key);
            assertThat(large.timeNs(slot)).isEqualTo(key % 2);
            assertThat(large.origin(slot)).isEqualTo(-key);
            assertThat(large.copied(slot, 60)).isEqualTo(2);
        }
        large.add(messages, 1);
        assertThat(large.find(0)).as("the oldest, when all room is taken").isNegative();
        assertThat(large.find(1)).isNotNegative();
    }
}
