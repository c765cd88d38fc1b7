package io.tickmark.kernel.record;

import io.tickmark.kernel.result.Counts;
import io.tickmark.kernel.result.Percentiles;
import io.tickmark.kernel.settings.IoReason;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** All files that a role's reporter writes; does nothing where no folder is given. Thread-safe. */
final class RecordedFiles {
    private final Recorders recorders;
    private final RecordingOptions options;
    private final WallTime wallTime;
    private final Optional<RoleFolder> folder;
    private Optional<HistogramFile> histograms = Optional.empty();
    private Optional<StatsFile> stats = Optional.empty();
    private Optional<EachLatencyFile> eachLatency = Optional.empty();

    RecordedFiles(final Recorders recorders, final RecordingOptions options) {
        this(recorders, options, options.directory().map(RoleFolder::new));
    }

    private RecordedFiles(
            final Recorders recorders,
            final RecordingOptions options,
            final Optional<RoleFolder> folder) {
        this.recorders = recorders;
        this.options = options;
        this.wallTime = new WallTime(options.clock(), options.wallClock());
        this.folder = folder;
    }

    /** Does everything except writing files. */
    static RecordedFiles discarding(final Recorders recorders, final RecordingOptions options) {
        return new RecordedFiles(recorders, options, Optional.of(new RoleFolder()));
    }

    /** Writes every interval that is pending. */
    synchronized void write(final ResourceSample resources) {
        for (Optional<Recorders.RecordedInterval> next = recorders.takePending();
                next.isPresent();
                next = recorders.takePending()) {
            final Recorders.RecordedInterval interval = next.get();
            folder.ifPresent(present -> write(present, interval, resources));
            recorders.recycle(interval);
        }
        histograms.ifPresent(HistogramFile::flush);
        drainLogs();
    }

    private void write(
            final RoleFolder present,
            final Recorders.RecordedInterval interval,
            final ResourceSample resources) {
        if (present.hasFailed()) {
            return;
        }
        open(present, interval.startNs());
        stats.get().write(interval, resources);
        histograms.get().write(interval);
    }

    private void open(final RoleFolder present, final long nowNs) {
        if (stats.isEmpty()) {
            stats = Optional.of(new StatsFile(present, wallTime, options.repeat()));
            histograms = Optional.of(new HistogramFile(present, wallTime, options.repeat(), nowNs));
        }
    }

    /** Drains the logs of each latency to their file. */
    synchronized void drainLogs() {
        final List<LatencyLog> logs = recorders.logs();
        if (logs.isEmpty() || folder.isEmpty()) {
            return;
        }
        if (eachLatency.isEmpty()) {
            eachLatency = Optional.of(new EachLatencyFile(folder.get(), options.repeat()));
        }
        logs.forEach(eachLatency.get()::drain);
        eachLatency.get().flush();
    }

    synchronized List<String> warnings() {
        final List<String> warnings = new ArrayList<>();
        folder.flatMap(RoleFolder::failure).ifPresent(warnings::add);
        final long lost =
                recorders.logs().stream().mapToLong(LatencyLog::notLogged).sum()
                        + eachLatency.map(EachLatencyFile::notWritten).orElse(0L);
        if (lost > 0) {
            warnings.add(
                    "%s lacks %d latencies, which arrived faster than they could be written (%s); the histograms have them all."
                            .formatted(RoleFiles.EACH_LATENCY, lost, Counts.NOT_LOGGED));
        }
        return warnings;
    }

    /** A role without a step still writes both files: a missing file means that it was lost. */
    synchronized void close() {
        folder.ifPresent(present -> open(present, options.clock().nanoTime()));
        histograms.ifPresent(HistogramFile::close);
        stats.ifPresent(StatsFile::close);
        eachLatency.ifPresent(EachLatencyFile::close);
    }

    /** Three digits after the decimal point. */
    private static void decimal(final double value, final StringBuilder text) {
        final long thousandths = Math.round(Math.abs(value) * 1000);
        text.append(value < 0 && thousandths > 0 ? "-" : "").append(thousandths / 1000);
        final long rest = thousandths % 1000;
        text.append(rest < 10 ? ".00" : rest < 100 ? ".0" : ".").append(rest);
    }

    /** Writes {@link RoleFiles#STATS}, one row for each interval; one thread at a time. */
    private static final class StatsFile {
        private static final int P50 = 50;
        private static final int P99 = 99;
        private static final String QUOTED = "\",\r\n";

        private final RoleFolder.File file;
        private final WallTime wallTime;
        private final int repeat;
        private final StringBuilder row = new StringBuilder();
        private List<Set<String>> named = List.of();
        private String header = "";

        StatsFile(final RoleFolder folder, final WallTime wallTime, final int repeat) {
            this.file = folder.open(RoleFiles.STATS);
            this.wallTime = wallTime;
            this.repeat = repeat;
        }

        void write(final Recorders.RecordedInterval interval, final ResourceSample resources) {
            final List<Set<String>> names =
                    List.of(
                            interval.totals().keySet(),
                            interval.gauges().keySet(),
                            interval.latencies().keySet());
            if (!names.equals(named)) {
                named = names;
                header = String.join(",", columns(names.get(0), names.get(1), names.get(2)));
                line(header);
            }
            row.setLength(0);
            cells(interval, resources);
            line(row.toString());
        }

        private void line(final String text) {
            final byte[] bytes = (text + '\n').getBytes(StandardCharsets.UTF_8);
            file.write(bytes, 0, bytes.length);
        }

        private static List<String> columns(
                final Set<String> counters, final Set<String> gauges, final Set<String> latencies) {
            final List<String> columns =
                    new ArrayList<>(List.of("time", "repeat", "step", "label", "seconds"));
            for (final String counter : counters) {
                columns.add(cell(counter));
                columns.add(cell(counter + "PerSecond"));
            }
            gauges.forEach(gauge -> columns.add(cell(gauge)));
            for (final String latency : latencies) {
                for (final String figure : List.of("count", "p50", "p99", "max")) {
                    columns.add(cell(latency + "." + figure));
                }
            }
            columns.add("cpuPercent");
            columns.add("residentBytes");
            return columns;
        }

        /**
         * Formatted by hand: a formatter takes longer than everything else here, and where all
         * cores are busy, the time that a reporter takes once a second shows up in the tail of the
         * figures that it reports.
         */
        private void cells(
                final Recorders.RecordedInterval interval, final ResourceSample resources) {
            row.append(wallTime.iso(interval.endNs())).append(',').append(repeat);
            row.append(',').append(interval.step()).append(',').append(cell(interval.label()));
            row.append(',');
            decimal((interval.endNs() - interval.startNs()) / 1e9, row);
            interval.totals()
                    .forEach((name, total) -> {
                        row.append(',').append(total.longValue()).append(',');
                        decimal(interval.rate(name), row);
                    });
            interval.gauges().values().forEach(value -> row.append(',').append(value.longValue()));
            for (final Histogram histogram : interval.latencies().values()) {
                row.append(',').append(histogram.getTotalCount()).append(',');
                appendIfPresent(Percentiles.of(histogram, P50));
                row.append(',');
                appendIfPresent(Percentiles.of(histogram, P99));
                row.append(',');
                if (histogram.getTotalCount() > 0) {
                    row.append(histogram.getMaxValue());
                }
            }
            row.append(',');
            if (!Double.isNaN(resources.cpuPercent())) {
                decimal(resources.cpuPercent(), row);
            }
            row.append(',');
            if (resources.residentBytes() >= 0) {
                row.append(resources.residentBytes());
            }
        }

        private void appendIfPresent(final OptionalLong ns) {
            if (ns.isPresent()) {
                row.append(ns.getAsLong());
            }
        }

        /** Quoted where RFC 4180 requires it. */
        private static String cell(final String text) {
            for (int i = 0; i < text.length(); i++) {
                if (QUOTED.indexOf(text.charAt(i)) >= 0) {
                    return '"' + text.replace("\"", "\"\"") + '"';
                }
            }
            return text;
        }

        void close() {
            if (header.isEmpty() && file.isFresh()) {
                line(String.join(",", columns(Set.of(), Set.of(), Set.of())));
            }
            file.close();
        }
    }

    /**
     * Writes {@link RoleFiles#EACH_LATENCY}; one thread at a time. Allocates nothing, because it
     * may write many lines while the role measures.
     */
    private static final class EachLatencyFile {
        private static final int BUFFER_BYTES = 1 << 16;
        private static final int LONGEST_LINE = 256;

        private final RoleFolder folder;
        private final RoleFolder.File file;
        private final int repeat;
        private final byte[] bytes = new byte[BUFFER_BYTES];
        private final UnsafeBuffer lines = new UnsafeBuffer(bytes);
        private int used;
        private long notWritten;

        EachLatencyFile(final RoleFolder folder, final int repeat) {
            this.folder = folder;
            this.file = folder.open(RoleFiles.EACH_LATENCY);
            this.repeat = repeat;
            if (file.isFresh()) {
                putText("repeat,step,kind,sentNs,receivedNs,latencyNs,source,sequence\n");
            }
        }

        void drain(final LatencyLog log) {
            final byte[] kind = log.kind().getBytes(StandardCharsets.US_ASCII);
            // a read stops at the end of the ring's memory, so two reads are needed to see all of
            // it; not more, because the
            // hot side may be filling it as fast as it is emptied
            for (int half = 0; half < 2; half++) {
                log.drain((type, buffer, index, length) -> write(kind, type, buffer, index));
            }
        }

        private void write(
                final byte[] kind,
                final int messageType,
                final DirectBuffer buffer,
                final int index) {
            final int step = LatencyLog.stepOf(messageType);
            if (step == LatencyLog.NO_STEP) {
                return;
            }
            if (folder.hasFailed()) {
                notWritten++;
                return;
            }
            if (used > BUFFER_BYTES - LONGEST_LINE) {
                flush();
            }
            putNumber(repeat, ',');
            putNumber(step, ',');
            lines.putBytes(used, kind);
            used += kind.length;
            lines.putByte(used++, (byte) ',');
            putNumber(buffer.getLong(index + LatencyLog.SENT_OFFSET), ',');
            putNumber(buffer.getLong(index + LatencyLog.RECEIVED_OFFSET), ',');
            putNumber(buffer.getLong(index + LatencyLog.LATENCY_OFFSET), ',');
            putNumber(buffer.getInt(index + LatencyLog.SOURCE_OFFSET), ',');
            putNumber(
                    Integer.toUnsignedLong(buffer.getInt(index + LatencyLog.SEQUENCE_OFFSET)),
                    '\n');
        }

        private void putNumber(final long number, final char end) {
            used += lines.putLongAscii(used, number);
            lines.putByte(used++, (byte) end);
        }

        private void putText(final String text) {
            used += lines.putStringWithoutLengthAscii(used, text);
        }

        void flush() {
            file.write(bytes, 0, used);
            used = 0;
        }

        /** Latencies recorded after the disk had failed. */
        long notWritten() {
            return notWritten;
        }

        void close() {
            flush();
            file.close();
        }
    }

    /** Writes {@link RoleFiles#HISTOGRAMS}; one thread at a time. */
    private static final class HistogramFile {
        private static final double NS_PER_MS = 1e6;

        private final PrintStream out;
        private final HistogramLogWriter writer;
        private final WallTime wallTime;
        private final int repeat;
        private final StringBuilder line = new StringBuilder();
        private ByteBuffer encoded = ByteBuffer.allocate(0);

        HistogramFile(
                final RoleFolder folder,
                final WallTime wallTime,
                final int repeat,
                final long nowNs) {
            final RoleFolder.File file = folder.open(RoleFiles.HISTOGRAMS);
            this.out =
                    new PrintStream(new BufferedOutputStream(file), false, StandardCharsets.UTF_8);
            this.writer = new HistogramLogWriter(out);
            this.wallTime = wallTime;
            this.repeat = repeat;
            if (file.isFresh()) {
                writer.outputLogFormatVersion();
                writer.outputComment("Latencies in ns; the column Interval_Max is in ms.");
                writer.outputStartTime(Math.floorDiv(wallTime.epochNs(nowNs), 1_000_000L));
                writer.outputLegend();
            }
        }

        void write(final Recorders.RecordedInterval interval) {
            interval.latencies()
                    .forEach((name, histogram) -> {
                        if (histogram.getTotalCount() > 0) {
                            write(interval, name, histogram);
                        }
                    });
        }

        /** A line of the library's format, whose writer formats for as long as it encodes. */
        private void write(
                final Recorders.RecordedInterval interval,
                final String name,
                final Histogram histogram) {
            if (encoded.capacity() < histogram.getNeededByteBufferCapacity()) {
                encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            }
            encoded.clear();
            final int length =
                    histogram.encodeIntoCompressedByteBuffer(encoded, Deflater.BEST_SPEED);
            line.setLength(0);
            line.append("Tag=").append(new HistogramTag(name, repeat, interval.step())).append(',');
            decimal(wallTime.epochSeconds(interval.startNs()), line);
            line.append(',');
            decimal((interval.endNs() - interval.startNs()) / 1e9, line);
            line.append(',');
            decimal(histogram.getMaxValue() / NS_PER_MS, line);
            line.append(',');
            out.append(line);
            final byte[] text = Base64.getEncoder().encode(Arrays.copyOf(encoded.array(), length));
            out.write(text, 0, text.length);
            out.append('\n');
        }

        void flush() {
            out.flush();
        }

        void close() {
            writer.close();
        }
    }

    /**
     * The folder of a role. Its files never fail: at the first error (a full disk) the sentence is
     * kept and nothing more is written, because a measurement must continue. One thread at a time.
     */
    private static final class RoleFolder {
        private final Path directory;
        private volatile String failure = "";

        /** Everything written into its files is discarded. */
        RoleFolder() {
            directory = null;
        }

        RoleFolder(final Path directory) {
            if (!Files.isDirectory(directory)) {
                throw UserError.environment(
                        "The folder "
                                + directory
                                + " does not exist; make it or name another one.");
            }
            this.directory = directory;
        }

        /** A file to append to; unbuffered, never throws. */
        File open(final String name) {
            if (directory == null) {
                return new File(Path.of(name), OutputStream.nullOutputStream(), true);
            }
            final Path path = directory.resolve(name);
            try {
                final boolean isFresh = !Files.exists(path) || Files.size(path) == 0;
                final boolean isTorn = !isFresh && !endsWithLine(path);
                final OutputStream out =
                        Files.newOutputStream(
                                path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                final File file = new File(path, out, isFresh);
                if (isTorn) {
                    file.write('\n'); // left by a process that was killed while it wrote
                }
                return file;
            } catch (final IOException e) {
                fail(path, e);
                return new File(path, OutputStream.nullOutputStream(), true);
            }
        }

        private static boolean endsWithLine(final Path path) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
                file.seek(Math.max(0, file.length() - 1));
                return file.read() == '\n';
            }
        }

        private void fail(final Path path, final IOException e) {
            if (failure.isEmpty()) {
                failure =
                        ("%s could not be written (%s); the role's files are incomplete, but the figures of the result are"
                                        + " complete.")
                                .formatted(path, IoReason.of(e));
            }
        }

        boolean hasFailed() {
            return !failure.isEmpty();
        }

        /** The first error as a sentence. */
        Optional<String> failure() {
            return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
        }

        /** A file of this folder. */
        final class File extends OutputStream {
            private final Path path;
            private final OutputStream out;
            private final boolean isFresh;

            private File(final Path path, final OutputStream out, final boolean isFresh) {
                this.path = path;
                this.out = out;
                this.isFresh = isFresh;
            }

            /** Whether it was empty when it was opened and needs a header. */
            boolean isFresh() {
                return isFresh;
            }

            @Override
            public void write(final int oneByte) {
                write(new byte[] {(byte) oneByte}, 0, 1);
            }

            @Override
            public void write(final byte[] bytes, final int offset, final int length) {
                if (hasFailed()) {
                    return;
                }
                try {
                    out.write(bytes, offset, length);
                } catch (final IOException e) {
                    fail(path, e);
                }
            }

            @Override
            public void close() {
                try {
                    out.close();
                } catch (final IOException e) {
                    fail(path, e);
                }
            }
        }
    }

    /**
     * Dates of times on the measuring clock. The wall clock is read once, so that a step of it does
     * not shift intervals.
     */
    private static final class WallTime {
        private static final DateTimeFormatter ISO =
                new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

        private final long epochMinusClockNs;

        WallTime(final NanoClock clock, final EpochNanoClock wallClock) {
            this.epochMinusClockNs = wallClock.nanoTime() - clock.nanoTime();
        }

        long epochNs(final long clockNs) {
            return epochMinusClockNs + clockNs;
        }

        double epochSeconds(final long clockNs) {
            return epochNs(clockNs) / 1e9;
        }

        /** ISO-8601 in UTC with milliseconds. */
        String iso(final long clockNs) {
            final Instant instant =
                    Instant.ofEpochMilli(Math.floorDiv(epochNs(clockNs), 1_000_000L));
            return ISO.format(instant);
        }
    }

    /** The values of a {@link ResourceSource} at one moment. */
    record ResourceSample(double cpuPercent, long residentBytes) {
        static ResourceSample of(final ResourceSource source) {
            return new ResourceSample(source.cpuPercent(), source.residentBytes());
        }
    }
}
