package io.tickmark.console;

import io.tickmark.kernel.settings.Settings;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.workloads.feed.conflate.ConflationPolicies;
import io.tickmark.workloads.feed.serve.ChannelList;
import io.tickmark.workloads.feed.serve.Problem;
import io.tickmark.workloads.feed.source.FeedSettings;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The control interface: what the page does, a script can do. */
final class ApiHandler implements HttpHandler {
    /** Where its addresses begin. */
    static final String PREFIX = "/api/";

    private static final String DESCRIPTION = "/io/tickmark/console/openapi.json";

    private static final int MOST_REPORTED = 100;

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final FeedControl control;
    private final ConsoleState state;
    private final ChannelList channels;
    private final RowArchive archive;
    private final RowListener measured;
    private final RunSource runs;
    private final Map<String, Runner> routes;

    /** Keys of the newest rows. */
    private final SequencedSet<String> reported = new LinkedHashSet<>();

    private interface Runner {
        void run(HttpServerExchange exchange);
    }

    ApiHandler(
            final FeedControl control,
            final ConsoleState state,
            final ChannelList channels,
            final RowArchive archive,
            final RowListener measured,
            final RunSource runs,
            final String token) {
        this.runs = runs;
        this.control = control;
        this.state = state;
        this.channels = channels;
        this.archive = archive;
        this.measured = measured;
        routes =
                Map.ofEntries(
                        Map.entry("GET state", exchange -> answer(exchange, state.now())),
                        // for the page, which has a cookie that its scripts cannot read
                        Map.entry(
                                "GET token", exchange -> answer(exchange, Map.of("token", token))),
                        Map.entry("GET channels", exchange -> answer(exchange, channels())),
                        Map.entry("GET policies", exchange -> answer(exchange, policies())),
                        Map.entry(
                                "GET symbols",
                                exchange -> answer(exchange, control.hub().symbolNames())),
                        Map.entry("GET openapi.json", ApiHandler::openApi),
                        Map.entry(
                                "GET runs",
                                exchange -> exchange.dispatch(() -> answer(exchange, runs.runs()))),
                        Map.entry(
                                "GET run-lines",
                                exchange -> exchange.dispatch(() -> lines(exchange))),
                        Map.entry("PUT feed", exchange -> body(exchange, this::feed)),
                        Map.entry("POST results", exchange -> body(exchange, this::results)),
                        Map.entry(
                                "POST rows",
                                exchange -> body(exchange, json -> row(exchange, json))));
    }

    /** Method and path of each route. */
    java.util.Set<String> routes() {
        return routes.keySet();
    }

    @Override
    public void handleRequest(final HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
        final String path = exchange.getRequestPath().substring(PREFIX.length());
        final Runner route = routes.get(exchange.getRequestMethod() + " " + path);
        if (route != null) {
            route.run(exchange);
        } else if (routes.keySet().stream().anyMatch(each -> each.endsWith(" " + path))) {
            Problem.send(
                    exchange,
                    StatusCodes.METHOD_NOT_ALLOWED,
                    "That method is not allowed here; see /api/openapi.json.");
        } else {
            Problem.send(
                    exchange,
                    StatusCodes.NOT_FOUND,
                    "There is no such address; see /api/openapi.json.");
        }
    }

    private void lines(final HttpServerExchange exchange) {
        final Optional<RunSource.Part> part;
        try {
            part =
                    runs.lines(
                            parameter(exchange, "run", ""),
                            Long.parseLong(parameter(exchange, "from", "0")));
        } catch (final NumberFormatException e) {
            Problem.send(
                    exchange,
                    StatusCodes.BAD_REQUEST,
                    "'from' is not a number of bytes; begin with 0 and continue with 'next'.");
            return;
        }
        if (part.isPresent()) {
            answer(exchange, part.get());
        } else {
            Problem.send(
                    exchange,
                    StatusCodes.BAD_REQUEST,
                    "There is no such run, or it was not recorded second by second; see /api/runs.");
        }
    }

    private static String parameter(
            final HttpServerExchange exchange, final String name, final String byDefault) {
        final Deque<String> values = exchange.getQueryParameters().get(name);
        return values == null ? byDefault : values.getFirst();
    }

    private Object feed(final JsonNode json) {
        final FeedWish wish = FeedWish.read(json, control.hub().settings(), control.isRunning());
        control.change(wish.settings(), wish.isRunning());
        return state.now();
    }

    private Object results(final JsonNode json) {
        return Map.of("folder", archive.write(BrowserRow.readAll(json)));
    }

    /**
     * A page that has heard no answer reports again with the same key, and each row counts once.
     */
    private Object row(final HttpServerExchange exchange, final JsonNode json) {
        final Runnable taking;
        if (json.path("brokenOff").isString()) {
            final String reason = BrowserRow.text(json, "brokenOff");
            taking = () -> measured.brokenOff(reason);
        } else {
            final BrowserRow row = BrowserRow.read(json);
            taking = () -> measured.measured(row);
        }
        final String key = parameter(exchange, "key", "");
        if (key.isEmpty() || isNew(key)) {
            taking.run();
        }
        return Map.of("taken", true);
    }

    private boolean isNew(final String key) {
        synchronized (reported) {
            if (!reported.add(key)) {
                return false;
            }
            if (reported.size() > MOST_REPORTED) {
                reported.removeFirst();
            }
            return true;
        }
    }

    private List<Map<String, Object>> channels() {
        return channels.channels().stream()
                .map(channel ->
                        Map.<String, Object>of(
                                "name", channel.name(),
                                "title", channel.title(),
                                "transport", word(channel.transport()),
                                "encoding", word(channel.encoding()),
                                "flushMs", channel.flush().toNanos() / 1e6))
                .toList();
    }

    private static String word(final Enum<?> constant) {
        return io.tickmark.kernel.settings.SettingDescriptor.word(constant);
    }

    private static List<Map<String, Object>> policies() {
        return new ConflationPolicies()
                .all().stream()
                        .map(policy ->
                                Map.<String, Object>of(
                                        "name", policy.name(), "summary", policy.summary()))
                        .toList();
    }

    /** Reads a body, away from the threads that serve; bounded by the server. */
    private static void body(
            final HttpServerExchange exchange, final Function<JsonNode, Object> action) {
        final String type = exchange.getRequestHeaders().getFirst(Headers.CONTENT_TYPE);
        if (type == null || !type.startsWith("application/json")) {
            Problem.send(
                    exchange,
                    StatusCodes.UNSUPPORTED_MEDIA_TYPE,
                    "Send JSON, with Content-Type: application/json.");
            return;
        }
        exchange.dispatch(() -> {
            exchange.startBlocking();
            try (InputStream in = exchange.getInputStream()) {
                answer(exchange, action.apply(JSON.readTree(in)));
            } catch (final UserError e) {
                Problem.send(
                        exchange,
                        e.kind() == UserError.Kind.USAGE
                                ? StatusCodes.BAD_REQUEST
                                : StatusCodes.SERVICE_UNAVAILABLE,
                        e.getMessage());
            } catch (final JacksonException e) {
                Problem.send(
                        exchange,
                        StatusCodes.BAD_REQUEST,
                        "The body is not JSON: " + e.getOriginalMessage());
            } catch (final IOException e) {
                Problem.send(
                        exchange,
                        StatusCodes.BAD_REQUEST,
                        "The body cannot be read, or is too large.");
            }
        });
    }

    private static void answer(final HttpServerExchange exchange, final Object value) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send(JSON.writeValueAsString(value), StandardCharsets.UTF_8);
    }

    /** The description of this interface (OpenAPI 3.1). */
    private static String description() {
        try (InputStream file = ApiHandler.class.getResourceAsStream(DESCRIPTION)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new IllegalStateException(DESCRIPTION + " is not in the jar", e);
        }
    }

    private static void openApi(final HttpServerExchange exchange) {
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
        exchange.getResponseSender().send(description(), StandardCharsets.UTF_8);
    }

    /**
     * A request of a page or a script about the feed.
     *
     * @param settings of the feed
     * @param isRunning whether it is to run
     */
    private record FeedWish(FeedSettings settings, boolean isRunning) {
        private static final Set<String> NUMBERS =
                Set.of("symbols", "threads", "sleepMs", "rate", "messageBytes", "seed");

        /** Reads a wish; what it does not say stays as it is. */
        static FeedWish read(final JsonNode json, final FeedSettings now, final boolean isRunning) {
            if (!json.isObject()) {
                throw UserError.usage("The body must be a JSON object.");
            }
            final Map<String, Object> values = new LinkedHashMap<>(Settings.toMap(now));
            boolean wanted = isRunning;
            for (final Map.Entry<String, JsonNode> member : json.properties()) {
                final String key = member.getKey();
                final JsonNode value = member.getValue();
                if (key.equals("isRunning") && value.isBoolean()) {
                    wanted = value.asBoolean();
                } else if (NUMBERS.contains(key) && value.isNumber()) {
                    values.put(
                            key.equals("sleepMs") ? "sleep" : key,
                            key.equals("sleepMs") ? value.asString() + "ms" : value.asString());
                } else if (key.equals("source") && value.isString()) {
                    throw UserError.usage(
                            "member 'source': is chosen when the console starts, with --source.");
                } else {
                    throw UserError.usage(
                            "member '%s': is unknown, or not of its type; see /api/openapi.json."
                                    .formatted(key));
                }
            }
            return new FeedWish(
                    Settings.read(FeedSettings.class, values, key -> "member '" + key + "'"),
                    wanted);
        }
    }
}
