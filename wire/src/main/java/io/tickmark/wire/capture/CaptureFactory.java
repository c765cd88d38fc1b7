package io.tickmark.wire.capture;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.UserError;
import java.util.List;

/** Makes captures of a run. */
public final class CaptureFactory implements RoleFactory<CaptureSettings> {
    /** For the service loader. */
    public CaptureFactory() {}

    @Override
    public String name() {
        return "capture";
    }

    @Override
    public String summary() {
        return "Captures packets while the other roles of a trial measure, and reads wire latency from them.";
    }

    @Override
    public Class<CaptureSettings> settings() {
        return CaptureSettings.class;
    }

    /** tcpdump sleeps until there is a block of packets; this process does until the end. */
    @Override
    public List<HotThread> hotThreads(
            final CaptureSettings settings, final int index, final int count) {
        return List.of();
    }

    @Override
    public long expectedDurationNs(final CaptureSettings settings) {
        return 0;
    }

    @Override
    public boolean isObserver() {
        return true;
    }

    @Override
    public void check(final CaptureSettings settings) {
        if (settings.required() && Tcpdump.find().isEmpty()) {
            throw UserError.environment(
                    "tcpdump is not installed: install it (Debian: apt-get install tcpdump).");
        }
    }

    @Override
    public Role create(final CaptureSettings settings, final RoleContext context) {
        return new Capture(settings, context);
    }
}
