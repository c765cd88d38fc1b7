package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.maven.artifact.versioning.ComparableVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The gate that refuses libraries with known holes, and the command that renews its list. */
class KnownHolesTest {
    private static final Path DIST = Launch.ROOT.resolve("cli/target/dist");
    private static final String TODAY = "2026-11-24";

    private static URLClassLoader loader;
    private static Class<?> gate;

    @TempDir private Path root;
    private Path dist;

    @BeforeAll
    static void compile(@TempDir final Path classes) throws Exception {
        final String jars;
        try (Stream<Path> files = Files.list(DIST.resolve("lib"))) {
            jars = files.map(Path::toString).collect(Collectors.joining(":"));
        }
        final int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                "-cp",
                                jars,
                                Launch.ROOT.resolve("config/KnownHoles.java").toString());
        assertThat(status).isZero();
        loader =
                new URLClassLoader(
                        new URL[] {classes.toUri().toURL()}, KnownHolesTest.class.getClassLoader());
        gate = loader.loadClass("KnownHoles");
    }

    @AfterAll
    static void unload() throws IOException {
        loader.close();
    }

    @BeforeEach
    void layOut() throws IOException {
        dist = Files.createDirectories(root.resolve("dist/lib")).getParent();
        Files.createDirectories(root.resolve("config"));
        Files.copy(
                Launch.ROOT.resolve("config/known-holes.json"),
                root.resolve("config/known-holes.json"));
        allow("[]");
    }

    @Test
    void shouldRefuseTheCompressionThatShippedWithAHole() throws IOException {
        ships("org.lz4", "lz4-java", "1.8.0");
        final Launch.Outcome outcome = check();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("org.lz4:lz4-java 1.8.0", "CVE-2025-12183", "CVE-2025-66566");
    }

    @Test
    void shouldTellVersionsWithinARangeFromThoseBeyondIt() throws IOException {
        ships("org.apache.commons", "commons-lang3", "3.17.0");
        assertThat(check().err()).contains("CVE-2025-48924", "fixed in 3.18.0");
        ships("org.apache.commons", "commons-lang3", "3.18.0");
        assertThat(check().exitCode()).isZero();
        // of several branches each has its own end; 42.3.10 comes after 42.3.9
        ships("org.postgresql", "postgresql", "42.3.8");
        assertThat(check().err()).contains("CVE-2024-1597");
        ships("org.postgresql", "postgresql", "42.3.10");
        assertThat(check().exitCode()).isZero();
        ships("io.netty", "netty-codec-http", "4.2.0.RC3");
        assertThat(check().err()).contains("CVE-2025-58056");
        ships("io.netty", "netty-codec-http", "4.2.20.Final");
        assertThat(check().exitCode()).isZero();
        ships("org.apache.logging.log4j", "log4j-core", "2.0-beta9");
        assertThat(check().err()).contains("CVE-2021-44228");
        ships("org.apache.logging.log4j", "log4j-core", "2.0-beta6");
        assertThat(check().exitCode()).isZero();
    }

    /** No list of dependencies names what a jar has swallowed. */
    @Test
    void shouldFindWhatAJarHasSwallowed() throws IOException {
        ships("org.example", "all-in-one", "1");
        try (JarOutputStream jar =
                new JarOutputStream(Files.newOutputStream(dist.resolve("lib/all-in-one-1.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/maven/org.json/json/pom.properties"));
            jar.write(
                    "groupId=org.json\nartifactId=json\nversion=20230227\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
        }
        final Launch.Outcome outcome = check();
        assertThat(outcome.err()).contains("within all-in-one-1.jar", "CVE-2023-5072");
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    @Test
    void shouldLookAtThePackagesOfThePages() throws IOException {
        ships("org.example", "nothing", "1");
        Files.writeString(
                root.resolve("config/known-holes.json"),
                """
                {"renewed": "2026-11-23", "vulns": [{"id": "GHSA-x", "summary": "s", "affected": [
                 {"package": {"ecosystem": "npm", "name": "@a/chart"},
                  "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": "2.0.0-rc.2"}]}]}]}]}
                """);
        page("2.0.0-rc.1", "");
        assertThat(check().err()).contains("@a/chart 2.0.0-rc.1 (in the page of report)");
        page("2.0.0-rc.10", "");
        assertThat(check().exitCode()).isZero();
        page("1.0.0", ", \"dev\": true");
        assertThat(check().exitCode()).isZero();
    }

    @Test
    void shouldAllowForATimeAndAReason() throws IOException {
        ships("org.json", "json", "20230227");
        final String line =
                "[{'id': 'CVE-2023-5072', 'name': 'org.json:json', 'reason': 'reads our own files alone', 'until': '%s'}]"
                        .replace('\'', '"');
        allow(line.formatted(TODAY));
        assertThat(check().exitCode()).isZero();
        allow(line.formatted("2026-11-23"));
        final Launch.Outcome late = check();
        assertThat(late.exitCode()).isEqualTo(1);
        assertThat(late.err()).contains("was allowed until 2026-11-23 (reads our own files alone)");
        ships("org.json", "json", "20231013");
        allow(line.formatted(TODAY));
        assertThat(check().err()).contains("which nothing that ships has any more");
    }

    @Test
    void shouldSayThatTheListIsOld() throws IOException {
        ships("org.json", "json", "20231013");
        assertThat(check("2027-11-24").err()).contains("config/renew-known-holes renews it");
    }

    @Test
    void shouldRefuseToPassWhereNothingIsNamed() throws IOException {
        Files.writeString(dist.resolve("tickmark.cdx.json"), "{}");
        assertThat(check().exitCode()).isNotZero();
    }

    @Test
    void shouldNotCallPassedOfflineWhatItCouldNotLookAt() throws IOException {
        final Launch.Outcome none = offline();
        assertThat(none.exitCode()).isEqualTo(3);
        assertThat(none.err()).contains("not looked for", "'mvn -pl cli -am -DskipTests verify'");

        ships("org.json", "json", "20231013");
        assertThat(check().exitCode()).as("a build with the network").isZero();
        Files.delete(dist.resolve("tickmark.cdx.json"));
        emptyJar("json-20231013.jar");
        emptyJar("tickmark-cli-0.1.0.jar");
        assertThat(offline().exitCode()).as("the same libraries").isZero();
        assertThat(dist.resolve("tickmark.cdx.json")).exists();

        Files.move(dist.resolve("lib/json-20231013.jar"), dist.resolve("lib/json-20230227.jar"));
        final Launch.Outcome other = offline();
        assertThat(other.exitCode()).isEqualTo(3);
        assertThat(other.err()).contains("does not name json-20230227.jar");
    }

    private void emptyJar(final String name) throws IOException {
        try (JarOutputStream jar =
                new JarOutputStream(Files.newOutputStream(dist.resolve("lib").resolve(name)))) {
            jar.putNextEntry(new JarEntry("empty"));
        }
    }

    private Launch.Outcome offline() {
        System.setProperty("tickmark.offline", "true");
        try {
            return check();
        } finally {
            System.clearProperty("tickmark.offline");
        }
    }

    /** Maven itself is the judge. */
    @Test
    void shouldCompareVersionsAsMavenDoes() throws ReflectiveOperationException {
        final List<String> versions =
                List.of(
                        ("1 1.0 1.0.0 1.1 1-1 1.0-1 1-sp 1-ga 1.0.Final 1-final 1.0-rc1 1.0-cr1 1rc1 1-a1 1a1 1-alpha-1"
                                        + " 1-SNAPSHOT 1.0-SNAPSHOT 1-beta2 1.0.0.Beta3 2.0-beta9 2.15.0 2.0.0-M1 2.0.0-M2 42.7.7"
                                        + " 42.7.7.jre7 42.7.10 20230227 4.2.0.Alpha1 4.2.0.RC3 4.2.5.Final 33.0-android 33.0-jre"
                                        + " 1.x 1.foo 1-foo1 1.01 1.1.0 1.1-0 1-0.1 1.0x 1-x.1 0 0.0 1.2.3-4.5 1.2.3.4-rc-2"
                                        + " 2.2.38.Final 3.8.16.Final 1.5.6-10 1.5.6-9 3.50.3.0 3.54.1.0 1.9.0-alpha 1.2.3-4 2")
                                .split(" "));
        final Method compare = gate.getDeclaredMethod("compareMaven", String.class, String.class);
        compare.setAccessible(true);
        for (final String one : versions) {
            for (final String other : versions) {
                assertThat(Integer.signum((int) compare.invoke(null, one, other)))
                        .as(one + " and " + other)
                        .isEqualTo(
                                Integer.signum(
                                        new ComparableVersion(one)
                                                .compareTo(new ComparableVersion(other))));
            }
        }
    }

    @Test
    void shouldRenewTheListFromTheServiceAndKeepWhatItDoesNotKnow() throws IOException {
        ships("org.json", "json", "20230227");
        final List<String> asked = new ArrayList<>();
        final HttpServer osv =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        osv.createContext(
                "/v1/query",
                exchange -> {
                    final String question =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    asked.add(question);
                    final String answer =
                            question.contains("page_token")
                                    ? "{\"vulns\": [{\"id\": \"GHSA-second\", \"affected\": []}]}"
                                    : """
                                    {"next_page_token": "more", "vulns": [{"id": "GHSA-4jq9-2xhw-jpx7",
                                     "aliases": ["CVE-2023-5072"],
                                     "details": "long prose", "affected":
                                     [{"package": {"ecosystem": "Maven", "name": "org.json:json"},
                                     "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "20231013"}]}]},
                                     {"package": {"ecosystem": "Maven", "name": "not:ours"}}]}]}
                                    """;
                    final byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        osv.start();
        try {
            final String address = "http://127.0.0.1:" + osv.getAddress().getPort();
            final Launch.Outcome outcome = run("renew", root.toString(), dist.toString(), address);
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        } finally {
            osv.stop(0);
        }
        assertThat(asked).hasSize(2).allMatch(question -> question.contains("org.json:json"));
        assertThat(Files.readString(root.resolve("config/known-holes.json")))
                .contains("GHSA-4jq9-2xhw-jpx7", "GHSA-second", "CVE-2025-12183")
                .doesNotContain("\"id\" : \"CVE-2023-5072\"", "long prose", "not:ours");
        final Launch.Outcome checked = check();
        assertThat(checked.err()).contains("CVE-2023-5072");
        assertThat(checked.out())
                .as("what OSV does not know is not OSV's")
                .containsPattern(", 2 records of OSV of [0-9-]+ and [1-9][0-9]* written by hand, ");
    }

    @Test
    void shouldLeaveTheListAsItWasWhenTheServiceFails() throws IOException {
        ships("org.json", "json", "20230227");
        final String before = Files.readString(root.resolve("config/known-holes.json"));
        final HttpServer osv =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        osv.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(503, -1);
                    exchange.close();
                });
        osv.start();
        try {
            final String address = "http://127.0.0.1:" + osv.getAddress().getPort();
            final Launch.Outcome outcome = run("renew", root.toString(), dist.toString(), address);
            assertThat(outcome.exitCode()).isNotZero();
            assertThat(outcome.err()).contains("answered 503", "the list stays as it was");
        } finally {
            osv.stop(0);
        }
        assertThat(Files.readString(root.resolve("config/known-holes.json"))).isEqualTo(before);
    }

    @Test
    void shouldSayThatTheServiceCannotBeReached() throws IOException {
        ships("org.json", "json", "20230227");
        final String before = Files.readString(root.resolve("config/known-holes.json"));
        final String address = "127.0.0.1:" + LoopbackAddress.freePort();

        final Launch.Outcome outcome =
                run("renew", root.toString(), dist.toString(), "http://" + address);

        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err())
                .startsWith(address + " cannot be reached (")
                .contains("the list stays as it was")
                .doesNotContain("null");
        assertThat(Files.readString(root.resolve("config/known-holes.json"))).isEqualTo(before);
    }

    @Test
    void shouldSayOfHowManyLibrariesTheListSaysNothing() throws IOException {
        ships("org.json", "json", "20231013");
        page("1.0.0", "");
        Files.writeString(
                root.resolve("config/known-holes.json"),
                """
                {"written": "2026-11-23", "vulns": [{"id": "CVE-x", "affected": [
                 {"package": {"ecosystem": "Maven", "name": "org.json:json"}, "versions": ["1"]}]}]}
                """);
        assertThat(check().out())
                .contains(
                        "2 libraries, 1 records, written by hand on 2026-11-23",
                        "1 of 2 libraries have no record in the list, which says nothing of whether they have holes");
        Files.writeString(
                root.resolve("config/known-holes.json"),
                "{\"renewed\": \"2026-11-23\", \"vulns\": []}");
        assertThat(check().out())
                .contains("0 records of OSV of 2026-11-23", "2 of 2 libraries have no record")
                .doesNotContain("by hand");
    }

    /** Nobody but OSV's answers may call the list renewed. */
    @Test
    void shouldNotCallAListRenewedThatWasWrittenByHand() throws IOException {
        final String list = Files.readString(Launch.ROOT.resolve("config/known-holes.json"));

        assertThat(list.contains("\"renewed\"")).isEqualTo(!list.contains("written by hand"));
    }

    @Test
    void shouldNameThePackagesOfThePagesInTheBill() throws IOException {
        ships("org.json", "json", "20231013");
        page("1.0.0", ", \"license\": \"MIT\", \"integrity\": \"sha512-AQI=\"");
        check();
        final String once = bill();
        check();

        assertThat(bill()).as("the second time").isEqualTo(once);
        assertThat(once)
                .containsOnlyOnce("\"purl\" : \"pkg:npm/%40a/chart@1.0.0\"")
                .contains("\"expression\" : \"MIT\"", "\"content\" : \"0102\"");
        page("1.0.0", ", \"dev\": true");
        ships("org.json", "json", "20231013");
        check();
        assertThat(bill()).doesNotContain("pkg:npm");
    }

    @Test
    void shouldNameTheLinkedJavaInTheBill() throws IOException {
        ships("org.json", "json", "20231013");
        final Path linked =
                Files.writeString(
                        root.resolve("linked"),
                        "JAVA_VERSION=\"25.0.3\"\nMODULES=\"java.base java.sql\"\n");
        final Path jdk =
                Files.writeString(
                        root.resolve("jdk"),
                        "JAVA_VERSION=\"25.0.3\"\nJAVA_RUNTIME_VERSION=\"25.0.3+9-LTS\"\n"
                                + "IMPLEMENTOR=\"Someone\"\nMODULES=\"java.base java.se\"\n");
        final String file = dist.resolve("tickmark.cdx.json").toString();

        assertThat(run("java", file, linked.toString(), jdk.toString()).exitCode()).isZero();
        assertThat(bill())
                .contains(
                        "\"purl\" : \"pkg:generic/openjdk@25.0.3%2B9-LTS\"",
                        "\"name\" : \"Someone\"", "\"value\" : \"java.base java.sql\"");
        assertThat(check().exitCode()).as("it is no library of Maven's").isZero();
        assertThat(run("java", file, root.resolve("none").toString()).err())
                .contains("no JAVA_VERSION in");
    }

    @Test
    void shouldNameThePackagesOfDebianInTheBillOfAnImage() throws IOException {
        ships("org.json", "json", "20231013");
        final Path status =
                Files.writeString(
                        root.resolve("status"),
                        """
                        Package: libstdc++6
                        Status: install ok installed
                        Architecture: amd64
                        Version: 1:12.2.0-14+deb12u1
                        Description: a library
                         Version: of a line that goes on

                        Package: gone
                        Status: deinstall ok config-files
                        Version: 1
                        """);
        final String file = dist.resolve("tickmark.cdx.json").toString();

        assertThat(run("debian", file, status.toString()).exitCode()).isZero();
        assertThat(bill())
                .contains("pkg:deb/debian/libstdc%2B%2B6@1%3A12.2.0-14%2Bdeb12u1?arch=amd64")
                .doesNotContain("gone");
        Files.writeString(status, "");
        assertThat(run("debian", file, status.toString()).err())
                .contains("lists no installed package");
    }

    private String bill() throws IOException {
        return Files.readString(dist.resolve("tickmark.cdx.json"));
    }

    @Test
    void shouldShipABillOfMaterialsOfAllThatShips() throws IOException {
        final String bill = Files.readString(DIST.resolve("tickmark.cdx.json"));
        assertThat(bill).contains("\"bomFormat\" : \"CycloneDX\"");
        final List<String> jars;
        try (var files = Files.list(DIST.resolve("lib"))) {
            jars = files.map(file -> file.getFileName().toString()).toList();
        }
        assertThat(jars)
                .filteredOn(jar -> !jar.startsWith("tickmark-cli-"))
                .allSatisfy(jar ->
                        assertThat(components(bill))
                                .as(jar)
                                .anyMatch(each -> jar.startsWith(each)));
        for (final String page : List.of("report", "console")) {
            final JsonNode lock =
                    JsonMapper.shared()
                            .readTree(
                                    Files.readString(
                                            Launch.ROOT.resolve(page + "/package-lock.json")));
            assertThat(lock.path("packages").properties())
                    .filteredOn(each -> !each.getKey().isEmpty())
                    .filteredOn(each -> !each.getValue().path("dev").asBoolean(false))
                    .isNotEmpty()
                    .allSatisfy(each ->
                            assertThat(bill)
                                    .contains(
                                            "pkg:npm/"
                                                    + each.getKey()
                                                            .replaceFirst("^.*node_modules/", "")
                                                            .replace("@", "%40")
                                                    + "@"
                                                    + each.getValue().path("version").asString()
                                                    + "\""));
        }
    }

    /** Names and versions, from the purls: {@code pkg:maven/GROUP/NAME@VERSION?type=jar}. */
    private static List<String> components(final String bill) {
        return java.util.regex.Pattern.compile("pkg:maven/[^/\"]+/([^@\"]+)@([^?\"]+)")
                .matcher(bill)
                .results()
                .map(match -> match.group(1) + "-" + match.group(2))
                .distinct()
                .toList();
    }

    private void ships(final String group, final String name, final String version)
            throws IOException {
        Files.writeString(
                dist.resolve("tickmark.cdx.json"),
                "{\"components\": [{\"group\": \"%s\", \"name\": \"%s\", \"version\": \"%s\"}]}"
                        .formatted(group, name, version));
    }

    private void page(final String version, final String more) throws IOException {
        Files.createDirectories(root.resolve("report"));
        Files.writeString(
                root.resolve("report/package-lock.json"),
                "{\"packages\": {\"\": {\"version\": \"1\"}, \"node_modules/@a/chart\": {\"version\": \"%s\"%s}}}"
                        .formatted(version, more));
    }

    private void allow(final String lines) throws IOException {
        Files.writeString(root.resolve("config/allowed-holes.json"), lines);
    }

    private Launch.Outcome check() {
        return check(TODAY);
    }

    private Launch.Outcome check(final String today) {
        return run("check", root.toString(), dist.toString(), today);
    }

    /** As a process of its own would, which would have to compile it each time. */
    private static Launch.Outcome run(final String... words) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode;
        try {
            final Method run =
                    gate.getDeclaredMethod(
                            "run", String[].class, PrintStream.class, PrintStream.class);
            run.setAccessible(true);
            exitCode = (int) run.invoke(null, words, new PrintStream(out), new PrintStream(err));
        } catch (final InvocationTargetException e) {
            exitCode = 3;
            err.writeBytes(e.getCause().getMessage().getBytes(StandardCharsets.UTF_8));
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        return new Launch.Outcome(
                exitCode,
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8));
    }
}
