package io.tickmark.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Serves metrics in the text format of Prometheus, on its own threads. */
public final class MetricsServer implements AutoCloseable {
    private static final Pattern PLACE = Pattern.compile("(?:(.+):)?([0-9]{1,5})");
    private static final String LOOPBACK = "127.0.0.1";
    private static final int LAST_PORT = 65_535;

    private final HTTPServer server;
    private final String host;

    /**
     * Starts.
     *
     * @param place port, or host and port with a colon between; port 0 for any
     * @param metrics to serve
     * @throws UserError if it is no such place, or the port cannot be had
     */
    public MetricsServer(final String place, final MultiCollector metrics) {
        final Matcher parts = PLACE.matcher(place);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > LAST_PORT) {
            throw UserError.usage(
                    "--metrics is \"%s\"; write a port from 0 to 65535 (0: any), or HOST:PORT."
                            .formatted(place));
        }
        host = parts.group(1) == null ? LOOPBACK : parts.group(1);
        final PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(metrics);
        try {
            server =
                    HTTPServer.builder()
                            .inetAddress(InetAddress.getByName(host))
                            .port(Integer.parseInt(parts.group(2)))
                            .registry(registry)
                            .buildAndStart();
        } catch (final UnknownHostException e) {
            throw UserError.usage(
                    "--metrics %s: '%s' is not an address of this machine; leave the host out for loopback."
                            .formatted(place, host));
        } catch (final IOException e) {
            throw UserError.environment(
                    "--metrics %s: %s:%s cannot be bound (%s); name another port, or 0 for any."
                            .formatted(place, host, parts.group(2), e.getMessage()),
                    e);
        }
    }

    /**
     * Where the metrics are.
     *
     * @return the address to scrape
     */
    public String address() {
        return "http://" + host + ":" + server.getPort() + "/metrics";
    }

    @Override
    public void close() {
        server.stop();
    }
}
