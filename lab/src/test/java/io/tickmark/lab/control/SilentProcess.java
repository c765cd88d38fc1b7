package io.tickmark.lab.control;

import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.plan.FaultPlan;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;

/** A process that takes whatever it is told, says nothing, and has ended well. */
class SilentProcess implements PlacedProcess {
    @Override
    public OutputStream input() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream output() {
        return InputStream.nullInputStream();
    }

    @Override
    public InputStream errors() {
        return InputStream.nullInputStream();
    }

    @Override
    public OptionalInt awaitEnd(final Duration atMost) {
        return OptionalInt.of(0);
    }

    @Override
    public void inject(final FaultPlan.Action action, final long pid) {
        throw new UnsupportedOperationException("no faults here");
    }

    @Override
    public void kill() {
        // it has ended, and its streams close by themselves
    }
}
