package io.tickmark.engines.quickfixj;

import quickfix.Log;

/** Writes nothing: a log of every message would be measured with the gateway. */
final class SilentLog implements Log {
    SilentLog() {}

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
        // not kept
    }
}
