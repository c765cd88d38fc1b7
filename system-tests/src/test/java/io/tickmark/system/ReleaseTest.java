package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An archive of a version holds what the changelog says of that version. */
class ReleaseTest {
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>tickmark</artifactId>\\s*<version>([^<]+)</version>");
    private static final Pattern SECTION =
            Pattern.compile("(?m)^## (\\S+) - \\d{4}-\\d{2}-\\d{2}$|^## .*$");

    private static String read(final String file) throws IOException {
        return Files.readString(Launch.ROOT.resolve(file));
    }

    private static String version() throws IOException {
        final Matcher found = VERSION.matcher(read("pom.xml"));
        assertThat(found.find()).isTrue();
        return found.group(1);
    }

    @Test
    void shouldNameTheVersionThatIsBuiltFirstInTheChangelog() throws IOException {
        final Matcher section = SECTION.matcher(read("CHANGELOG.md"));

        assertThat(section.find()).isTrue();
        assertThat(section.group(1))
                .as("version and date; what comes after a release comes with the next version")
                .isEqualTo(version());
        assertThat(version()).matches("\\d+[.]\\d+[.]\\d+");
    }

    @Test
    void shouldHaveOneVersionEverywhere() throws IOException {
        final String version = version();

        assertThat(read("deploy/helm/tickmark/Chart.yaml"))
                .contains("version: " + version + "\n", "appVersion: " + version + "\n");
        for (final String sample : List.of("github.yml", "gitlab.yml")) {
            assertThat(read("samples/ci/" + sample)).contains("tickmark-" + version + "-linux");
        }
        for (final String page : List.of("console", "report", "site")) {
            assertThat(read(page + "/package.json"))
                    .as("a page is never published alone: it has the version of its build")
                    .doesNotContain("\"version\":");
        }
        assertThat(read("docs/kubernetes.md"))
                .contains("/tickmark:" + version, "--set image.tag=" + version);
        final Launch.Outcome said = Launch.tickmark(Path.of("/tmp"), "--version").run();
        assertThat(said.out()).contains(version);
    }
}
