package io.tickmark.engines.quickfixj;

import java.util.function.Consumer;
import quickfix.Log;

/** Writes nothing: a log of every message would be measured with the gateway. */
final class SilentLog implements Log {
    private final Consumer<String> onError;

    SilentLog() {
        this(text -> {});
    }

    /** {@code onError} hears what the library only logs, such as exceptions that it swallows. */
    SilentLog(final Consumer<String> onError) {
        this.onError = onError;
    }

    @Override
    public void clear() {
        // there is nothing
    }

    @Override
    public void onIncoming(final String message) {
        // not kept
    }

    @Override
    public void onOutgoing(final String message) {
        // not kept
    }

    @Override
    public void onEvent(final String text) {
        // not kept
    }

    @Override
    public void onErrorEvent(final String text) {
        onError.accept(text);
    }
}
