package io.tickmark.workloads.fix.gateway;

import io.tickmark.workloads.fix.trial.Trial;
import java.util.Map;

/**
 * A gateway in a separate process with limited file handles. Prints the port for consumers, {@code
 * short} once a connection could not be accepted, and at a line's end of its input the warnings of
 * its result.
 */
final class FewHandlesGateway {
    private FewHandlesGateway() {}

    public static void main(final String[] arguments) throws Exception {
        try (Trial trial =
                new Trial(Map.of())
                        .gateway(Map.of("exitAtEnd", false, "mostWaiting", 1000))
                        .start()) {
            System.out.println(trial.port("fixConsumers"));
            final GatewayEngine engine = ((Gateway) trial.role("gateway")).engine();
            while (engine.counts().get("acceptFailures") == 0) {
                Thread.sleep(10);
            }
            System.out.println("short");
            System.in.read();
            trial.stop("gateway");
            trial.result("gateway").warnings().forEach(System.out::println);
        }
    }
}
