package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.lab.plan.PlanSchema;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Here, because only here all roles are on the class path. */
class PlanSchemaTest {
    private static final Path PUBLISHED = Repository.DOCS.resolve("plan.schema.json");

    @Test
    void shouldBePublishedAsItIs() {
        if (Boolean.getBoolean("tickmark.docs.write")) {
            Repository.write(PUBLISHED, PlanSchema.json());
        }
        assertThat(Repository.read(PUBLISHED))
                .as("run this test with -Dtickmark.docs.write=true to bring it up to date")
                .isEqualTo(PlanSchema.json());
    }
}
