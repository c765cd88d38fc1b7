package io.tickmark.workloads.messaging.calibrate;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.Role;
import io.tickmark.kernel.role.RoleContext;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.UserError;
import java.util.List;

/** Makes calibrations of the bench. */
public final class CalibrateFactory implements RoleFactory<CalibrateSettings> {
    private static final String CHANNEL = "null:";

    static final HotThread THREAD = new HotThread("calibrate", true);

    /** For the service loader. */
    public CalibrateFactory() {}

    @Override
    public String name() {
        return "calibrate";
    }

    @Override
    public String summary() {
        return "Measures programmed delays and faults of a null channel, to see how true the bench is.";
    }

    @Override
    public Class<CalibrateSettings> settings() {
        return CalibrateSettings.class;
    }

    @Override
    public List<HotThread> hotThreads(
            final CalibrateSettings settings, final int index, final int count) {
        return List.of(THREAD);
    }

    @Override
    public long expectedDurationNs(final CalibrateSettings settings) {
        return Scenario.ALL.size() * 2 * Calibrator.NOISE_NS
                + Calibrator.WARM_UPS * Scenario.ALL.getFirst().durationNs()
                + Scenario.ALL.stream().mapToLong(Scenario::durationNs).sum();
    }

    /** Its channels are the scenarios' own: another one would pass without being touched. */
    @Override
    public void check(final CalibrateSettings settings) {
        if (!settings.channel().equals(CHANNEL)) {
            throw UserError.usage(
                    "--channel %s: a calibration measures the delays and faults that it programs itself, on %s alone; name that."
                            .formatted(settings.channel(), CHANNEL));
        }
    }

    @Override
    public Role create(final CalibrateSettings settings, final RoleContext context) {
        return new Calibrator(settings, context);
    }
}
