package io.tickmark.workloads.fix.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
    @TempDir Path folder;

    private static void put(final MessageStore store, final long number, final String text) {
        final byte[] bytes = ("before" + text + "behind").getBytes(StandardCharsets.US_ASCII);
        store.append(number, bytes, 6, text.length());
        store.nextOutgoing(number + 1);
    }

    private static String read(final MessageStore store, final long number) {
        final byte[] into = new byte[256];
        return new String(into, 0, store.read(number, into), StandardCharsets.US_ASCII);
    }

    @Test
    void shouldReadBackFromMemoryAsLongAsThereIsRoom() {
        final MemoryStore store = new MemoryStore(1024, 0);
        for (int number = 1; number <= 1000; number++) {
            put(store, number, "message " + number + "!".repeat(number % 50));
            assertThat(read(store, number))
                    .startsWith("message " + number + "!".repeat(number % 50));
        }
        assertThat(read(store, 1000)).isEqualTo("message 1000");
        assertThat(read(store, 1)).isEmpty();
        for (long number = store.oldestKept(); number <= 1000; number++) {
            assertThat(read(store, number)).matches("|message " + number + "!*");
        }
    }

    @Test
    void shouldKeepNumbersAndMessagesInFiles() {
        try (FileStore store = FileStore.open(folder, "US->THEM", 1 << 20, 77)) {
            put(store, 1, "first");
            put(store, 2, "second");
            store.nextIncoming(9);
        }
        try (FileStore again = FileStore.open(folder, "US->THEM", 1 << 20, 99)) {
            assertThat(again.nextOutgoing()).isEqualTo(3);
            assertThat(again.nextIncoming()).isEqualTo(9);
            assertThat(again.beganMs()).isEqualTo(77);
            assertThat(read(again, 1)).isEqualTo("first");
            assertThat(read(again, 2)).isEqualTo("second");
            assertThat(read(again, 3)).isEmpty();
            assertThat(again.oldestKept()).isEqualTo(1);
        }
    }

    /** Each message has its own slot however small the store begins. */
    @Test
    void shouldKeepWhatItHasWhileItGrows() {
        final MemoryStore store = new MemoryStore(1 << 16, 0);
        for (int number = 1; number <= 500; number++) {
            put(store, number, "message " + number);
            for (int kept = 1; kept <= number; kept += 7) {
                assertThat(read(store, kept)).isEqualTo("message " + kept);
            }
        }
        assertThat(store.oldestKept()).isEqualTo(1);
    }

    @Test
    void shouldTakeLittleMemoryForASessionThatSendsLittle() {
        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final HandWrittenPeer peer = HandWrittenPeer.acceptor();
        begin(peer); // memory allocated once does not belong to a session
        final long before = threads.getCurrentThreadAllocatedBytes();
        begin(peer);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .as("a gateway has thousands")
                .isLessThan(40_000);
    }

    private static void begin(final HandWrittenPeer peer) {
        new FixSession(
                        SessionConfig.initiator(
                                FixVersion.FIX_4_4, HandWrittenPeer.THEM, HandWrittenPeer.US),
                        new MemoryStore(1 << 20, 0),
                        null,
                        peer,
                        peer.sessionClock)
                .logon();
    }

    @Test
    void shouldKeepSessionsApartWhateverTheyAreCalled() {
        try (FileStore one = FileStore.open(folder, "DESK/1", 1 << 20, 0);
                FileStore other = FileStore.open(folder, "DESK_1", 1 << 20, 0);
                FileStore up = FileStore.open(folder, "../DESK", 1 << 20, 0)) {
            put(one, 1, "one");
            put(other, 1, "other");
            put(up, 1, "up");
            assertThat(read(one, 1)).isEqualTo("one");
            assertThat(read(other, 1)).isEqualTo("other");
        }
        assertThat(folder.resolve("DESK%2f1.messages")).exists();
        assertThat(folder.toFile().listFiles()).hasSize(6);
    }

    @Test
    void shouldCutOffATornMessage() throws IOException {
        try (FileStore store = FileStore.open(folder, "S", 1 << 20, 0)) {
            put(store, 1, "whole");
        }
        final Path file = folder.resolve("S.messages");
        Files.write(
                file,
                new byte[] {0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 50, 'x'},
                StandardOpenOption.APPEND);
        try (FileStore again = FileStore.open(folder, "S", 1 << 20, 0)) {
            assertThat(read(again, 1)).isEqualTo("whole");
            assertThat(read(again, 2)).isEmpty();
            put(again, 2, "new");
            assertThat(read(again, 2)).isEqualTo("new");
        }
    }

    /** At any time the newest that fill half of the limit, over a restart too; never more. */
    @Test
    void shouldKeepTheNewestMessagesOfAStoreThatIsFull() throws IOException {
        final int limit = 2000;
        final int entry = 12 + "message 1000".length();
        for (int from = 1; from <= 1000; from += 37) {
            try (FileStore store = FileStore.open(folder, "S", limit, 0)) {
                for (int number = from; number < from + 37; number++) {
                    put(store, number, "message %4d".formatted(number) + "!");
                    final int surely = Math.max(1, number - limit / 2 / entry + 1);
                    assertThat(store.oldestKept()).isLessThanOrEqualTo(surely);
                    for (long kept = store.oldestKept(); kept <= number; kept++) {
                        assertThat(read(store, kept)).isEqualTo("message %4d!".formatted(kept));
                    }
                    assertThat(read(store, store.oldestKept() - 1)).isEmpty();
                    assertThat(bytesOf("S.messages") + bytesOf("S.messages2"))
                            .isLessThanOrEqualTo(limit);
                }
            }
        }
    }

    private long bytesOf(final String name) throws IOException {
        final Path file = folder.resolve(name);
        return Files.exists(file) ? Files.size(file) : 0;
    }

    @Test
    void shouldKeepWithinItsLimitWhateverTheLengths() throws IOException {
        try (FileStore store = FileStore.open(folder, "S", 250, 0)) {
            for (int number = 1; number <= 300; number++) {
                final String text = "m" + number + "!".repeat(number * 7 % 230);
                put(store, number, text);
                assertThat(read(store, number)).isEqualTo(text);
                assertThat(bytesOf("S.messages") + bytesOf("S.messages2")).isLessThanOrEqualTo(250);
            }
            put(store, 301, "x".repeat(239));
            assertThat(read(store, 301)).as("longer than all that is kept").isEmpty();
        }
    }

    @Test
    void shouldSendAgainWhatAFullFileKeepsAndFillTheRest() {
        final SessionConfig config =
                SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM);
        try (FileStore store = FileStore.open(folder, "S", 2000, HandWrittenPeer.START_MS)) {
            final HandWrittenPeer peer = HandWrittenPeer.of(config, store);
            peer.says("A", 1, "98=0|108=30|");
            for (int i = 2; i <= 100; i++) {
                peer.session.send("W", new BodyBytes(64).field(55, "S" + i).field(268, 0));
            }
            peer.heard();
            peer.says("2", 2, "7=1|16=0|");
            final java.util.List<String> heard = peer.heard();
            final long oldest = store.oldestKept();
            assertThat(oldest).isBetween(50L, 95L);
            assertThat(heard).hasSize(1 + 101 - (int) oldest);
            assertThat(heard.getFirst()).isEqualTo("35=4|34=1|43=Y|123=Y|36=%d|".formatted(oldest));
            assertThat(heard.get(1)).isEqualTo("35=W|34=%d|43=Y|55=S%1$d|268=0|".formatted(oldest));
            assertThat(heard.getLast()).isEqualTo("35=W|34=100|43=Y|55=S100|268=0|");
        }
    }

    @Test
    void shouldBeginAnewAfterAReset() {
        try (FileStore store = FileStore.open(folder, "S", 1 << 20, 1)) {
            put(store, 1, "old");
            store.reset(5);
            assertThat(store.nextOutgoing()).isEqualTo(1);
            assertThat(read(store, 1)).isEmpty();
            assertThat(store.beganMs()).isEqualTo(5);
        }
    }

    @Test
    void shouldSurviveARestartOfTheProcess() {
        final SessionConfig config =
                SessionConfig.acceptor(FixVersion.FIX_4_4, HandWrittenPeer.THEM);
        try (FileStore store = FileStore.open(folder, "S", 1 << 20, HandWrittenPeer.START_MS)) {
            final HandWrittenPeer before = HandWrittenPeer.of(config, store);
            before.says("A", 1, "98=0|108=30|");
            before.session.send("W", new BodyBytes(64).field(55, "KEPT").field(268, 0));
        }
        try (FileStore store = FileStore.open(folder, "S", 1 << 20, HandWrittenPeer.START_MS)) {
            final HandWrittenPeer after = HandWrittenPeer.of(config, store);
            after.says("A", 2, "98=0|108=30|");
            after.says("2", 3, "7=2|16=2|");
            assertThat(after.heard())
                    .containsExactly("35=A|34=3|98=0|108=30|", "35=W|34=2|43=Y|55=KEPT|268=0|");
        }
    }
}
