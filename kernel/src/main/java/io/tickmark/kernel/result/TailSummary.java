package io.tickmark.kernel.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Where the latency above the median of one row comes from.
 *
 * @param messages that were examined
 * @param of all messages; more where only an evenly spread part was kept
 * @param medianNs of the examined messages
 * @param bands from the median up, each with ten messages or more; the last ends at 100, in results
 *     of 0.1.0 where the next edge has ten messages above it
 * @param threads that were watched
 * @param notWatched other threads that may have been stalled, with the reason, sentences
 * @param notTraced what {@code --explain} could not see, and why
 * @param ranInstead what ran on the cores while watched threads were stalled, the longest first:
 *     tasks and interrupts with {@code --explain}, without it the roles' own threads alone; and
 *     what their JVMs paused them for ({@code safepoint:NAME}). Empty where nothing was found
 * @param undisturbed figures without the messages that the machine disturbed
 * @param stages where messages were, by the kernel's times, from the fastest band up; empty without
 *     {@code kernelTimes}
 * @param whyNoStages why there are none although they were asked for, a clause; empty where there
 *     are some, or nobody asked
 * @param whyNotAttributed why it is not known where the latency comes from, a clause; empty where
 *     it is, and in results of 0.1.0
 */
public record TailSummary(
        long messages,
        long of,
        long medianNs,
        List<Band> bands,
        List<WatchedThread> threads,
        List<String> notWatched,
        List<NotTraced> notTraced,
        List<Ran> ranInstead,
        Undisturbed undisturbed,
        List<Stages> stages,
        String whyNoStages,
        String whyNotAttributed) {
    /** Copies the lists; results of 0.1.0 lack some. */
    public TailSummary {
        bands = List.copyOf(bands);
        threads = List.copyOf(threads);
        notWatched = List.copyOf(notWatched);
        notTraced = notTraced == null ? List.of() : List.copyOf(notTraced);
        ranInstead = ranInstead == null ? List.of() : List.copyOf(ranInstead);
        stages = stages == null ? List.of() : List.copyOf(stages);
        whyNoStages = whyNoStages == null ? "" : whyNoStages;
        whyNotAttributed = whyNotAttributed == null ? "" : whyNotAttributed;
    }

    /**
     * What could not be traced on the cores of a watched thread.
     *
     * @param role of the trial
     * @param index of the role, from 1
     * @param thread its name
     * @param what there is no trace of
     * @param why a clause
     */
    public record NotTraced(String role, int index, String thread, Trace what, String why) {
        /**
         * The same for a reader, whichever thread it is.
         *
         * @return a sentence without its first capital
         */
        public String sentence() {
            return what.words() + " cannot be seen: " + why + ".";
        }
    }

    /** What {@code --explain} traces on the cores of watched threads. */
    public enum Trace {
        /** Which tasks ran there. */
        RAN_INSTEAD("what ran instead"),
        /** Which interrupts were handled there. */
        INTERRUPTS("interrupts"),
        /** Either, on some of the cores. */
        FURTHER_CORES("what happened on further cores");

        private final String words;

        Trace(final String words) {
            this.words = words;
        }

        /**
         * Itself for a reader.
         *
         * @return a subject
         */
        public String words() {
            return words;
        }
    }

    /**
     * Where the messages between two percentiles were; the stages add up to their latencies.
     *
     * @param fromPercentile exclusive
     * @param toPercentile inclusive
     * @param messages in it that the kernel stamped
     * @param unknown messages in it without such times, or with one that cannot be right
     * @param notDeparted of these, without a time at which they left; in a stream a message that
     *     left together with the next has none
     * @param notArrived of these, with that time alone; in a stream a message that was read
     *     together with the next has no time of its arrival
     * @param untilSentNs from the intended time to the call that sent them, summed up
     * @param inSendNs from that call to the network device: system call, protocol, queueing
     *     discipline
     * @param onTheWayNs from the device to the kernel of the receiver; of a round trip the network
     *     twice, and all of the echo
     * @param untilReceivedNs from there until the receiving thread had them
     * @param atEcho parts of the time on the way of round trips
     * @param queued of the time in the send call, that with the queueing discipline of the network
     *     device
     * @param card of the time on the way of round trips, that in the card of the sender and its
     *     driver, out and back: what the card's own stamps leave of it
     */
    public record Stages(
            double fromPercentile,
            double toPercentile,
            long messages,
            long unknown,
            long notDeparted,
            long notArrived,
            long untilSentNs,
            long inSendNs,
            long onTheWayNs,
            long untilReceivedNs,
            AtEcho atEcho,
            Part queued,
            Part card) {
        /** Results of 0.1.0 tell none of the parts. */
        public Stages {
            atEcho = atEcho == null ? AtEcho.UNKNOWN : atEcho;
            queued = queued == null ? Part.UNKNOWN : queued;
            card = card == null ? Part.UNKNOWN : card;
        }
    }

    /**
     * A part of a stage that is not known of all its messages.
     *
     * @param messages of which it is known
     * @param ns of these, summed up
     */
    public record Part(long messages, long ns) {
        /** Of no message. */
        public static final Part UNKNOWN = new Part(0, 0);
    }

    /**
     * Where messages were between the devices of their sender, as far as the echo told; the stages
     * add up to the time on the way of these messages.
     *
     * @param messages of which that is known
     * @param toEchoNs from the sender's network device to the kernel of the echo, summed up
     * @param untilTakenNs from there until the thread of the echo had them
     * @param untilEchoedNs from there to the network device: the echo itself and its send call
     * @param fromEchoNs from there to the kernel of the sender
     */
    public record AtEcho(
            long messages, long toEchoNs, long untilTakenNs, long untilEchoedNs, long fromEchoNs) {
        /** Of no message. */
        public static final AtEcho UNKNOWN = new AtEcho(0, 0, 0, 0, 0);

        /**
         * All of them.
         *
         * @return ns
         */
        public long sumNs() {
            return toEchoNs + untilTakenNs + untilEchoedNs + fromEchoNs;
        }
    }

    /**
     * What ran on a core, or was handled there, while a watched thread was stalled.
     *
     * @param name of the program, or of the interrupt
     * @param ns in all stalls of the row
     */
    public record Ran(String name, long ns) {
        /** In place of a name: all that ran for a shorter time than those that are named. */
        public static final String OTHERS = "others";

        /**
         * Names those that ran longest, and adds up the others.
         *
         * @param nsByName how long each ran; {@link #OTHERS} among them is one of the others
         * @param most that are named
         * @return the longest first, {@link #OTHERS} last
         */
        public static List<Ran> longest(final Map<String, Long> nsByName, final int most) {
            final List<Ran> all =
                    nsByName.entrySet().stream()
                            .filter(each -> !each.getKey().equals(OTHERS))
                            .map(each -> new Ran(each.getKey(), each.getValue()))
                            .sorted(
                                    Comparator.comparingLong(Ran::ns)
                                            .reversed()
                                            .thenComparing(Ran::name))
                            .toList();
            final List<Ran> named = new ArrayList<>(all.subList(0, Math.min(most, all.size())));
            final long othersNs =
                    nsByName.getOrDefault(OTHERS, 0L)
                            + all.stream().skip(most).mapToLong(Ran::ns).sum();
            if (othersNs > 0) {
                named.add(new Ran(OTHERS, othersNs));
            }
            return named;
        }
    }

    /** Owner of what other programs than the roles did on their cores. */
    public static final String MACHINE = "machine";

    /** Owner of what belongs to the engine, its JVM and the test's own threads. */
    public static final String SYSTEM = "system";

    /** Owner of what the measuring itself does. */
    public static final String BENCH = "bench";

    /** Owner of what could not be attributed. */
    public static final String UNKNOWN = "unknown";

    private static final double DISTURBED_PART = 0.1;

    /** How a charge is known that has a record with begin and end. */
    public static final String DATED = "dated";

    /**
     * Whether the machine's part is more than a tenth of the latency above the median in one of the
     * bands.
     *
     * @return true where a percentile says more about the machine than a reader would expect
     */
    public boolean machineDisturbed() {
        return bands.stream().anyMatch(Band::machineDisturbed);
    }

    /**
     * Whether the machine's part is more than a tenth of the latency above the median in the band
     * that ends with a percentile.
     *
     * @param percentile 90, 99, 99.9 or 100
     * @return false also where that band was not examined
     */
    public boolean machineDisturbed(final double percentile) {
        return bands.stream()
                .anyMatch(band -> band.toPercentile() == percentile && band.machineDisturbed());
    }

    /**
     * The messages between two percentiles; charges and rest add up to their latency above the
     * median.
     *
     * @param fromPercentile exclusive
     * @param toPercentile inclusive
     * @param messages in it
     * @param aboveMedianNs sum of their latencies above the median
     * @param charges what stalls account for, the largest first
     * @param restNs the engine, the path through the kernel, or causes that were not observed
     * @param datedNs of the charges, those that have a record with begin and end
     */
    public record Band(
            double fromPercentile,
            double toPercentile,
            long messages,
            long aboveMedianNs,
            List<Charge> charges,
            long restNs,
            long datedNs) {
        /** Copies the list; what is dated follows from it, also in results that do not say. */
        public Band {
            charges = List.copyOf(charges);
            datedNs = dated(charges);
        }

        /**
         * With what is dated, by its charges.
         *
         * @param fromPercentile exclusive
         * @param toPercentile inclusive
         * @param messages in it
         * @param aboveMedianNs sum of their latencies above the median
         * @param charges what stalls account for
         * @param restNs the rest
         */
        public Band(
                final double fromPercentile,
                final double toPercentile,
                final long messages,
                final long aboveMedianNs,
                final List<Charge> charges,
                final long restNs) {
            this(
                    fromPercentile,
                    toPercentile,
                    messages,
                    aboveMedianNs,
                    charges,
                    restNs,
                    dated(charges));
        }

        private static long dated(final List<Charge> charges) {
            return charges.stream()
                    .filter(charge -> charge.evidence().equals(DATED))
                    .mapToLong(Charge::ns)
                    .sum();
        }

        /**
         * Whether more than a tenth of it is the machine's.
         *
         * @return true where the percentile at its end is not the engine's alone
         */
        public boolean machineDisturbed() {
            return ns(MACHINE) > DISTURBED_PART * aboveMedianNs;
        }

        /**
         * What is charged to one owner.
         *
         * @param owner as in {@link Charge#owner()}
         * @return ns
         */
        public long ns(final String owner) {
            return charges.stream()
                    .filter(charge -> charge.owner().equals(owner))
                    .mapToLong(Charge::ns)
                    .sum();
        }
    }

    /**
     * A part of the latency.
     *
     * @param owner {@code machine}, {@code system} (under test), {@code bench} or {@code unknown}
     * @param cause in words
     * @param evidence {@code dated}, {@code apportioned} or {@code inferred}
     * @param backlog whether it is the wait behind messages that a stall had delayed
     * @param ns of all messages
     */
    public record Charge(String owner, String cause, String evidence, boolean backlog, long ns) {}

    /**
     * A thread that noted its stalls.
     *
     * @param role of the trial
     * @param index of the role, from 1
     * @param thread its name
     * @param thresholdNs shortest stall noted
     * @param stalls noted while the row was measured
     * @param stalledNs their sum
     * @param notNoted stalls of the trial that were not kept because the memory was full
     * @param takenPart of the measured time, 0 to 1, for which the machine had taken the core from
     *     it: other tasks, a quota of its control group, interrupts, the hypervisor; only what can
     *     be told from the test's own threads
     * @param takenBy the largest cause of that, in words; empty where nothing was taken
     * @param unattributedPart of the measured time, 0 to 1, for which others had its core that may
     *     have been the test's own
     * @param whyUnattributed why that cannot be told, a clause; empty where there is no such time
     */
    public record WatchedThread(
            String role,
            int index,
            String thread,
            long thresholdNs,
            long stalls,
            long stalledNs,
            long notNoted,
            double takenPart,
            String takenBy,
            double unattributedPart,
            String whyUnattributed) {
        /** Results of 0.1.0 lack the last four. */
        public WatchedThread {
            takenBy = takenBy == null ? "" : takenBy;
            whyUnattributed = whyUnattributed == null ? "" : whyUnattributed;
        }

        /**
         * The part for which the machine may have had its core.
         *
         * @return of the measured time: what it had, and what may have been the test's own
         */
        public double mostTakenPart() {
            return takenPart + unattributedPart;
        }

        /**
         * Whether all time of which it is not known who had the core is that of stalls. Otherwise
         * it is not known either whether anybody had it: stalls were not kept, or none can be read.
         *
         * @return false where notes are missing
         */
        public boolean hasNotedAll() {
            return notNoted == 0 && stalls > 0;
        }
    }

    /**
     * The latency of messages that were due while the machine disturbed nothing, in addition to the
     * measured one and never instead of it.
     *
     * @param leftOutPart omitted part of the examined messages, 0 to 1
     * @param refused why there is no figure; empty where there is one
     * @param latency of the others; absent where refused
     */
    public record Undisturbed(double leftOutPart, String refused, LatencySummary latency) {
        /** Figures that leave out parts further apart are not figures of the same messages. */
        public static final double MOST_APART = 0.05;
    }
}
