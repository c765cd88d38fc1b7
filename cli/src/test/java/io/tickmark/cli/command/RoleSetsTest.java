package io.tickmark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.cli.option.SockPerfDialect;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests whose roles can measure nothing together are refused when they are read, not seconds later.
 */
class RoleSetsTest {
    private static final PlanLibrary LIBRARY = new PlanLibrary(RoleCatalog.load());

    @TempDir private Path folder;

    private Plan plan(final String workload, final String roles, final String settings)
            throws IOException {
        return LIBRARY.find(
                Files.writeString(
                                folder.resolve("p.yaml"),
                                """
                                schema: tickmark.plan/1
                                name: p
                                tests:
                                - name: t
                                  workload: %s
                                  settings: {%s}
                                  roles: [%s]
                                """
                                        .formatted(workload, settings, roles))
                        .toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    latency | {role: latency-pub} | | latency-pub has no role to send to; add the role latency-sub.
                    latency | {role: latency-sub} | | latency-sub has nothing to receive; add the role latency-pub.
                    stream  | {role: stream-pub}  | | stream-pub has no role to send to; add the role stream-sub.
                    stream  | {role: stream-sub}  | | stream-sub has nothing to receive; add the role stream-pub.
                    latency | {role: latency-pub}, {role: latency-sub} | subscribers: 2 | subscribers is 2, and the test has 1 of
                    stream  | {role: store}       | | store watches others, and there are none
                    latancy | {role: latency-pub}, {role: latency-sub} | | workload is latancy; did you mean latency?
                    stream  | {role: latency-pub}, {role: latency-sub} | | workload is stream, and its roles measure latency
                    stream  | {role: stream-pub}, {role: stream-sub} | warmUp: [15, 5] | it is called warmUpMessages now
                    latency | {role: latency-pub}, {role: latency-sub} | domainId: 88 | channels: [dds://88]
                    latency | {role: latency-pub, settings: {nic: lo}}, {role: latency-sub} | | parameter of the channel now: dds
                    latency | {role: latency-pub}, {role: latency-sub} | peer: here | parameter of the channel now: dds
                    latency | {role: latency-pub}, {role: latency-sub} | reliable: true | parameter of the channel now: dds
                    latency | {role: latency-pub}, {role: latency-sub} | transport: 1 | parameter of the channel now: dds
                    latency | {role: latency-pub}, {role: latency-sub} | multicastTtl: 1 | parameter of the channel now: dds
                    latency | {role: latency-pub}, {role: latency-sub} | library: here | parameter of the channel now: dds
                    latency | {role: latency-pub}, {role: latency-sub} | multicastReceiveAddress: 225.1.2.3 | channelParameters
                    stream  | {role: stream-pub}, {role: stream-sub} | persist: r | archive:?deletion=acknowledged for r
                    stream  | {role: stream-pub}, {role: stream-sub} | generic: true | true is sendPath: offer now
                    stream  | {role: stream-pub}, {role: stream-sub} | xmlConfig: um.xml | no engine here reads
                    stream  | {role: stream-pub}, {role: stream-sub} | config: [um.cfg] | no engine here reads
                    market  | {role: market-hub}, {role: market-publisher, settings: {measureDecode: 1}} | | only market-con
                    market  | {role: market-hub}, {role: market-publisher} | useServiceId: 1 | never had an effect
                    stream  | {role: stream-pub}, {role: stream-sub} | payloadSize: 5 | did you mean payloadBytes?
                    stream  | {role: stream-pub}, {role: stream-sub} | clients: 5 | no role of this test has; nearest of
                    stream  | {role: stream-pub}, {role: stream-sub} | zzzzzzzzz: 5 | is not a key here; nearest of
                    """)
    void shouldBeRefusedWithWhatIsMissing(
            final String workload, final String roles, final String settings, final String words) {
        assertThatThrownBy(() -> plan(workload, roles, settings == null ? "" : settings))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("p.yaml line ")
                .hasMessageContaining(words)
                .satisfies(e ->
                        assertThat(e.getMessage())
                                .hasSizeLessThan(folder.toString().length() + 300));
    }

    /** Its keys are options of commands alone; a plan says the same with its channel. */
    @Test
    void shouldSayWhatMeansAnOptionForSockets() {
        assertThat(new SockPerfDialect(true, true).options())
                .allSatisfy(option ->
                        assertThatThrownBy(() ->
                                        plan(
                                                "stream",
                                                "{role: stream-pub}, {role: stream-sub}",
                                                option.key() + ": 1"))
                                .isInstanceOf(UserError.class)
                                .hasMessageMatching(
                                        "(?s).*(parameter of the channel: mcast://.*[?]"
                                                + option.key()
                                                + "=|channel says where|two settings: pace).*"));
    }

    /** A foreign echo service, and a store whose readers may connect at any time. */
    @Test
    void shouldBeTakenWhereTheOtherSideIsNoRole() throws IOException {
        assertThat(plan("latency", "{role: latency-pub}", "echo: external").tests()).hasSize(1);
        assertThat(plan("stream", "{role: stream-pub}, {role: store}", "").tests()).hasSize(1);
    }
}
