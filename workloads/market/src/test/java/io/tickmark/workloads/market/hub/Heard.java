package io.tickmark.workloads.market.hub;

import com.refinitiv.ema.access.DataType;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.Msg;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** What a counterpart has received, in order. */
final class Heard {
    private static final Duration LONGEST = Duration.ofSeconds(90);

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    /**
     * One message.
     *
     * @param kind refresh, update, status, ack, generic
     * @param item name, as the counterpart calls it
     * @param state stream and data state, or a code
     * @param fields by id
     * @param poster user id of the post that it comes from, -1 where it comes from none
     */
    record Event(String kind, String item, String state, Map<Integer, String> fields, long poster) {
        boolean is(final String wantedKind, final String wantedItem) {
            return kind.equals(wantedKind) && item.equals(wantedItem);
        }
    }

    void add(final Event event) {
        events.add(event);
    }

    Queue<Event> events() {
        return events;
    }

    /** Waits for a message, however loaded the machine is. */
    Event await(final String what, final Predicate<Event> wanted) {
        final long begin = System.nanoTime();
        while (System.nanoTime() - begin < LONGEST.toNanos()) {
            for (final Event event : events) {
                if (wanted.test(event)) {
                    return event;
                }
            }
            LockSupport.parkNanos(1_000_000);
        }
        throw new AssertionError("nobody has heard " + what + "; heard: " + events);
    }

    static Map<Integer, String> fields(final Msg message) {
        final Map<Integer, String> fields = new TreeMap<>();
        if (message.payload().dataType() == DataType.DataTypes.FIELD_LIST) {
            final FieldList list = message.payload().fieldList();
            for (final FieldEntry entry : list) {
                fields.put(entry.fieldId(), entry.load().toString());
            }
        }
        return fields;
    }
}
