package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
    private static final long WAIT_S = 60;
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
        console = new RunningConsole(Map.of("symbols", 1000, "rate", 5000, "running", true));
        http = HttpClient.newHttpClient();
        browser =
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
                                console.address() + "/#rate=5000")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
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
                if (target.path("url").asString("").startsWith(console.address())) {
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

    private JsonNode evaluate(final String script) throws Exception {
        final int id = ++lastId;
        socket.sendText(
                        JSON.writeValueAsString(
                                Map.of(
                                        "id",
                                        id,
                                        "method",
                                        "Runtime.evaluate",
                                        "params",
                                        Map.of("expression", script, "returnByValue", true))),
                        true)
                .get(WAIT_S, TimeUnit.SECONDS);
        return await(() -> {
            final String answer = answers.poll(1, TimeUnit.SECONDS);
            final JsonNode json = answer == null ? null : JSON.readTree(answer);
            return json != null && json.path("id").asInt(0) == id
                    ? json.path("result").path("result").path("value")
                    : null;
        });
    }

    private static String figure(final String name) {
        return "document.querySelector('#figure-" + name + "').textContent";
    }

    @Test
    void shouldBuildNoQueueWhileItIsHiddenAndBeBackWithinASecond() throws Exception {
        final JsonNode page = page();
        attach(page);
        await(() ->
                evaluate(
                                        "document.querySelector('#figure-p50')?.textContent.includes('ms') ?? false")
                                .asBoolean()
                        ? true
                        : null);
        evaluate("globalThis.seen = 0; (function see() { seen++; requestAnimationFrame(see); })()");

        devtools("PUT", "/json/new?about:blank");
        await(() -> evaluate("document.visibilityState").asString().equals("hidden") ? true : null);
        final int seenBefore = evaluate("seen").asInt();
        final long pushedBefore = pushed();
        Thread.sleep(Duration.ofSeconds(6));
        assertThat(evaluate("seen").asInt() - seenBefore).as("pictures while hidden").isLessThan(5);
        assertThat(pushed() - pushedBefore)
                .as("messages received while hidden")
                .isGreaterThan(5000);
        final int waiting =
                Integer.parseInt(evaluate(figure("queue")).asString().replaceAll("\\D", ""));
        assertThat(waiting).as("messages that wait at the server").isLessThanOrEqualTo(1000);

        devtools("GET", "/json/activate/" + page.path("id").asString());
        final int seenHidden = evaluate("seen").asInt();
        final long beganNs = System.nanoTime();
        await(() ->
                evaluate("seen - " + seenHidden + " > 2 && parseFloat(" + figure("p50") + ") < 250")
                                .asBoolean()
                        ? true
                        : null);
        final Duration recovery = Duration.ofNanos(System.nanoTime() - beganNs);
        Files.writeString(Path.of("target", "hidden-tab.txt"), "back after " + recovery + "\n");
        // a second where the machine has nothing else to do; others share its cores here
        assertThat(recovery).isLessThan(Duration.ofSeconds(10));
    }

    private long pushed() throws Exception {
        final String state =
                http.send(
                                HttpRequest.newBuilder(console.at("/api/state")).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
        return JSON.readTree(state).path("pushed").asLong(0);
    }
}
