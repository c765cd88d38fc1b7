package io.tickmark.cli.command;

import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.cli.run.Interruption;
import io.tickmark.kernel.settings.Durations;
import io.tickmark.kernel.settings.Setting;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.wire.capture.CaptureCounts;
import io.tickmark.wire.capture.CaptureFacts;
import io.tickmark.wire.capture.Tcpdump;
import io.tickmark.wire.capture.TcpdumpOptions;
import io.tickmark.wire.match.EpochOffset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code capture}: takes a capture with tcpdump, until a time is over or Ctrl-C. */
final class CaptureCommand implements Command {
    /** Exit code of a capture that lacks packets. */
    private static final int INCOMPLETE = 1;

    private static final long LOOK_MS = 100;

    /**
     * Options in addition to tcpdump's.
     *
     * @param duration of the capture
     */
    record Length(
            @Setting(
                            help = "How long to capture; 0 until Ctrl-C.",
                            byDefault = "0",
                            min = 0,
                            max = 604_800e9)
                    Duration duration) {}

    CaptureCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Captures whole packets with tcpdump, times in nanoseconds. Beside FILE it writes FILE.facts, which"
                                + " tells 'tickmark wire' what was lost and how the clocks relate.");
        spec.addPositional(
                PositionalParamSpec.builder()
                        .paramLabel("FILE")
                        .index("0")
                        .arity("1")
                        .required(true)
                        .type(Path.class)
                        .description("Capture file to write; replaced if it exists.")
                        .build());
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark capture tcpdump.pcap --device lo --filter 'tcp portrange 3000-3001' --duration 10s";
    }

    private static SettingOptions options() {
        return new SettingOptions()
                .add(SettingDescriptor.of(TcpdumpOptions.class), Set.of())
                .add(SettingDescriptor.of(Length.class), Set.of());
    }

    private static <S extends Record> S read(final Class<S> type, final ParseResult arguments) {
        final SettingOptions own = new SettingOptions().add(SettingDescriptor.of(type), Set.of());
        return Settings.read(type, own.values(arguments), own.naming(arguments));
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) throws Exception {
        final Path file = arguments.matchedPositionalValue(0, (Path) null);
        final TcpdumpOptions options = read(TcpdumpOptions.class, arguments);
        final Duration duration = read(Length.class, arguments).duration();
        final CountDownLatch stopped = new CountDownLatch(1);
        final long beginNs = offsetNs();
        try (Tcpdump tcpdump = Tcpdump.start(options, file);
                Interruption _ =
                        new Interruption(stopped::countDown, terminal.err(), duration.isZero())) {
            terminal.err()
                    .println(
                            "Capturing on %s into %s%s."
                                    .formatted(
                                            options.device(),
                                            file,
                                            duration.isZero()
                                                    ? ", Ctrl-C ends it"
                                                    : " for " + Durations.format(duration)));
            await(stopped, duration, tcpdump);
            final CaptureCounts counts = tcpdump.stop();
            new CaptureFacts(counts, Optional.of(new EpochOffset(beginNs, offsetNs()))).write(file);
            if (!tcpdump.ownEnd().isEmpty() && stopped.getCount() > 0) {
                terminal.err()
                        .println(
                                "tcpdump exited on its own (%s); what came later is not in %s."
                                        .formatted(tcpdump.ownEnd(), file));
                print(counts, terminal);
                return INCOMPLETE;
            }
            return print(counts, terminal);
        }
    }

    private static long offsetNs() {
        return EpochOffset.measure(SystemNanoClock.INSTANCE, SystemEpochNanoClock.INSTANCE);
    }

    /** Until the signal, the time, or the end of tcpdump. */
    private static void await(
            final CountDownLatch stopped, final Duration duration, final Tcpdump tcpdump)
            throws InterruptedException {
        final long beginNs = SystemNanoClock.INSTANCE.nanoTime();
        while (tcpdump.isRunning()
                && !stopped.await(LOOK_MS, TimeUnit.MILLISECONDS)
                && (duration.isZero()
                        || SystemNanoClock.INSTANCE.nanoTime() - beginNs < duration.toNanos())) {
            Thread.onSpinWait();
        }
    }

    /** Values that tcpdump did not report (-1) are omitted. */
    private static void print(final long count, final String what, final Terminal terminal) {
        if (count >= 0) {
            terminal.out().println(count + " " + what);
        }
    }

    private static int print(final CaptureCounts counts, final Terminal terminal) {
        print(counts.captured(), "packets captured", terminal);
        print(
                counts.received(),
                "packets received by filter (each twice on the loopback device)",
                terminal);
        print(counts.dropped(), "packets dropped", terminal);
        if (counts.dropped() > 0) {
            terminal.out()
                    .println(
                            "The capture is incomplete: give it a larger buffer (--buffer-mib), or reduce the load on the"
                                    + " machine.");
        }
        terminal.out().flush();
        return counts.dropped() > 0 ? INCOMPLETE : 0;
    }
}
