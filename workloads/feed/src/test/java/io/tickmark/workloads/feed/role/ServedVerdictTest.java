package io.tickmark.workloads.feed.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.feed.role.FeedServerRole.ServedVerdict;
import io.tickmark.workloads.feed.session.Ending;
import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.session.HubFigures.SessionCounts;
import io.tickmark.workloads.feed.source.FeedFigures;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whatever was lost, broken, missed or never served is in the verdict. */
class ServedVerdictTest {
    private static FeedFigures feed(final long lost, final long skipped) {
        final FeedFigures figures = FeedFigures.COLUMNS.zero();
        figures.sent().set(1000);
        figures.lost().set(lost);
        figures.skipped().set(skipped);
        figures.fromArrival().set(2 * skipped);
        return figures;
    }

    private static HubFigures hub(
            final long sent,
            final long lateFlushes,
            final long unnotified,
            final Map<Ending.Kind, Long> ended) {
        final SessionCounts counts = SessionCounts.COLUMNS.zero();
        counts.opened().set(2 + ended.values().stream().mapToLong(Long::longValue).sum());
        counts.sent().set(sent);
        counts.flushes().set(sent / 5);
        counts.lateFlushes().set(lateFlushes);
        counts.unnotified().set(unnotified);
        counts.clockUnanswered().set(2 * unnotified);
        return new HubFigures(counts, ended);
    }

    private static final HubFigures NOTHING = hub(0, 0, 0, Map.of());

    private static ServedVerdict of(final long lost, final long skipped, final HubFigures after) {
        return new ServedVerdict(feed(lost, skipped), NOTHING, after, after);
    }

    @Test
    void shouldPassWhereAllWentWell() {
        final ServedVerdict well =
                of(
                        0,
                        0,
                        hub(
                                500,
                                0,
                                0,
                                Map.of(Ending.Kind.ASKED_FOR, 2L, Ending.Kind.CLIENT_LEFT, 1L)));
        assertThat(well.failure()).isEmpty();
        assertThat(well.warnings()).isEmpty();
    }

    @Test
    void shouldNotPassWhereNothingWasServed() {
        assertThat(of(0, 0, NOTHING).failure()).contains("Nothing was served: 2 clients");
        final HubFigures nobody = sessions(0, 0, Map.of());
        assertThat(new ServedVerdict(feed(0, 0), nobody, nobody, nobody).failure())
                .isEqualTo("Nothing was served: no client had a session in the measured time.");
    }

    /** Sessions that are there, and how others ended; 100 messages were sent to each. */
    private static HubFigures sessions(
            final long there, final long notSent, final Map<Ending.Kind, Long> ended) {
        final long opened = there + ended.values().stream().mapToLong(Long::longValue).sum();
        final SessionCounts counts = SessionCounts.COLUMNS.zero();
        counts.opened().set(opened);
        counts.sent().set(100 * opened);
        counts.notSent().set(notSent);
        return new HubFigures(counts, ended);
    }

    /**
     * A server that cut off all of its clients passed, and what they were not sent was in no count.
     */
    @Test
    void shouldNotPassWhereNoSessionLasted() {
        final HubFigures none = sessions(0, 0, Map.of());
        final HubFigures all = sessions(0, 4711, Map.of(Ending.Kind.LIMIT, 10L));
        final ServedVerdict bad = new ServedVerdict(feed(0, 0), none, all, all);
        assertThat(bad.failure())
                .isEqualTo(
                        "No session lasted: all 10 of the measured time ended unexpectedly (limit reached 10)."
                                + " 4711 messages that were waiting were never sent.");
        assertThat(bad.warnings())
                .anySatisfy(each -> assertThat(each).startsWith("4711 messages were never sent"));
        assertThat(bad.metrics()).containsEntry("notSent", 4711L);
        final HubFigures there = sessions(10, 0, Map.of());
        final HubFigures late = sessions(0, 9, Map.of(Ending.Kind.SILENT, 11L));
        assertThat(new ServedVerdict(feed(0, 0), there, late, late).failure())
                .as("of those that had begun before, too")
                .startsWith("No session lasted: all 11");
    }

    @Test
    void shouldWarnOfWhatWasNotSentWhereOneSessionLasted() {
        final HubFigures none = sessions(0, 0, Map.of());
        final HubFigures oneIsThere = sessions(1, 4711, Map.of(Ending.Kind.LIMIT, 9L));
        final HubFigures oneLeft =
                sessions(0, 1, Map.of(Ending.Kind.LIMIT, 9L, Ending.Kind.CLIENT_LEFT, 1L));
        for (final HubFigures each : new HubFigures[] {oneIsThere, oneLeft}) {
            final ServedVerdict verdict = new ServedVerdict(feed(0, 0), none, each, each);
            assertThat(verdict.failure()).isEmpty();
            assertThat(verdict.warnings())
                    .anySatisfy(warning ->
                            assertThat(warning)
                                    .matches("(4711 messages were|1 message was) never sent, .*"));
        }
    }

    /** Who had a session that was ended before anything was sent was not there at all. */
    @Test
    void shouldCountAClientWhoseSessionEndedBeforeAnythingWasSent() {
        final HubFigures none = sessions(0, 0, Map.of());
        final HubFigures broken = sessions(0, 0, Map.of(Ending.Kind.BROKEN, 1L));
        broken.counts().sent().set(0);
        assertThat(new ServedVerdict(feed(0, 0), none, broken, broken).failure())
                .contains("Nothing was served: 1 client had a session");
    }

    /** A single delay of one that flushes seldom made it a warning; the page said nothing. */
    @Test
    void shouldWarnOfLateFlushesOnlyWhereTheyAreMoreThanOnePercentAndMoreThanTwo() {
        final ServedVerdict held = flushed(100, 2);
        assertThat(held.warnings()).isEmpty();
        assertThat(held.metrics()).containsEntry("flushes", 100L).containsEntry("lateFlushes", 2L);
        assertThat(flushed(9_000, 90).warnings()).isEmpty();
        assertThat(flushed(100, 3).warnings())
                .singleElement()
                .asString()
                .startsWith("The flush interval was not held: 3 of 100 flushes were late by");
    }

    private static ServedVerdict flushed(final long flushes, final long late) {
        final SessionCounts counts = SessionCounts.COLUMNS.zero();
        counts.opened().set(2);
        counts.sent().set(500);
        counts.flushes().set(flushes);
        counts.lateFlushes().set(late);
        final HubFigures after = new HubFigures(counts, Map.of());
        return new ServedVerdict(feed(0, 0), NOTHING, after, after);
    }

    @Test
    void shouldNameEachCountThatIsNotZero() {
        final ServedVerdict bad =
                of(3, 4, hub(500, 25, 6, Map.of(Ending.Kind.FAILED, 1L, Ending.Kind.BROKEN, 7L)));
        assertThat(bad.failure())
                .contains("1 session failed", "3 messages of the source were lost");
        assertThat(bad.warnings())
                .anySatisfy(each -> assertThat(each).contains("connection broke 7, failed 1"))
                .anySatisfy(each -> assertThat(each).startsWith("6 clients were gone"))
                .anySatisfy(each ->
                        assertThat(each).startsWith("12 clients did not read their replies"))
                .anySatisfy(each -> assertThat(each).startsWith("4 messages of the source"))
                .anySatisfy(each ->
                        assertThat(each)
                                .startsWith("The times of 8 messages count from when they arrived"))
                .anySatisfy(each -> assertThat(each).contains("25 of 100 flushes were late"));
        assertThat(bad.metrics())
                .containsEntry("lateFlushes", 25L)
                .containsEntry("endedIrregularly", 8L)
                .containsEntry("unnotified", 6L)
                .containsEntry("clockUnanswered", 12L)
                .containsEntry("sourceLost", 3L)
                .containsEntry("sourceFromArrival", 8L)
                .containsEntry("sourceSkipped", 4L);
    }
}
