package io.tickmark.workloads.feed.client;

import io.tickmark.kernel.loop.Column;
import io.tickmark.kernel.loop.Columns;
import io.tickmark.kernel.record.Counter;
import io.tickmark.kernel.result.Counts;
import io.tickmark.workloads.feed.session.FlushInterval;
import java.util.List;
import java.util.Map;

/**
 * What the clients of a group received, and what the user is told of it.
 *
 * @param clients how many there were
 * @param expected messages that were received or lost
 * @param received messages that were due in the measured time
 * @param lost numbered messages that a client did not receive
 * @param duplicated messages that were received twice
 * @param silent clients that never received a message, though the feed had some for them; known
 *     once the sessions have ended
 * @param fromArrival received messages whose source has another clock than the server: service
 *     times count from their arrival at the server, and there are no response times
 * @param flushes by which the server sent in the measured time, as far as it reported them
 * @param lateFlushes flushes of the server that were late by an interval or more, though the client
 *     could take what waited; a warning only where they are more than 1 %, and more than two
 * @param lagTooLong received messages that were sent more than 4.29 s late: they have no service
 *     times
 * @param receivedInAll all messages, including those before and after the measured time
 * @param frames in which all of them arrived
 * @param bytes of those frames
 */
public record ClientCounts(
        @Column(metric = "clients") Counter clients,
        @Column(count = Counts.EXPECTED) Counter expected,
        @Column(count = Counts.RECEIVED) Counter received,
        @Column(count = Counts.LOST) Counter lost,
        @Column(count = Counts.DUPLICATED) Counter duplicated,
        @Column(
                        count = Counts.SILENT_CLIENTS,
                        failure =
                                "%d of the clients never received a message, though the feed had some for {it|them}.")
                Counter silent,
        @Column(
                        warning =
                                "Response times are not measured for %d message{|s}, and {its service time counts|their"
                                        + " service times count} from when {it|they} arrived at the server: {its|their}"
                                        + " source is on another host, whose clock is not the server's. A plan with 'hosts'"
                                        + " aligns the clocks.")
                Counter fromArrival,
        @Column Counter flushes,
        @Column(warning = FlushInterval.NOT_HELD) Counter lateFlushes,
        @Column(
                        metric = "lagTooLong",
                        isSparse = true,
                        warning =
                                "Service times are not measured for %d message{|s}: {it was|they were} sent more than 4.29 s"
                                        + " late, the longest lag that a message can tell.")
                Counter lagTooLong,
        @Column Counter receivedInAll,
        @Column Counter frames,
        @Column Counter bytes) {
    /** How they are added up and shown. */
    public static final Columns<ClientCounts> COLUMNS = Columns.of(ClientCounts.class);

    /**
     * What the user is warned of.
     *
     * @return sentences
     */
    public List<String> warnings() {
        final ClientCounts told = COLUMNS.sum(List.of(this));
        if (FlushInterval.isHeld(flushes.get(), lateFlushes.get())) {
            told.lateFlushes().set(0);
        }
        return COLUMNS.warnings(
                told,
                Map.of(
                        told.lateFlushes(),
                        List.of(flushes.get(), 100.0 * lateFlushes.get() / flushes.get())));
    }
}
