package io.tickmark.workloads.market;

import io.tickmark.kernel.host.HostId;
import io.tickmark.workloads.market.provider.MarketProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A provider in a process that says its clock is of another host. Prints its address, then, once
 * its input ends, its warnings and the latencies that it measured.
 */
public final class ProviderElsewhere {
    private ProviderElsewhere() {}

    /** Starts it, on this library. Its standard error is the test's. */
    public static Process start(final String api) throws IOException {
        final List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.matches("--(add|enable|sun)-.*")) // what our libraries need
                .forEach(command::add);
        command.addAll(
                List.of(
                        "-D%s=%016x".formatted(HostId.PROPERTY, HostId.VALUE ^ 1),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ProviderElsewhere.class.getName(),
                        api));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    public static void main(final String[] arguments) throws Exception {
        try (RunningRoles roles = new RunningRoles()) {
            final RunningRoles.StartedRole provider =
                    roles.start(
                            new MarketProvider.Factory(),
                            Map.of(
                                    "api",
                                    arguments[0],
                                    "port",
                                    0,
                                    "updateRate",
                                    1000,
                                    "latencyUpdateRate",
                                    "all",
                                    "genericMsgRate",
                                    1000,
                                    "genericMsgLatencyRate",
                                    "all"));
            System.out.println(roles.endpoint(MarketEndpoints.PROVIDER));
            while (System.in.read() >= 0) {
                // the test still runs
            }
            provider.context().stop();
            System.out.println(provider.result().warnings());
            System.out.println(
                    provider.result().steps().stream()
                            .flatMap(step -> step.latencies().keySet().stream())
                            .toList());
        }
        System.exit(0);
    }
}
