package io.tickmark.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.cli.option.MeasureOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.record.RoleFiles;
import io.tickmark.lab.json.Json;
import io.tickmark.lab.plan.Plan;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import io.tickmark.lab.result.ResultFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** A plan in role processes, led from here. */
class MeasurementTest {
    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: read-once
            noise: 0s
            tests:
              - name: round-trips
                workload: latency
                channels: ["shm:"]
                settings: {sizes: [64], rate: 5000, duration: 500ms, warmUp: 50ms, pingTimeout: 10s, idle: adaptive}
                roles: [{role: latency-pub}, {role: latency-sub}]
            """;

    /** Of runs whose roles a busy machine let begin too late. */
    private static final int MOST_TRIES = 3;

    @TempDir private Path folder;

    /** It may take seconds where a busy machine stalled the roles often. */
    @Test
    void shouldReadOnceForRowsAndPageWhatRolesNotedOfStalls() throws Exception {
        for (int tries = 1; !listsTheSlowest(folder.resolve("run-" + tries)); tries++) {
            assertThat(tries).as("runs whose page lists no message").isLessThan(MOST_TRIES);
        }
    }

    /** Where the notes are deleted once the rows are judged, and before the page is written. */
    private boolean listsTheSlowest(final Path run) throws IOException {
        final CommandSpec spec = CommandSpec.create();
        MeasureOptions.addTo(spec);
        final ParseResult parsed =
                new CommandLine(spec).parseArgs("--out", run.toString(), "--no-history", "--quiet");
        final Plan plan =
                new PlanLibrary(RoleCatalog.load())
                        .find(Files.writeString(folder.resolve("plan.yaml"), PLAN).toString());
        final PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());

        final AtomicBoolean hadNotes = new AtomicBoolean();
        new Measurement(new Terminal(nowhere, nowhere, 0, 0, false), MeasureOptions.of(parsed))
                .withAnswer(result -> {
                    hadNotes.set(deleteNotes(run));
                    return Optional.empty();
                })
                .run(plan);
        return hadNotes.get()
                && !slowest(Files.readString(run.resolve(ResultFolder.REPORT)))
                        .path("lists")
                        .isEmpty();
    }

    /** Whether there were any: roles that did not get ready have none. */
    private static boolean deleteNotes(final Path run) {
        try (Stream<Path> files = Files.walk(run)) {
            final List<Path> notes = files.filter(file -> file.endsWith(RoleFiles.STALLS)).toList();
            for (final Path each : notes) {
                Files.delete(each);
            }
            return !notes.isEmpty();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode slowest(final String page) {
        final String data = page.replaceFirst("(?s).* id=\"report-data\">(.*?)</script>.*", "$1");
        return Json.line().readTree(data).path("tests").path(0).path("slowest");
    }
}
