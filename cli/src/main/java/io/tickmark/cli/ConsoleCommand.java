package io.tickmark.cli;

import io.tickmark.console.ConsoleServer;
import io.tickmark.console.ConsoleSettings;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code console}: serves the page until it is interrupted. */
final class ConsoleCommand implements Command {
    ConsoleCommand() {}

    private static SettingOptions options() {
        return new SettingOptions().add(SettingDescriptor.of(ConsoleSettings.class), Set.of());
    }

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Serves a page with a price feed, its latency and its limits, live, and one that shows runs as they go on"
                                + " and replays those that did: open the address that it prints in a browser. Ends with"
                                + " Ctrl-C.");
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark console --symbols 1000 --rate 10k --running";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal)
            throws InterruptedException {
        final ConsoleSettings settings =
                Settings.read(
                        ConsoleSettings.class,
                        options().values(arguments),
                        options().naming(arguments));
        final CountDownLatch ended = new CountDownLatch(1);
        final Path results = Path.of(settings.results());
        final ConsoleServer server =
                new ConsoleServer(
                        settings,
                        Installation.version(),
                        new BrowserRuns(results),
                        _ -> {},
                        new WatchedRuns(results));
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    server.close();
                                    ended.countDown();
                                },
                                "console-end"));
        terminal.out().println(server.address());
        if (settings.isExposed()) {
            terminal.out()
                    .println(
                            "Others on the network can reach this console; whoever knows the address above may use it.");
        }
        terminal.out().flush();
        ended.await();
        return 0;
    }
}
