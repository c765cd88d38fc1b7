package io.tickmark.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.tickmark.kernel.settings.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConsoleServerTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String TOKEN = RunningConsole.TOKEN;
    private static final String BEARER = "Authorization: Bearer " + TOKEN + "\r\n";

    private final HttpClient http = HttpClient.newHttpClient();
    private boolean isKnown = true;
    private RunningConsole console = new RunningConsole(Map.of("symbols", 20));

    @AfterEach
    void stop() {
        console.close();
        http.shutdownNow();
    }

    /** From here on nothing says the token by itself. */
    private void forgetTheToken() {
        isKnown = false;
    }

    private void expose() {
        forgetTheToken();
        console.close();
        console = new RunningConsole(Map.of("host", "0.0.0.0", "token", TOKEN));
    }

    private HttpResponse<String> send(
            final String method, final String path, final String body, final String... headers)
            throws IOException, InterruptedException {
        final URI uri = URI.create(console.at(path).toString().replace("0.0.0.0", "127.0.0.1"));
        final HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (isKnown) {
            request.header("Authorization", "Bearer " + TOKEN);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode state() throws IOException, InterruptedException {
        return JSON.readTree(send("GET", "/api/state", "").body());
    }

    /** Sends what a browser or an HTTP client would not. */
    private String raw(final String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", console.at("/").getPort())) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            final byte[] answer = new byte[400];
            return new String(
                    answer,
                    0,
                    Math.max(0, socket.getInputStream().read(answer)),
                    StandardCharsets.US_ASCII);
        }
    }

    @Test
    void shouldServeThePageIsolatedAndWithoutScriptInIt() throws Exception {
        final HttpResponse<String> page = send("GET", "/", "");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains("<title>tickmark console</title>")
                .doesNotContain("<script>");
        assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                .contains("default-src 'none'")
                .doesNotContain("unsafe");
        assertThat(page.headers().map())
                .containsKeys(
                        "cross-origin-opener-policy",
                        "cross-origin-embedder-policy",
                        "x-content-type-options",
                        "referrer-policy");
    }

    @Test
    void shouldSendThePageCompressed() throws Exception {
        final HttpResponse<String> page = send("GET", "/", "", "Accept-Encoding", "gzip");
        assertThat(page.headers().firstValue("content-encoding")).contains("gzip");
    }

    @Test
    void shouldStartChangeAndStopTheFeed() throws Exception {
        final HttpResponse<String> started =
                send(
                        "PUT",
                        "/api/feed",
                        "{\"isRunning\":true,\"symbols\":30,\"rate\":5000}",
                        "Content-Type",
                        "application/json");
        assertThat(started.statusCode()).as(started.body()).isEqualTo(200);
        while (state().path("feed").path("sent").asLong(0) == 0) {
            Thread.sleep(5);
        }
        assertThat(state().path("feed").path("symbols").asInt(0)).isEqualTo(30);
        send("PUT", "/api/feed", "{\"isRunning\":false}", "Content-Type", "application/json");
        assertThat(state().path("feed").path("isRunning").asBoolean()).isFalse();
        assertThat(state().path("feed").path("symbols").asInt(0)).isEqualTo(30);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "PUT|/api/feed|{\"symbols\":0}|400|member 'symbols'",
                "PUT|/api/feed|{\"colour\":1}|400|member 'colour'",
                "PUT|/api/feed|{\"threads\":\"2\"}|400|member 'threads'",
                "PUT|/api/feed|{\"source\":\"/etc/passwd\"}|400|member 'source'",
                "PUT|/api/feed|[]|400|must be a JSON object",
                "PUT|/api/feed|{|400|not JSON",
                "POST|/api/results|[]|400|1 to 500 rows",
                "POST|/api/results|[{}]|400|'name' must be text",
                "DELETE|/api/state||405|not allowed here",
                "GET|/api/secret||404|no such address",
                "GET|/../../etc/passwd||404|no such page",
                "GET|/openapi.json||404|no such page",
                "POST|/|x|405|read with GET"
            })
    void shouldAnswerWithAProblem(
            final String method,
            final String path,
            final String body,
            final int status,
            final String words)
            throws Exception {
        final HttpResponse<String> answer =
                send(method, path, body == null ? "" : body, "Content-Type", "application/json");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type"))
                .contains("application/problem+json");
        assertThat(answer.body()).contains(words);
    }

    @Test
    void shouldGiveRunsAndTheirLinesFromWhereOneLeftOff() throws Exception {
        final JsonNode runs = JSON.readTree(send("GET", "/api/runs", "").body());
        assertThat(runs.path(1).path("id").asString("")).isEqualTo("done_vs/a");
        final String at = "/api/run-lines?run=done_vs%2Fa&from=";
        final JsonNode first = JSON.readTree(send("GET", at + 0, "").body());
        assertThat(first.path("lines").size()).isEqualTo(63);
        final String next = at + first.path("next").asLong(0);
        assertThat(JSON.readTree(send("GET", next, "").body()).path("lines").size()).isZero();
        assertThat(send("GET", at + "x", "").body()).contains("not a number of bytes");
        assertThat(send("GET", "/api/run-lines?run=../etc", "").statusCode()).isEqualTo(400);
    }

    @Test
    void shouldDescribeEveryRoute() throws Exception {
        final JsonNode description = JSON.readTree(send("GET", "/api/openapi.json", "").body());
        final TreeSet<String> described = new TreeSet<>();
        description
                .path("paths")
                .properties()
                .forEach(path ->
                        path.getValue()
                                .properties()
                                .forEach(method ->
                                        described.add(
                                                method.getKey().toUpperCase(java.util.Locale.ROOT)
                                                        + " "
                                                        + path.getKey())));
        assertThat(described)
                .containsExactly(
                        "GET /api/channels",
                        "GET /api/openapi.json",
                        "GET /api/policies",
                        "GET /api/run-lines",
                        "GET /api/runs",
                        "GET /api/state",
                        "GET /api/symbols",
                        "GET /api/token",
                        "GET /feed/clock",
                        "GET /feed/{channel}",
                        "POST /api/results",
                        "POST /api/rows",
                        "POST /feed/ack",
                        "POST /feed/finish",
                        "PUT /api/feed");
        for (final String route : described) {
            if (route.contains("/api/")) {
                final String[] words = route.split(" ");
                assertThat(
                                send(
                                                words[0],
                                                words[1],
                                                words[0].equals("GET") ? "" : "0",
                                                "Content-Type",
                                                "application/json")
                                        .statusCode())
                        .as(route)
                        .isIn(200, 400);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/state, State, false",
        "/api/channels, Channel, true",
        "/api/policies, Policy, true"
    })
    void shouldAnswerAsItDescribes(final String path, final String schema, final boolean isList)
            throws Exception {
        final JsonNode description = JSON.readTree(send("GET", "/api/openapi.json", "").body());
        final JsonNode answer = JSON.readTree(send("GET", path, "").body());
        final JsonNode first = isList ? answer.path(0) : answer;
        final JsonNode described = description.path("components").path("schemas").path(schema);
        assertThat(first.propertyNames())
                .containsExactlyInAnyOrderElementsOf(described.path("properties").propertyNames());
        assertThat(first.path("feed").propertyNames())
                .containsExactlyInAnyOrderElementsOf(
                        described
                                .path("properties")
                                .path("feed")
                                .path("properties")
                                .propertyNames());
        assertThat(
                        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                                .getSchema(described)
                                .validate(first))
                .isEmpty();
    }

    @Test
    void shouldRefusePagesOfOtherOrigins() throws Exception {
        assertThat(send("GET", "/api/state", "", "Origin", "https://evil.example").statusCode())
                .isEqualTo(403);
        for (final String other : List.of("http://127.0.0.1:1", "https://127.0.0.1:1", "null")) {
            assertThat(send("GET", "/feed/clock", "", "Origin", other).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void shouldTakeItsOwnOriginThroughAProxyThatSpeaksTls() throws Exception {
        final String own = console.at("/").getAuthority();
        assertThat(send("GET", "/api/state", "", "Origin", "https://" + own).statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldSayThatAFeedStandsStillWhoseFileIsGone(@TempDir final Path folder) throws Exception {
        final Path prices = folder.resolve("prices.csv");
        Files.writeString(prices, "symbol,bid,ask,last,size\nABC,10.01,10.03,10.02,300\n");
        console.close();
        console = new RunningConsole(Map.of("source", prices.toString(), "running", true));
        assertThat(state().path("feed").path("symbols").asInt(0)).isEqualTo(1);
        Files.delete(prices);
        final HttpResponse<String> changed =
                send("PUT", "/api/feed", "{\"rate\":100}", "Content-Type", "application/json");
        assertThat(changed.statusCode()).isEqualTo(400);
        assertThat(changed.body()).contains("cannot be read");
        assertThat(state().path("feed").path("isRunning").asBoolean(true)).isFalse();
    }

    @Test
    void shouldRefuseBodiesThatAreTooLarge() throws Exception {
        assertThat(
                        raw(
                                "POST /api/results HTTP/1.1\r\nHost: localhost\r\n"
                                        + BEARER
                                        + "Content-Type: application/json\r\nContent-Length: 4000001\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
    }

    @Test
    void shouldRefuseAClientThatAsksTooOften() throws Exception {
        final String many =
                ("GET /nothing.html HTTP/1.1\r\nHost: localhost\r\n" + BEARER + "\r\n").repeat(50);
        final Thread asking;
        try (Socket socket = new Socket("127.0.0.1", console.at("/").getPort())) {
            socket.setSoTimeout(120_000);
            asking = Thread.startVirtualThread(() -> askUntilItIsClosed(socket, many));
            final BufferedReader answers =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = answers.readLine();
            while (!line.contains("Too many requests from this client")) {
                line = answers.readLine();
                assertThat(line).as("all were answered").isNotNull();
            }
        }
        asking.join();
    }

    private static void askUntilItIsClosed(final Socket socket, final String requests) {
        try {
            for (int i = 0; i < 10_000; i++) {
                socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (final IOException _) {
            // this test has read enough
        }
    }

    @Test
    void shouldRefuseNamesThatWereTurnedToLoopback() throws Exception {
        assertThat(raw("GET / HTTP/1.1\r\nHost: evil.example\r\n" + BEARER + "\r\n"))
                .startsWith("HTTP/1.1 421");
        assertThat(raw("GET / HTTP/1.1\r\nHost: localhost\r\n" + BEARER + "\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void shouldAskForTheTokenWhereOthersCanReachIt() throws Exception {
        expose();
        assertThat(send("GET", "/", "").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/api/state", "").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/feed/stream", "").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/?token=wrong", "").statusCode()).isEqualTo(401);
        assertThat(send("GET", "/api/state", "", "Authorization", "Bearer " + TOKEN).body())
                .contains("\"isExposed\":true");
    }

    @Test
    void shouldAskForTheTokenOnLoopbackToo() throws Exception {
        forgetTheToken();
        for (final String path :
                List.of(
                        "/",
                        "/runs.html",
                        "/api/state",
                        "/api/token",
                        "/feed/stream",
                        "/feed/clock")) {
            final HttpResponse<String> answer = send("GET", path, "");
            assertThat(answer.statusCode()).as(path).isEqualTo(401);
            assertThat(answer.headers().firstValue("www-authenticate")).contains("Bearer");
        }
        assertThat(send("GET", "/feed/events?token=" + TOKEN + "&colour=red", "").statusCode())
                .as("it has the token, and gets as far as its settings")
                .isEqualTo(400);
    }

    /** A browser sends it with whatever a page of another port of this host asks. */
    @Test
    void shouldOpenNoChannelToACookieAlone() throws Exception {
        final String cookie = cookie();
        assertThat(send("GET", "/feed/stream", "", "Cookie", cookie).statusCode()).isEqualTo(401);
        assertThat(send("POST", "/feed/ack?session=x", "", "Cookie", cookie).statusCode())
                .isEqualTo(401);
        assertThat(send("GET", "/api/token", "", "Cookie", cookie).body())
                .isEqualTo("{\"token\":\"" + TOKEN + "\"}");
    }

    private String cookie() throws Exception {
        forgetTheToken();
        return send("GET", "/?token=" + TOKEN, "")
                .headers()
                .firstValue("set-cookie")
                .orElseThrow()
                .split(";")[0];
    }

    @Test
    void shouldTakeNoCookieThatItDidNotWrite() throws Exception {
        final String cookie = cookie();
        for (final String forged :
                List.of(
                        cookie.replaceAll("=.*", "=" + TOKEN),
                        cookie.replaceAll("=.*\\.", "=another."),
                        cookie.replaceAll("\\..*", ""))) {
            assertThat(send("GET", "/api/state", "", "Cookie", forged).statusCode())
                    .as(forged)
                    .isEqualTo(401);
        }
        assertThat(send("GET", "/api/state", "", "Cookie", cookie).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "/feed/stream?colour=red, cross-site, no-cors, 403",
        "/feed/stream?colour=red, same-site, no-cors, 403",
        "/feed/stream?colour=red, same-origin, cors, 400",
        "/feed/stream?colour=red, none, navigate, 400",
        "/feed/stream?colour=red, cross-site, navigate, 403",
        "/api/state, cross-site, no-cors, 403",
        "/api/state, same-origin, cors, 200",
        "/, cross-site, navigate, 200",
        "/, cross-site, no-cors, 403"
    })
    void shouldHearWhichSiteAskedFromABrowserThatSaysIt(
            final String path, final String site, final String mode, final int status)
            throws Exception {
        assertThat(
                        send("GET", path, "", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode)
                                .statusCode())
                .isEqualTo(status);
    }

    @Test
    void shouldKeepWhatElseStoodInTheAddress() throws Exception {
        forgetTheToken();
        assertThat(
                        send("GET", "/?token=" + TOKEN + "&benchmark=5&warmup=1", "")
                                .headers()
                                .firstValue("location"))
                .contains("/?benchmark=5&warmup=1");
        assertThat(send("GET", "/runs.html?token=" + TOKEN, "").headers().firstValue("location"))
                .contains("/runs.html");
    }

    private String statusOf(final String head) throws IOException {
        return raw("GET /api/state HTTP/1.1\r\nHost: localhost\r\n" + head + "\r\n")
                .substring(9, 12);
    }

    /**
     * A client without the token uses up only its own share, not that of clients with the token.
     */
    @Test
    void shouldNotLockOutWhoKnowsTheToken() throws Exception {
        boolean isLimited = false;
        for (int i = 0; i < 20_000 && !isLimited; i++) {
            isLimited = send401().equals("429");
        }
        assertThat(isLimited).as("the stranger is told nothing any more").isTrue();
        assertThat(statusOf(BEARER)).isEqualTo("200");
    }

    private String send401() throws Exception {
        isKnown = false;
        return Integer.toString(send("GET", "/api/state", "").statusCode());
    }

    /** Behind a proxy all come from one address; each of its clients is counted alone. */
    @Test
    void shouldCountClientsOfATrustedProxyEachByItself() throws Exception {
        console.close();
        console = new RunningConsole(Map.of("trustedProxy", "127.0.0.1"));
        final String one = "X-Forwarded-For: 192.0.2.9, 192.0.2.1\r\n";
        String status = "";
        for (int i = 0; i < 20_000 && !status.equals("429"); i++) {
            isKnown = false;
            status =
                    Integer.toString(
                            send("GET", "/api/state", "", "X-Forwarded-For", "192.0.2.9, 192.0.2.1")
                                    .statusCode());
        }
        assertThat(status).isEqualTo("429");
        assertThat(statusOf("X-Forwarded-For: 192.0.2.9, 192.0.2.2\r\n"))
                .as("another of its clients")
                .isEqualTo("401");
        assertThat(statusOf(one + BEARER)).as("known").isEqualTo("200");
    }

    @Test
    void shouldSayWhichProxyIsNoAddress() {
        assertThatThrownBy(() -> new RunningConsole(Map.of("trustedProxy", "127.0.0.1, gate")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--trusted-proxy: 'gate' is not an address");
    }

    @Test
    void shouldTakeTheTokenOutOfTheAddressIntoACookie() throws Exception {
        expose();
        final HttpResponse<String> login = send("GET", "/?token=" + TOKEN, "");
        assertThat(login.statusCode()).isEqualTo(303);
        final String cookie = login.headers().firstValue("set-cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").containsIgnoringCase("SameSite=Strict");
        assertThat(send("GET", "/", "", "Cookie", cookie.split(";")[0]).statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldMakeATokenUpWhereNoneIsGiven() {
        console.close();
        console = new RunningConsole(Map.of("host", "0.0.0.0", "token", ""));
        assertThat(console.address())
                .matches("http://0\\.0\\.0\\.0:\\d+/\\?token=[A-Za-z0-9_-]{32}");
    }

    @Test
    void shouldSayWhichPortIsTaken() {
        final int port = console.at("/").getPort();
        assertThatThrownBy(() -> new RunningConsole(Map.of("port", port)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--port " + port + ": cannot listen on 127.0.0.1 (");
    }

    @Test
    void shouldRefuseShortTokens() {
        assertThatThrownBy(() -> new RunningConsole(Map.of("token", "short")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--token");
    }

    @Test
    void shouldTakeThatThereWillBeNoRow() throws Exception {
        final HttpResponse<String> taken =
                send(
                        "POST",
                        "/api/rows",
                        "{\"brokenOff\":\"The session ended.\"}",
                        "Content-Type",
                        "application/json");
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
        assertThat(console.brokenOff()).containsExactly("The session ended.");
        assertThat(console.measured()).isEmpty();
    }

    /** A page that heard no answer reports again. */
    @Test
    void shouldCountOnceWhatIsReportedAgainWithItsKey() throws Exception {
        for (final String key : List.of("a", "a", "b")) {
            final HttpResponse<String> taken =
                    send(
                            "POST",
                            "/api/rows?key=" + key,
                            "{\"brokenOff\":\"The session %s ended.\"}".formatted(key),
                            "Content-Type",
                            "application/json");
            assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
        }
        assertThat(console.brokenOff())
                .containsExactly("The session a ended.", "The session b ended.");
    }
}
