package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.RoleFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as roles write them. */
class TailTest {
    @Test
    void shouldSayThatWhatAKilledRoleWroteIsCutOff(@TempDir final Path role) throws Exception {
        Files.writeString(
                role.resolve(RoleFiles.STALLS),
                "watch,1,0,pinger,SEND_AND_RECEIVE,10000,\nstall,1,0,12");
        final List<String> warnings = new ArrayList<>();

        assertThat(
                        Tail.summary(
                                List.of(
                                        new Tail.RoleFolder(
                                                "latency-pub",
                                                1,
                                                Optional.of(role),
                                                Optional.empty())),
                                1,
                                0,
                                false,
                                List.of(),
                                warnings::add))
                .isEmpty();
        assertThat(warnings).singleElement().asString().contains("repeat 1", "cannot be read");
    }

    /** Begin and end of interrupts as cores report them: not in order, and nested. */
    @Test
    void shouldCountEachNanosecondOfInterruptsOnce() {
        final OffCore thread = new OffCore();
        thread.isDated("", "");
        thread.interrupted("interrupt,1,0,500,600,irq:virtio0".split(",", -1));
        thread.interrupted("interrupt,1,0,110,120,irq:local-timer".split(",", -1));
        thread.interrupted("interrupt,1,0,100,200,softirq:timer".split(",", -1));
        thread.left(
                "off,1,0,300,400,1,7:a=40;7:C2_CompilerThre=20;8:reporter=30;9:x=10"
                        .split(",", -1));

        final Stall.Dated dated =
                thread.between(0, 550, Map.of(7L, OffCore.Process.ROLE, 8L, OffCore.Process.ROLE));

        assertThat(dated).isEqualTo(new Stall.Dated(100, 0, true, 40, 20, 30, 10, 150));
        assertThat(thread.mostInstead(0, 550)).isEqualTo("softirq:timer");
        assertThat(thread.between(350, 375, Map.of()).preemptedNs()).isEqualTo(25);
        final OffCore undated = new OffCore();
        undated.isDated("it may not", "");
        assertThat(undated.between(0, 1, Map.of())).isNull();
        assertThat(undated.lacks()).contains("its switches are not dated: it may not.");
    }

    @Test
    void shouldBeSilentWhereRolesNoteNothing(@TempDir final Path role) {
        final List<String> warnings = new ArrayList<>();
        assertThat(
                        Tail.summary(
                                List.of(
                                        new Tail.RoleFolder(
                                                "stream-pub",
                                                1,
                                                Optional.of(role),
                                                Optional.empty())),
                                1,
                                0,
                                false,
                                List.of(),
                                warnings::add))
                .isEmpty();
        assertThat(warnings).isEmpty();
    }
}
