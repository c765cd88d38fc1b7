package io.tickmark.cli.run;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.lab.control.RunListener;
import io.tickmark.metrics.MetricsServer;
import io.tickmark.metrics.OtlpPush;
import io.tickmark.metrics.RunMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Metrics of a run for others, where options request them; their code is not loaded otherwise. */
final class LiveOutput implements AutoCloseable {
    /**
     * Referenced, as otherwise its level would be lost: the exporter's log messages are reported as
     * sentences.
     */
    private static final Logger EXPORTER = Logger.getLogger("io.opentelemetry");

    private final List<AutoCloseable> open = new ArrayList<>();
    private RunListener metrics = RunListener.SILENT;

    private LiveOutput() {}

    /**
     * Opens the outputs that the options name.
     *
     * @param options of the command
     * @param terminal receives the address of the metrics, and problems
     * @param plan name of the plan
     * @throws io.tickmark.kernel.settings.UserError if a place or an address cannot be used
     */
    static LiveOutput open(
            final MeasureOptions options, final Terminal terminal, final String plan) {
        final LiveOutput live = new LiveOutput();
        try {
            if (!options.metrics().isEmpty() || !options.otlp().isEmpty()) {
                live.start(options, terminal, plan);
            }
            return live;
        } catch (final RuntimeException e) {
            live.close();
            throw e;
        }
    }

    private void start(final MeasureOptions options, final Terminal terminal, final String plan) {
        final RunMetrics all = new RunMetrics(plan, Installation.version());
        metrics = all;
        if (!options.metrics().isEmpty()) {
            final String token = System.getenv().getOrDefault(MetricsServer.TOKEN_VARIABLE, "");
            final MetricsServer server = new MetricsServer(options.metrics(), token, all);
            open.add(server);
            terminal.err().println("tickmark: metrics at " + server.address());
            if (!server.token().isEmpty()) {
                terminal.err()
                        .println(
                                token.isEmpty()
                                        ? "tickmark: scrape with 'Authorization: Bearer %s' (%s sets another)"
                                                .formatted(
                                                        server.token(),
                                                        MetricsServer.TOKEN_VARIABLE)
                                        : "tickmark: scrape with the token of "
                                                + MetricsServer.TOKEN_VARIABLE);
            }
        }
        if (!options.otlp().isEmpty()) {
            EXPORTER.setLevel(Level.OFF);
            open.add(
                    new OtlpPush(
                            options.otlp(),
                            all,
                            sentence -> terminal.err().println("tickmark: " + sentence)));
        }
    }

    /** The listeners of the run, in addition to the given one. */
    RunListener listener(final RunListener anyway) {
        return metrics == RunListener.SILENT ? anyway : anyway.and(metrics);
    }

    @Override
    public void close() {
        for (final AutoCloseable each : open.reversed()) {
            try {
                each.close();
            } catch (final Exception e) {
                throw new IllegalStateException(e); // none of them throws
            }
        }
    }
}
