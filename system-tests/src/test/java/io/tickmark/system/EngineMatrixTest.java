package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.transport.ChannelUri;
import io.tickmark.transport.Transports;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The shipped plan over all engines. */
class EngineMatrixTest {
    /** One that calibrates, and stores, which acknowledge what others only carry. */
    private static final Set<String> NOT_COMPARED =
            Set.of("null", "archive", "cluster", "jetstream");

    @Test
    void shouldBringEveryEngine() {
        final Set<String> here = new TreeSet<>(new Transports().all().keySet());
        here.removeAll(NOT_COMPARED);

        assertThat(
                        new PlanLibrary(RoleCatalog.load())
                                .find("engine-matrix")
                                .matrix()
                                .get("channel"))
                .extracting(channel -> ChannelUri.parse(channel).scheme())
                .containsAll(here);
    }
}
