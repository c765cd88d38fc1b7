package io.tickmark.system.docs;

import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.PlanLibrary;
import io.tickmark.lab.plan.RoleCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A plan with mistakes, and what is said of it. */
final class PlanProblems {
    private static final String PLAN =
            """
            schema: tickmark.plan/1
            name: monday
            tests:
              - name: ping
                workload: latency
                channel: ["udp://127.0.0.1:0"]
                settings: {sizes: [8], sample: 1000}
                roles:
                  - role: latency-pup
                  - {role: latency-sub, cores: one}
                faults:
                  - {role: latency-sub, at: 2s, do: explode}
            """;

    private PlanProblems() {}

    static String shown() {
        try {
            final Path folder = Files.createTempDirectory("tickmark-docs");
            final Path file = Files.writeString(folder.resolve("monday.yaml"), PLAN);
            try {
                final String said = said(file).replace(folder + "/", "");
                return "```yaml\n" + PLAN + "```\n\n```text\ntickmark: " + said + "\n```\n";
            } finally {
                Files.delete(file);
                Files.delete(folder);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String said(final Path file) {
        try {
            new PlanLibrary(RoleCatalog.load()).find(file.toString());
            throw new AssertionError("the plan has mistakes, and none was found");
        } catch (final UserError e) {
            return e.getMessage();
        }
    }
}
