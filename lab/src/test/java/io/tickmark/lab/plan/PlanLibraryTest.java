package io.tickmark.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanLibraryTest {
    private final PlanLibrary library = new PlanLibrary(RoleCatalog.load());

    @TempDir private Path folder;

    @Test
    void shouldListWhatIsShipped() {
        assertThat(library.names()).contains("mock", "mock-pair");
        assertThat(library.find("mock").description()).isEqualTo("Includes another.");
    }

    @Test
    void shouldTakeAPlanOnceThatIsTwiceOnTheClassPath() throws IOException {
        final Path one = shippedIn("one", "Said once.");
        final Path copy = shippedIn("copy", "Said once.");

        assertThat(libraryOf(one, copy).names()).containsExactly("p");
    }

    @Test
    void shouldFindPlansInAJar() throws IOException {
        final Path plan = shippedIn("one", "Said once.").resolve("tickmark/plans/p.yaml");
        final Path jar = folder.resolve("plans.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("tickmark/plans/"));
            out.putNextEntry(new JarEntry("tickmark/plans/p.yaml"));
            Files.copy(plan, out);
            out.putNextEntry(new JarEntry("tickmark/plans/readme.txt"));
        }

        final ShippedPlans plans =
                new ShippedPlans(new URLClassLoader(new URL[] {jar.toUri().toURL()}, null));
        assertThat(plans.names()).containsExactly("p");
        assertThat(plans.description("p")).isEqualTo("Said once.");
    }

    @Test
    void shouldRefuseTwoPlansOfOneName() throws IOException {
        final Path one = shippedIn("one", "Said once.");
        final Path other = shippedIn("other", "Said otherwise.");

        assertThatThrownBy(() -> libraryOf(one, other).find("p"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("there are two different tickmark/plans/p.yaml");
    }

    private Path shippedIn(final String root, final String description) throws IOException {
        final Path plans = Files.createDirectories(folder.resolve(root + "/tickmark/plans"));
        Files.writeString(
                plans.resolve("p.yaml"),
                "schema: tickmark.plan/1\nname: p\ndescription: " + description + "\n");
        return folder.resolve(root);
    }

    private static PlanLibrary libraryOf(final Path... roots) throws IOException {
        final URL[] urls = new URL[roots.length];
        for (int i = 0; i < roots.length; i++) {
            urls[i] = roots[i].toUri().toURL();
        }
        return new PlanLibrary(RoleCatalog.load(), new URLClassLoader(urls, null));
    }

    @Test
    void shouldPutIncludedTestsFirst() {
        final Plan plan = library.find("mock");

        assertThat(plan.tests()).extracting(TestPlan::name).containsExactly("pair", "alone");
        assertThat(plan.noise()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void shouldReadAFileThatIncludesOneBesideIt() throws IOException {
        Files.writeString(
                folder.resolve("a.yaml"),
                "schema: tickmark.plan/1\nname: a\ninclude: [b.yaml, mock-pair]\n");
        Files.writeString(
                folder.resolve("b.yaml"),
                "schema: tickmark.plan/1\nname: b\ntests: [{name: x, workload: mock, roles: [{role: mock-sender}]}]\n");

        assertThat(library.find(folder.resolve("a.yaml").toString()).tests())
                .extracting(TestPlan::name)
                .containsExactly("x", "pair");
    }

    @Test
    void shouldRefuseAPlanThatIncludesItself() throws IOException {
        final Path file = folder.resolve("a.yaml");
        Files.writeString(file, "schema: tickmark.plan/1\nname: a\ninclude: [" + file + "]\n");

        assertThatThrownBy(() -> library.find(file.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("includes itself");
    }

    @Test
    void shouldRefuseAPlanWithoutTests() throws IOException {
        final Path file = folder.resolve("a.yaml");
        Files.writeString(file, "schema: tickmark.plan/1\nname: a\n");

        assertThatThrownBy(() -> library.find(file.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no tests");
    }

    @Test
    void shouldNameTheNearestPlan() {
        assertThatThrownBy(() -> library.find("mokk"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("did you mean mock?");
        assertThatThrownBy(() -> library.find("./nowhere.yaml"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nowhere.yaml: there is no such file");
    }

    @Test
    void shouldRefuseAFileThatIsTooLarge() throws IOException {
        final Path file = folder.resolve("big.yaml");
        Files.writeString(file, "#".repeat(2 << 20));

        assertThatThrownBy(() -> library.find(file.toString()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("larger than 1 MiB");
    }

    @Test
    void shouldReadBackAPlanAsResolved() throws IOException {
        final Plan plan = library.find("mock-pair");
        final Path file = folder.resolve("plan.yaml");
        Files.writeString(file, PlanYaml.write(plan));

        assertThat(library.find(file.toString())).isEqualTo(plan);
    }

    @Test
    void shouldReadBackAPlanComposedInCode() throws IOException {
        final Plan plan =
                Plan.named("composed")
                        .withNoise(Duration.ZERO)
                        .with(
                                TestPlan.builder("t", "mock")
                                        .channel("mock:a?x=1")
                                        .setting("samples", "10")
                                        .setting("sizes", List.of(16, 32))
                                        .setting("trouble", "nothing")
                                        .role(RolePlan.of("mock-sender", Map.of()).times(2))
                                        .build());
        final Path file = folder.resolve("plan.yaml");
        Files.writeString(file, PlanYaml.write(plan));

        assertThat(library.find(file.toString())).isEqualTo(plan);
    }

    @Test
    void shouldNotWriteSecretsOut() {
        final Plan plan =
                Plan.named("closed")
                        .with(
                                TestPlan.builder("t", "mock")
                                        .setting("password", "open sesame")
                                        .role(RolePlan.of("mock-sender", Map.of("token", "t0k3n")))
                                        .build());

        assertThat(PlanYaml.write(plan))
                .contains("password: '***'", "token: '***'")
                .doesNotContain("sesame", "t0k3n");
    }

    @Test
    void shouldReadBackASearchAndAMembersFault() throws IOException {
        final Path original = folder.resolve("original.yaml");
        Files.writeString(
                original,
                """
                schema: tickmark.plan/1
                name: p
                tests:
                  - name: t
                    workload: mock
                    roles: [{role: mock-sender}, {role: mock-observer}]
                    faults:
                      - {role: mock-observer, member: 2, at: 1s, do: kill}
                      - {role: mock-observer, member: 2, at: 2s, do: restart}
                    search: {rateKey: samples, durationKey: lasting, finalTrial: 1500ms, reference: "a: b", width: 0.03}
                """);
        final Plan plan = library.find(original.toString());
        final Path file = folder.resolve("plan.yaml");
        Files.writeString(file, PlanYaml.write(plan));

        assertThat(plan.tests().getFirst().search().reference()).isEqualTo("a: b");
        assertThat(plan.tests().getFirst().faults().getFirst().member()).isEqualTo(2);
        assertThat(library.find(file.toString())).isEqualTo(plan);
    }

    @Test
    void shouldCastEveryRoleWithItsChannelAndNumber() {
        final TestPlan test = library.find("mock-pair").tests().getFirst();

        final List<RoleInstance> instances =
                new RoleResolver(RoleCatalog.load()).resolve(test, "mock:b");

        assertThat(instances)
                .extracting(RoleInstance::id)
                .containsExactly("mock-sender-1", "mock-receiver-1", "mock-receiver-2");
        assertThat(instances)
                .extracting(RoleInstance::process)
                .containsExactly("p1", "mock-receiver-1", "mock-receiver-2");
        assertThat(instances.getFirst().values())
                .containsEntry("channel", "mock:b")
                .containsEntry("samples", "1k")
                .containsEntry("lasting", "10ms");
    }
}
