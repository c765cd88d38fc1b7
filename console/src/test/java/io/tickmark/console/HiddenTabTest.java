package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.workloads.feed.tick.Instruments;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A tab that is really hidden, in a Chromium that this test starts: test drivers switch the
 * throttling of hidden tabs off.
 */
class HiddenTabTest {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final long WAIT_S = 120;
    private static final int SYMBOLS = 1000;
    private static final int RATE = 5000;
    private static final int HIDDEN_S = 4;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir Path profile;

    private RunningConsole console;
    private HttpClient http;
    private Process browser;
    private WebSocket socket;
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private int lastId;

    @BeforeEach
    void start() throws Exception {
        if (System.getenv("CI") != null) {
            assertThat(CHROMIUM).as("the package chromium").exists();
        }
        assumeTrue(
                Files.exists(CHROMIUM),
                "the package chromium is not installed: nothing to test in");
        console = new RunningConsole(Map.of("symbols", SYMBOLS, "rate", RATE, "running", true));
        http = HttpClient.newHttpClient();
        final ProcessBuilder builder =
                new ProcessBuilder(
                                CHROMIUM.toString(),
                                "--headless=new",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + profile,
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "about:blank")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TMPDIR", profile.toString()); // it is killed, and leaves them
        browser = builder.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (browser != null) {
            final List<ProcessHandle> children = browser.descendants().toList();
            browser.destroyForcibly().waitFor();
            children.forEach(ProcessHandle::destroyForcibly);
            for (final ProcessHandle child : children) {
                child.onExit().get(WAIT_S, TimeUnit.SECONDS);
            }
        }
        if (http != null) {
            http.shutdownNow();
        }
        if (console != null) {
            console.close();
        }
    }

    private interface Asking<T> {
        T ask() throws Exception;
    }

    private static <T> T await(final Asking<T> asking) throws Exception {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        T answer = asking.ask();
        while (answer == null && System.nanoTime() < endNs) {
            Thread.sleep(50);
            answer = asking.ask();
        }
        assertThat(answer).isNotNull();
        return answer;
    }

    private JsonNode devtools(final String method, final String path) throws Exception {
        final Path port = profile.resolve("DevToolsActivePort");
        final String number =
                await(() ->
                        Files.exists(port) && !Files.readString(port).isEmpty()
                                ? Files.readAllLines(port).getFirst()
                                : null);
        final String body =
                http.send(
                                HttpRequest.newBuilder(
                                                URI.create("http://127.0.0.1:" + number + path))
                                        .method(method, HttpRequest.BodyPublishers.noBody())
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
        return body.startsWith("{") || body.startsWith("[") ? JSON.readTree(body) : null;
    }

    private JsonNode page() throws Exception {
        return await(() -> {
            for (final JsonNode target : devtools("GET", "/json/list")) {
                if (target.path("type").asString("").equals("page")) {
                    return target;
                }
            }
            return null;
        });
    }

    private void attach(final JsonNode page) throws Exception {
        socket =
                http.newWebSocketBuilder()
                        .buildAsync(
                                URI.create(page.path("webSocketDebuggerUrl").asString()),
                                new WebSocket.Listener() {
                                    private final StringBuilder text = new StringBuilder();

                                    @Override
                                    public CompletionStage<?> onText(
                                            final WebSocket from,
                                            final CharSequence data,
                                            final boolean last) {
                                        text.append(data);
                                        if (last) {
                                            answers.add(text.toString());
                                            text.setLength(0);
                                        }
                                        from.request(1);
                                        return null;
                                    }
                                })
                        .get(WAIT_S, TimeUnit.SECONDS);
    }

    private JsonNode call(final String method, final Map<String, ?> parameters) throws Exception {
        final int id = ++lastId;
        socket.sendText(
                        JSON.writeValueAsString(
                                Map.of("id", id, "method", method, "params", parameters)),
                        true)
                .get(WAIT_S, TimeUnit.SECONDS);
        return await(() -> {
            final String answer = answers.poll(1, TimeUnit.SECONDS);
            final JsonNode json = answer == null ? null : JSON.readTree(answer);
            return json != null && json.path("id").asInt(0) == id ? json.path("result") : null;
        });
    }

    private JsonNode evaluate(final String script) throws Exception {
        final JsonNode answer =
                call("Runtime.evaluate", Map.of("expression", script, "returnByValue", true));
        assertThat(answer.path("exceptionDetails").isMissingNode()).as(answer.toString()).isTrue();
        return answer.path("result").path("value");
    }

    private static String figure(final String name) {
        return "document.querySelector('#figure-" + name + "').textContent";
    }

    /**
     * Keeps the table of last values that worker and page share, counts pictures, and notes what
     * the first picture after the tab was hidden shows: the page asked for that picture before this
     * does, so it is drawn when this looks.
     */
    private static final String WATCH =
            """
            const SEQUENCE = 0, VOLUME = 5, COLUMNS = 9;
            const column = (at) => Array.from(
              { length: globalThis.prices.length / COLUMNS }, (_, i) => globalThis.prices[i * COLUMNS + at] >>> 0);
            globalThis.pictures = 0;
            globalThis.position = () => column(SEQUENCE).reduce((sum, each) => sum + each, 0);
            globalThis.Worker = class extends Worker {
              constructor(...words) {
                super(...words);
                this.addEventListener('message', ({ data }) => {
                  if (data.type === 'table') {
                    globalThis.prices = new Int32Array(data.table);
                  }
                });
              }
            };
            const look = (volumes) => {
              const rows = [...document.querySelectorAll('.grid-body [role=row]')];
              globalThis.first = {
                position: position(),
                rows: rows.length,
                stale: rows.filter((row) => Number(row.querySelector('.col-volume').textContent.replace(/\\D/g, ''))
                  < volumes[NAMES.indexOf(row.querySelector('.col-symbol').textContent)]).length,
              };
            };
            document.addEventListener('visibilitychange', () => {
              if (document.visibilityState === 'visible') {
                const volumes = column(VOLUME);
                requestAnimationFrame(() => look(volumes));
              }
            });
            (function see() { globalThis.pictures++; requestAnimationFrame(see); })();
            """;

    /**
     * Compares places in the stream, not times: whatever delays the picture gives the page more
     * time for what had been made before. A queue of more than a second would show.
     */
    @Test
    void shouldBuildNoQueueWhileItIsHiddenAndShowWhatIsNewInItsFirstPicture() throws Exception {
        final JsonNode page = page();
        attach(page);
        final String names = JSON.writeValueAsString(Instruments.names(SYMBOLS));
        call("Page.enable", Map.of());
        call(
                "Page.addScriptToEvaluateOnNewDocument",
                Map.of("source", "const NAMES = " + names + ";\n" + WATCH));
        call("Page.navigate", Map.of("url", console.address() + "#rate=" + RATE));
        await(() ->
                evaluate(
                                        "document.querySelector('#figure-p50')?.textContent.includes('ms') ?? false")
                                .asBoolean()
                        ? true
                        : null);

        devtools("PUT", "/json/new?about:blank");
        await(() -> evaluate("document.visibilityState").asString().equals("hidden") ? true : null);
        final int picturesBefore = evaluate("pictures").asInt();
        final long pushedBefore = state().path("pushed").asLong();
        final long positionBefore = evaluate("position()").asLong();
        await(() -> state().path("pushed").asLong() - pushedBefore > HIDDEN_S * RATE ? true : null);
        assertThat(evaluate("pictures").asInt() - picturesBefore)
                .as("pictures while hidden")
                .isLessThan(5);
        await(() ->
                evaluate("position()").asLong() - positionBefore > HIDDEN_S * RATE ? true : null);
        final int waiting =
                await(() -> {
                    final String digits =
                            evaluate(figure("queue")).asString().replaceAll("\\D", "");
                    return digits.isEmpty() ? null : Integer.valueOf(digits);
                });
        assertThat(waiting).as("messages that wait at the server").isLessThanOrEqualTo(SYMBOLS);

        final long made = state().path("feed").path("sent").asLong();
        devtools("GET", "/json/activate/" + page.path("id").asString());
        await(() -> evaluate("globalThis.first !== undefined").asBoolean() ? true : null);

        assertThat(evaluate("first.position").asLong())
                .as("made until it was shown again, and there with its first picture")
                .isGreaterThan(made - RATE);
        assertThat(evaluate("first.rows").asInt()).isPositive();
        assertThat(evaluate("first.stale").asInt())
                .as("rows older than what was there when it was shown again")
                .isZero();
    }

    private JsonNode state() throws Exception {
        return JSON.readTree(
                http.send(
                                console.request("/api/state").build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body());
    }
}
