package io.tickmark.lab.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.role.Endpoints;
import io.tickmark.kernel.role.MemberFault;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.kernel.time.ClockSegment;
import io.tickmark.lab.place.ClassPaths;
import io.tickmark.lab.place.LocalPlacement;
import io.tickmark.lab.place.PlacedProcess;
import io.tickmark.lab.place.RoleLaunch;
import io.tickmark.lab.plan.JvmPlan;
import io.tickmark.lab.plan.RolePlan;
import io.tickmark.lab.protocol.FromRole;
import io.tickmark.lab.protocol.Lines;
import io.tickmark.lab.protocol.ToRole;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RoleHostTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final JvmPlan SMALL =
            new JvmPlan("32m", JvmPlan.Collector.SERIAL, List.of("-XX:TieredStopAtLevel=1"));

    private PlacedProcess process;
    private Lines.Reader messages;

    @BeforeEach
    void start() {
        final RolePlan plan =
                new RolePlan("mock-sender", 1, Map.of(), null, null, SMALL, null, null, null);
        process =
                new LocalPlacement()
                        .start(
                                RoleLaunch.of(
                                        "host", plan, new ClassPaths().of(List.of(), List.of())));
        messages = new Lines.Reader(process.output());
    }

    @AfterEach
    void kill() {
        process.kill();
    }

    private FromRole next() throws IOException {
        return Lines.parse(messages.next().orElseThrow(), FromRole.class);
    }

    private void say(final ToRole order) throws IOException {
        Lines.send(process.input(), order);
    }

    private static ToRole prepare(final String role, final Map<String, Object> settings) {
        return new ToRole.Prepare(
                "a", role, 1, 1, 1, 1, settings, List.of(), 1, "", ClockSegment.SAME);
    }

    private static Process signal(final String name, final long pid) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + pid).start();
    }

    @Test
    void shouldSayHelloInItsProtocolAndByeAtTheEnd() throws IOException {
        assertThat(next())
                .isInstanceOfSatisfying(
                        FromRole.Hello.class,
                        hello -> assertThat(hello.protocol()).isEqualTo(FromRole.PROTOCOL));
        say(new ToRole.Bye());
        assertThat(next()).isEqualTo(new FromRole.Bye());
        assertThat(process.awaitEnd(LONG)).hasValue(0);
    }

    @Test
    void shouldEndWhenItsControllerIsGoneThoughARoleDoesNot() throws IOException {
        next();
        say(prepare("mock-sender", Map.of("trouble", "never-ends")));
        assertThat(next()).isInstanceOf(FromRole.Bound.class);
        say(new ToRole.Connect("a", Endpoints.NONE));
        assertThat(next()).isInstanceOf(FromRole.Output.class);
        assertThat(next()).isEqualTo(new FromRole.Ready("a"));
        say(new ToRole.StartAt("a", 0, List.of()));

        process.input().close();

        assertThat(process.awaitEnd(LONG)).hasValue(1);
    }

    @Test
    void shouldRefuseWhatItDoesNotUnderstand() throws IOException {
        next();
        process.input().write("{\"type\":\"dance\"}\n".getBytes(StandardCharsets.UTF_8));
        process.input().flush();

        assertThat(process.awaitEnd(LONG)).hasValue(2);
        assertThat(new String(process.errors().readAllBytes(), StandardCharsets.UTF_8))
                .contains("a command was not understood");
    }

    @Test
    void shouldSayWhatADefectOfItsOwnWas() throws IOException {
        next();
        process.input()
                .write("{\"type\":\"prepare\",\"id\":\"a\"}\n".getBytes(StandardCharsets.UTF_8));
        process.input().flush();

        assertThat(process.awaitEnd(LONG)).hasValue(1);
        assertThat(new String(process.errors().readAllBytes(), StandardCharsets.UTF_8))
                .contains("at io.tickmark.lab.host.RoleHost.prepare")
                .containsPattern("\nEnded by a defect: java.lang.NullPointerException.*\n$");
    }

    @Test
    void shouldFailWhenItCannotTakeAFault() throws IOException {
        next();
        say(prepare("mock-sender", Map.of("lasting", "50s")));
        assertThat(next()).isInstanceOf(FromRole.Bound.class);

        say(new ToRole.Inject("a", new MemberFault(1, MemberFault.Kind.KILL)));

        assertThat(next())
                .isEqualTo(
                        new FromRole.Failed(
                                "a",
                                UserError.Kind.USAGE,
                                "faults: this role runs no processes of its own; leave 'member' out, or name another role."));
        say(new ToRole.Bye());
        assertThat(process.awaitEnd(LONG)).hasValue(0);
    }

    @Test
    void shouldBeDeafToCtrlCButNotToTermination() throws IOException {
        final FromRole.Hello hello = (FromRole.Hello) next();
        signal("INT", hello.pid()).onExit().join();
        say(prepare("no-such-role", Map.of()));
        assertThat(next())
                .isInstanceOfSatisfying(
                        FromRole.Failed.class,
                        failed -> assertThat(failed.sentence()).contains("no-such-role"));

        signal("TERM", hello.pid());

        assertThat(process.awaitEnd(LONG)).isPresent();
    }
}
