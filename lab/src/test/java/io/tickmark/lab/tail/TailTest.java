package io.tickmark.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.record.RoleFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What roles noted, as it was left. */
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
