package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars of the user's own beside the installation: the sample's policy, and an engine. */
class PluginsTest {
    @TempDir private static Path plugins;
    @TempDir private Path folder;

    @BeforeAll
    static void build() throws IOException {
        SamplePlugins.build(plugins);
    }

    private Launch.Outcome tickmark(final Path jars, final String line) {
        return Launch.tickmark(folder, line).with("TICKMARK_PLUGINS", jars.toString()).run();
    }

    @Test
    void shouldConflateByThePolicyOfTheSample() throws IOException {
        Files.writeString(
                folder.resolve("moves.yaml"),
                """
                schema: tickmark.plan/1
                name: moves
                description: A policy from a plug-in.
                tests:
                  - name: moves
                    workload: feed
                    settings: {symbols: 20, rate: 4000, warmUp: 300ms, duration: 4s, clients: 3, conflation: moves}
                    roles: [{role: feed-server}, {role: feed-clients}]
                    criteria: {minRateHeldPart: 0}
                """);

        final Launch.Outcome outcome =
                Launch.tickmark(
                                folder,
                                "run moves.yaml --no-noise --no-history --json --out result")
                        .with("TICKMARK_PLUGINS", plugins.toString())
                        .runInTime(folder.resolve("result"));

        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(ResultDocument.parse(outcome.out()).trial().path("received").asLong())
                .isPositive();
        assertThat(Files.readString(folder.resolve("result/result.json")))
                .as("the environment says which plug-ins there were")
                .containsPattern("\"moves\"\\s*:\\s*\"1.0 \\(plug-in\\)\"");
    }

    @Test
    void shouldRunRolesOnAnEngineThatIsNoneOfOurs() {
        assertThat(tickmark(plugins, "engines").out())
                .containsPattern("(?m)^mine +An engine from a plug-in +ready$");
        final Launch.Outcome outcome =
                tickmark(
                        plugins,
                        "latency --channel mine://"
                                + LoopbackAddress.next()
                                + " --sizes 64 --samples 200 --warm-up 100ms --ping-timeout 10s"
                                + " --no-noise --no-history --json");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(ResultDocument.parse(outcome.out()).trial().path("received").asLong())
                .isEqualTo(200);
    }

    @Test
    void shouldSayWhatIsWrongWithAPlugIn() throws IOException {
        final Path services =
                Files.createDirectories(folder.resolve("broken/" + SamplePlugins.SERVICES));
        Files.writeString(services.resolve("io.tickmark.transport.Transport"), "no.such.Engine\n");
        final Path jar = Files.createDirectory(folder.resolve("jars")).resolve("broken.jar");
        SamplePlugins.jar(jar, "-C", folder + "/broken", "META-INF");

        final Launch.Outcome outcome = tickmark(jar.getParent(), "engines");

        assertThat(outcome.errLines())
                .singleElement()
                .asString()
                .contains("A plug-in in " + jar.getParent(), "no.such.Engine", "remove its jar");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    /** The ServiceLoader would pass it over in silence. */
    @Test
    void shouldRefuseAPlugInForAnInterfaceThatIsGone() throws IOException {
        final Path services =
                Files.createDirectories(folder.resolve("old/" + SamplePlugins.SERVICES));
        Files.writeString(services.resolve("io.tickmark.spi.OldEngine"), "mine.Old\n");
        final Path jar = Files.createDirectory(folder.resolve("jars")).resolve("old-1.0.jar");
        SamplePlugins.jar(jar, "-C", folder + "/old", "META-INF");

        assertRefused(tickmark(jar.getParent(), "engines"), jar, "io.tickmark.spi.OldEngine");
    }

    /**
     * Built against classes and methods that this version does not have, or without those it has.
     */
    @Test
    void shouldRefuseAPlugInThatNeedsWhatHasMoved() throws IOException {
        final Path jars = Files.createDirectory(folder.resolve("jars"));
        SamplePlugins.buildOld(jars);

        assertRefused(
                tickmark(Files.createDirectories(jars.resolve("class")), "engines"),
                jars.resolve("class/moved.jar"),
                "io.tickmark.spi.Moved");
        assertRefused(
                tickmark(
                        jars.resolve("method"),
                        "latency --channel called: --sizes 64 --samples 10 --no-noise --warm-up 100ms"),
                jars.resolve("method/called.jar"),
                "needs the method int io.tickmark.transport.ChannelUri.former(), which is not in this one");
        assertRefused(
                tickmark(
                        jars.resolve("constructor"),
                        "latency --channel built: --sizes 64 --samples 10 --no-noise --warm-up 100ms"),
                jars.resolve("constructor/built.jar"),
                "needs the constructor io.tickmark.kernel.role.HotThread(java.lang.String, boolean), which is not in this");
        assertRefused(
                tickmark(jars.resolve("interface"), "engines"),
                jars.resolve("interface/bare.jar"),
                "does not implement ");
    }

    private static void assertRefused(
            final Launch.Outcome outcome, final Path jar, final String missing) {
        assertThat(outcome.errLines().stream().filter(line -> line.contains("plug-in")))
                .as(outcome.err() + outcome.out())
                .singleElement()
                .asString()
                .contains(jar.toString(), missing, "docs/migrating.md", "take it out");
        assertThat(outcome.err()).doesNotContain("Error:");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }

    @Test
    void shouldRunTheContractTestsOfAnEngineWithNothingButAnInstallation() throws IOException {
        final Launch.Outcome outcome = SamplePlugins.contractTests(plugins, folder);

        assertThat(outcome.exitCode()).as(outcome.err() + outcome.out()).isZero();
        assertThat(outcome.out()).containsPattern("[1-9][0-9]+ passed, 0 failed");
    }

    @Test
    void shouldSayThatTheFolderIsNotThere() {
        final Launch.Outcome outcome = tickmark(folder.resolve("nowhere"), "engines");
        assertThat(outcome.errLines())
                .singleElement()
                .asString()
                .startsWith("tickmark: TICKMARK_PLUGINS names ")
                .contains("which is not a folder");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }
}
