package io.tickmark.engines.dds;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.tickmark.kernel.host.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The ends that other writers and readers could be matched with: those on a topic and in a
 * partition of ours, as the library has discovered them. DDS itself reports neither ends with
 * another type, nor that those whose policies it complains about are in another partition.
 */
@SuppressWarnings("restricted") // what the library lends
record Discovered(List<String> types) {
    private static final int MOST = 256;
    private static final int INFO_BYTES = 64;
    private static final int VALID_DATA_OFFSET = 12;

    // struct dds_builtintopic_endpoint of dds.h
    private static final int TOPIC_NAME_OFFSET = 40;
    private static final int TYPE_NAME_OFFSET = 48;
    private static final int QOS_OFFSET = 56;
    private static final int END_BYTES = 64;
    private static final int LONGEST_NAME = 1024;

    private static final MethodHandle GET_PARTITION =
            Cyclone.handle(
                    "dds_qget_partition",
                    FunctionDescriptor.of(JAVA_BOOLEAN, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle FREE =
            Cyclone.handle("dds_free", FunctionDescriptor.ofVoid(ADDRESS));

    /** Writers that a reader of the channel could receive from. */
    static Discovered writers(final int participant, final DdsChannel channel, final String topic) {
        return ends(participant, Cyclone.TOPIC_OF_WRITERS, channel.partitions(), topic);
    }

    /** Readers that could receive from a writer of the channel. */
    static Discovered readers(final int participant, final DdsChannel channel, final String topic) {
        return ends(participant, Cyclone.TOPIC_OF_READERS, channel.partitions(), topic);
    }

    /** Types other than ours, as one text; empty for none. */
    String otherTypes() {
        final TreeSet<String> others = new TreeSet<>(types);
        others.remove(TopicType.NAME);
        return String.join(", ", others);
    }

    /** The policy that the library complained about, where it prevented a match with an end. */
    String incompatible(final Matches matches) {
        final long ofOurType = types.stream().filter(TopicType.NAME::equals).count();
        return ofOurType > matches.count() ? matches.incompatible() : "";
    }

    /** For the result, where there is something to report. */
    void addFacts(final Matches matches, final Map<String, Object> facts) {
        if (!otherTypes().isEmpty()) {
            facts.put("otherTypes", otherTypes());
        }
        if (!incompatible(matches).isEmpty()) {
            facts.put("incompatible", incompatible(matches));
        }
    }

    private static Discovered ends(
            final int participant,
            final int kind,
            final List<String> partitions,
            final String topic) {
        final List<String> types = new ArrayList<>();
        final int reader =
                Cyclone.createReader(participant, kind, MemorySegment.NULL, MemorySegment.NULL);
        if (reader < 0) {
            return new Discovered(types);
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment samples =
                    arena.allocate(ADDRESS, MOST); // zeros: a loan is requested
            final MemorySegment infos = arena.allocate((long) MOST * INFO_BYTES, Long.BYTES);
            final int read = Cyclone.read(reader, samples, infos, MOST);
            for (int i = 0; i < read; i++) {
                if (infos.get(JAVA_BYTE, (long) i * INFO_BYTES + VALID_DATA_OFFSET) != 0) {
                    final MemorySegment end = samples.getAtIndex(ADDRESS, i).reinterpret(END_BYTES);
                    if (name(end.get(ADDRESS, TOPIC_NAME_OFFSET)).equals(topic)
                            && isShared(partitions, partitions(end.get(ADDRESS, QOS_OFFSET)))) {
                        types.add(name(end.get(ADDRESS, TYPE_NAME_OFFSET)));
                    }
                }
            }
            if (read > 0) {
                Cyclone.returnLoan(reader, samples, read);
            }
        } finally {
            Cyclone.delete(reader);
        }
        return new Discovered(List.copyOf(types));
    }

    /** None means the partition without a name; a pattern is assumed to match. */
    private static boolean isShared(final List<String> ours, final List<String> theirs) {
        final List<String> own = ours.isEmpty() ? List.of("") : ours;
        return theirs.isEmpty()
                ? own.contains("")
                : theirs.stream()
                        .anyMatch(name -> own.contains(name) || name.matches(".*[*?\\[].*"));
    }

    private static List<String> partitions(final MemorySegment qos) {
        final List<String> names = new ArrayList<>();
        if (qos.address() == 0) {
            return names;
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment count = arena.allocate(JAVA_INT);
            final MemorySegment list = arena.allocate(ADDRESS);
            if (!(boolean) GET_PARTITION.invokeExact(qos, count, list)) {
                return names;
            }
            final int most = count.get(JAVA_INT, 0);
            final MemorySegment array = list.get(ADDRESS, 0).reinterpret(most * ADDRESS.byteSize());
            for (int i = 0; i < most; i++) {
                final MemorySegment text = array.getAtIndex(ADDRESS, i);
                names.add(name(text));
                FREE.invokeExact(text);
            }
            FREE.invokeExact(list.get(ADDRESS, 0));
        } catch (final Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
        return names;
    }

    private static String name(final MemorySegment text) {
        return text.address() == 0 ? "" : text.reinterpret(LONGEST_NAME).getString(0);
    }
}
