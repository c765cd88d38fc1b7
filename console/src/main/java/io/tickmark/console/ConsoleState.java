package io.tickmark.console;

import io.tickmark.workloads.feed.session.HubFigures;
import io.tickmark.workloads.feed.source.FeedFigures;
import io.tickmark.workloads.feed.source.FeedSettings;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the page asks for each second. */
final class ConsoleState {
    private final FeedControl control;
    private final String version;
    private final boolean isExposed;

    ConsoleState(final FeedControl control, final String version, final boolean isExposed) {
        this.control = control;
        this.version = version;
        this.isExposed = isExposed;
    }

    Map<String, Object> now() {
        final FeedSettings settings = control.hub().settings();
        final FeedFigures figures = control.hub().feedFigures();
        final HubFigures sessions = control.hub().figures();
        final Map<String, Object> feed = new LinkedHashMap<>();
        feed.put("isRunning", control.isRunning());
        feed.put("symbols", control.hub().symbolNames().size());
        feed.put("threads", settings.threads());
        feed.put("sleepMs", settings.sleep().toNanos() / 1e6);
        feed.put("rate", settings.rate());
        feed.put("messageBytes", settings.messageBytes());
        feed.put("source", settings.source());
        feed.put("isChannel", settings.isChannel());
        feed.put("sent", figures.sent().get());
        feed.put("lost", figures.lost().get());
        feed.put("fromArrival", figures.fromArrival().get());
        feed.put("skipped", figures.skipped().get());
        feed.put("maxLagNs", figures.maxLagNs().get());
        feed.put("backPressured", figures.backPressured().get());
        feed.put("atNs", control.time().nowNs());
        final Map<String, Object> state = new LinkedHashMap<>();
        state.put("version", version);
        state.put("isExposed", isExposed);
        state.put("cores", Runtime.getRuntime().availableProcessors());
        state.put("feed", feed);
        state.put("sessions", sessions.sessions());
        state.put("pushed", sessions.counts().sent().get());
        state.put("overLimit", sessions.counts().overLimit().get());
        state.put("failure", control.hub().failure());
        return state;
    }
}
