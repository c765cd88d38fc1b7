package io.tickmark.console;

import io.tickmark.kernel.settings.Settings;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A console on its own port. */
final class RunningConsole implements AutoCloseable {
    /** Where a test gives no other. */
    static final String TOKEN = "a-token-of-a-test-01";

    private final List<BrowserRow> saved = new CopyOnWriteArrayList<>();
    private final List<BrowserRow> measured = new CopyOnWriteArrayList<>();
    private final List<String> brokenOff = new CopyOnWriteArrayList<>();
    private final ConsoleServer server;

    RunningConsole(final Map<String, ?> settings) {
        final Map<String, Object> values = new HashMap<>(settings);
        values.putIfAbsent("port", 0);
        values.putIfAbsent("token", TOKEN);
        server =
                new ConsoleServer(
                        Settings.read(ConsoleSettings.class, values, key -> key),
                        "test",
                        rows -> {
                            saved.addAll(rows);
                            return "results/test";
                        },
                        new RowListener() {
                            @Override
                            public void measured(final BrowserRow row) {
                                measured.add(row);
                            }

                            @Override
                            public void brokenOff(final String reason) {
                                brokenOff.add(reason);
                            }
                        },
                        new SampleRuns());
    }

    String address() {
        return server.address();
    }

    URI at(final String path) {
        return URI.create(server.address().replaceAll("/\\?.*", "")).resolve(path);
    }

    /** A request that says the token. */
    HttpRequest.Builder request(final String path) {
        return HttpRequest.newBuilder(at(path)).header("Authorization", "Bearer " + TOKEN);
    }

    List<BrowserRow> saved() {
        return saved;
    }

    List<BrowserRow> measured() {
        return measured;
    }

    List<String> brokenOff() {
        return brokenOff;
    }

    @Override
    public void close() {
        server.close();
    }
}
