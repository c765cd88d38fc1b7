package io.tickmark.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is handed to others, made by a copy of {@code deploy/package} of a build of next to nothing.
 */
class PackageTest {
    @TempDir private Path folder;
    private Path copy;
    private Path bin;

    @BeforeEach
    void layOutABuild() throws IOException {
        copy = folder.resolve("tick mark");
        bin = Files.createDirectories(folder.resolve("bin"));
        for (final String directory :
                List.of(
                        "deploy/ci",
                        "deploy/grafana",
                        "deploy/helm",
                        "docs",
                        "samples",
                        "config",
                        "cli/target/dist/config",
                        "cli/target/dist/lib",
                        "cli/target/dist/classpaths",
                        "cli/target/dist/contract")) {
            Files.createDirectories(copy.resolve(directory));
        }
        for (final String file :
                List.of(
                        "LICENSE",
                        "NOTICE",
                        "CHANGELOG.md",
                        "cli/target/dist/config/jvm.options",
                        "cli/target/dist/config/jar.options",
                        "config/host-agent",
                        "cli/target/dist/lib/tickmark-cli-1.jar")) {
            Files.createFile(copy.resolve(file));
        }
        Files.writeString(
                Files.createDirectories(copy.resolve("engines/one")).resolve("packages.txt"),
                "recommends one-server # for stores\nsuggests two-server\ntest three\npython four==1\n");
        Files.writeString(
                Files.createDirectories(copy.resolve("engines/kafka")).resolve("packages.txt"),
                "pack kafka # Apache Kafka: topics and a broker\n");
        Files.writeString(copy.resolve("cli/target/dist/tickmark.cdx.json"), "{}");
        Files.copy(
                Launch.ROOT.resolve("deploy/archive-readme.md"),
                copy.resolve("deploy/archive-readme.md"));
        Files.copy(Launch.ROOT.resolve("deploy/package"), copy.resolve("deploy/package"));
        script(copy.resolve("tickmark"), "exit 0");
        final Path jdk = Files.createDirectories(folder.resolve("jdk/bin")).getParent();
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.3\"\n");
        script(
                jdk.resolve("bin/jlink"),
                "for last; do :; done; mkdir -p \"$last/lib/server\"; cd \"$last/lib\"\n"
                        + "touch server/classes.jsa server/classes_nocoops.jsa libawt_xawt.so libjava.so");
        // looks for known holes, strips jars, completes the bill of materials
        script(jdk.resolve("bin/java"), "echo \"$@\" >>'" + copy.resolve("java-calls") + "'");
        for (final String module : List.of("kafka", "aeron")) {
            Files.writeString(
                    copy.resolve("cli/target/dist/classpaths/tickmark-engine-" + module + ".txt"),
                    "%s-1.jar\nshared-1.jar\n".formatted(module));
            Files.writeString(copy.resolve("cli/target/dist/lib/" + module + "-1.jar"), module);
        }
        Files.writeString(copy.resolve("cli/target/dist/lib/shared-1.jar"), "shared");
    }

    @Test
    void shouldPackTheBillOfMaterials() throws IOException {
        final Launch.Outcome outcome = pack("archive").run();
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        final Launch.Outcome names =
                Launch.of(Path.of("/bin/tar"), "-tzf", outcome.out().strip()).run();
        assertThat(names.out().lines()).anyMatch(name -> name.endsWith("/tickmark.cdx.json"));
    }

    /** Roles by hand did not start from an archive, which lacked the file of their flags. */
    @Test
    void shouldPackTheFlagsThatTheLauncherNames() throws IOException {
        final List<String> named =
                Pattern.compile("@[$]dist/(config/[a-z.]+)")
                        .matcher(Files.readString(Launch.ROOT.resolve("tickmark")))
                        .results()
                        .map(found -> found.group(1))
                        .distinct()
                        .toList();

        assertThat(named).contains("config/jvm.options");
        assertThat(names(Path.of(pack("archive").run().out().strip())))
                .extracting(PackageTest::belowTop)
                .containsAll(named);
    }

    @Test
    void shouldNameTheLinkedJavaInTheBillOfMaterials() throws IOException {
        assertThat(pack("archive").run().exitCode()).isZero();

        assertThat(Files.readAllLines(copy.resolve("java-calls")))
                .last()
                .asString()
                .containsSubsequence(
                        "KnownHoles.java java ",
                        "/tickmark.cdx.json ",
                        "/runtime/release ",
                        "/jdk/release");
    }

    /** Nothing is built from an archive. */
    @Test
    void shouldPackAReadmeOfTheArchiveItself() throws IOException {
        final Path archive = Path.of(pack("archive").run().out().strip());
        final String top = names(archive).getFirst();

        assertThat(
                        Launch.of(
                                        Path.of("/bin/tar"),
                                        "-xzOf",
                                        archive.toString(),
                                        top + "README.md")
                                .run()
                                .out())
                .contains("./tickmark quick", "report.html")
                .doesNotContain("Maven", "Node.js", "tickmark test");
    }

    @Test
    void shouldLeaveOutOfJavaWhatNothingUses() throws IOException {
        assertThat(names(Path.of(pack("archive").run().out().strip())))
                .extracting(PackageTest::belowTop)
                .filteredOn(name -> name.matches("runtime/lib/.*[.](jsa|so)"))
                .containsExactlyInAnyOrder(
                        "runtime/lib/server/classes.jsa", "runtime/lib/libjava.so");
    }

    @Test
    void shouldPackALargeEngineApartWithTheJarsThatItAloneNeeds() throws IOException {
        final Path archive = Path.of(pack("archive").run().out().strip());
        final Path pack;
        try (Stream<Path> files = Files.list(copy.resolve("target"))) {
            pack =
                    files.filter(file ->
                                    file.getFileName().toString().startsWith("tickmark-kafka-1-"))
                            .findFirst()
                            .orElseThrow();
        }
        assertThat(names(pack))
                .filteredOn(name -> !name.endsWith("/"))
                .extracting(PackageTest::belowTop)
                .containsExactly("classpaths/tickmark-engine-kafka.txt", "lib/kafka-1.jar");
        assertThat(names(archive))
                .extracting(PackageTest::belowTop)
                .contains(
                        "lib/aeron-1.jar",
                        "lib/shared-1.jar",
                        "classpaths/tickmark-engine-aeron.txt",
                        "packs/kafka.txt")
                .doesNotContain("lib/kafka-1.jar", "classpaths/tickmark-engine-kafka.txt");
        assertThat(names(pack).getFirst()).isEqualTo(names(archive).getFirst());
    }

    private static List<String> names(final Path archive) throws IOException {
        return Launch.of(Path.of("/bin/tar"), "-tzf", archive.toString())
                .run()
                .out()
                .lines()
                .toList();
    }

    private static String belowTop(final String name) {
        return name.substring(name.indexOf('/') + 1);
    }

    @Test
    void shouldMakeTheSameBytesOfTheSameCommit() throws IOException {
        final Launch packing = pack("archive").with("SOURCE_DATE_EPOCH", "1700000000");
        final byte[] first = Files.readAllBytes(Path.of(packing.run().out().strip()));
        touch();
        assertThat(Files.readAllBytes(Path.of(packing.run().out().strip()))).isEqualTo(first);
    }

    private void touch() throws IOException {
        Files.setLastModifiedTime(copy.resolve("CHANGELOG.md"), FileTime.fromMillis(0));
        Files.setPosixFilePermissions(
                copy.resolve("CHANGELOG.md"), PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    /** The system below tickmark is the same: what Debian changes in it is not ours. */
    @Test
    void shouldMakeTheSamePackageAndImageOfTheSameCommit() throws IOException {
        assumeTrue(Files.exists(Path.of("/usr/bin/dpkg-deb")), "dpkg-deb is not here");
        system();
        for (final String what : List.of("deb", "oci")) {
            final Launch packing = pack(what).with("SOURCE_DATE_EPOCH", "1700000000");
            final Launch.Outcome made = packing.run();
            assertThat(made.exitCode()).as(made.err()).isZero();
            final byte[] first = Files.readAllBytes(Path.of(made.out().strip()));
            touch();
            assertThat(Files.readAllBytes(Path.of(packing.run().out().strip())))
                    .as(what)
                    .isEqualTo(first);
        }
        assertThat(Files.readAllLines(copy.resolve("java-calls")))
                .as("what Debian brings is in the bill of materials of the image")
                .anyMatch(call ->
                        call.matches(".*KnownHoles.java debian .*-oci-.*[.]cdx[.]json .*status"));
    }

    /** In place of Debian's own program: a system with one file and its list of packages. */
    private void system() throws IOException {
        script(
                bin.resolve("mmdebstrap"),
                "for last; do :; done; mkdir -p \"$last.d/etc\" \"$last.d/var/lib/dpkg\"\n"
                        + "echo 12 >\"$last.d/etc/debian_version\"; echo 'Package: libc6' >\"$last.d/var/lib/dpkg/status\"\n"
                        + "tar -C \"$last.d\" -cf \"$last\" --mtime=@0 etc var; rm -rf \"$last.d\"");
    }

    /** Read by Python, whose words are the specification's: sizes, digests, the layers unpacked. */
    @Test
    void shouldMakeAnImageAndSignedChecksumsWithoutAContainerEngine() throws IOException {
        for (final String program : List.of("gpg", "dpkg-deb")) {
            assumeTrue(Files.exists(Path.of("/usr/bin", program)), program + " is not here");
        }
        system();
        final String home = Files.createDirectory(folder.resolve("keys")).toString();
        Files.setPosixFilePermissions(Path.of(home), PosixFilePermissions.fromString("rwx------"));
        final Launch keys =
                Launch.of(
                                Path.of("/usr/bin/gpg"),
                                "--batch",
                                "--passphrase",
                                "",
                                "--quick-generate-key",
                                "release@tickmark.example",
                                "ed25519",
                                "sign",
                                "never")
                        .with("GNUPGHOME", home);
        assertThat(keys.run().exitCode()).isZero();
        try {
            final Launch.Outcome outcome =
                    pack("all")
                            .with("GNUPGHOME", home)
                            .with("TICKMARK_SIGN_KEY", "release@tickmark.example")
                            .run();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            final Path sums = Path.of(outcome.out().strip());
            final Launch.Outcome checked =
                    Launch.of(
                                    Path.of("/bin/sh"),
                                    "-ec",
                                    "gpg --verify SHA256SUMS.asc SHA256SUMS; sha256sum -c SHA256SUMS")
                            .with("GNUPGHOME", home)
                            .in(sums.getParent())
                            .run();
            assertThat(checked.exitCode()).as(checked.err()).isZero();
            assertThat(checked.out())
                    .contains(".tar.gz: OK", ".deb: OK", "-oci-", "kafka", ".cdx.json: OK");
            checkAsUsersDo(sums, outcome.err());
            final Path image =
                    sums.resolveSibling(
                            checked.out()
                                    .lines()
                                    .filter(line -> line.matches(".*-oci-.*[.]tar: OK"))
                                    .findFirst()
                                    .orElseThrow()
                                    .replace(": OK", ""));
            final Launch.Outcome read =
                    Launch.of(Path.of("/usr/bin/python3"), "-c", READ_IMAGE, image.toString())
                            .run();
            assertThat(read.err()).isEmpty();
            assertThat(read.out().lines())
                    .contains(
                            "entry ['/opt/tickmark/tickmark']",
                            "tag tickmark:1",
                            "etc/debian_version",
                            "link opt/tickmark")
                    .anyMatch(line -> line.matches("opt/tickmark-1-linux-\\w+/lib/kafka-1.jar"));
        } finally {
            Launch.of(Path.of("/usr/bin/gpgconf"), "--kill", "all").with("GNUPGHOME", home).run();
        }
    }

    /** As a release is tried, where no container engine unpacks it. */
    @Test
    void shouldUnpackTheImageAndRefuseOneThatIsDamaged() throws IOException {
        system();
        final Launch.Outcome made = pack("oci").run();
        assertThat(made.exitCode()).as(made.err()).isZero();
        final Path image = Path.of(made.out().strip());
        final Path root = folder.resolve("root");

        final Launch.Outcome unpacked = pack("unpack").and(root.toString()).run();

        assertThat(unpacked.exitCode()).as(unpacked.err()).isZero();
        assertThat(unpacked.out()).isEqualTo("/opt/tickmark/tickmark\n");
        assertThat(root.resolve("etc/debian_version")).hasContent("12");
        assertThat(root.resolve("opt/tickmark/tickmark")).isExecutable();
        assertThat(root.resolve("opt/tickmark/lib/kafka-1.jar")).hasContent("kafka");
        assertThat(copy.resolve("target/oci-read")).doesNotExist();

        final Launch.Outcome damaged =
                Launch.of(
                                Path.of("/bin/sh"),
                                "-ec",
                                "mkdir parts && tar -C parts -xf \"$0\" && cd parts\n"
                                        + "echo more >>\"$(ls -S blobs/sha256/* | head -n 1)\"\n"
                                        + "tar -cf \"$0\" blobs index.json oci-layout",
                                image.toString())
                        .in(folder)
                        .run();
        assertThat(damaged.exitCode()).as(damaged.err()).isZero();
        final Launch.Outcome refused = pack("unpack").and(root.toString()).run();
        assertThat(refused.exitCode()).isEqualTo(3);
        assertThat(refused.err()).contains("a part is not what its digest says");
        assertThat(pack("unpack").run().exitCode()).as("without a folder").isEqualTo(2);
    }

    /** With the archive alone, as most have it, and by the page's own words. */
    private void checkAsUsersDo(final Path sums, final String err) throws IOException {
        final Path got = Files.createDirectory(folder.resolve("got"));
        final String archive;
        try (Stream<Path> files = Files.list(sums.getParent())) {
            archive =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.matches("tickmark-1-linux-\\w+[.]tar[.]gz"))
                            .findFirst()
                            .orElseThrow();
        }
        for (final String file :
                List.of("SHA256SUMS", "SHA256SUMS.asc", "SIGNING-KEY.asc", archive)) {
            Files.copy(sums.resolveSibling(file), got.resolve(file));
        }
        final Path empty = Files.createDirectory(folder.resolve("no keys"));
        Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("rwx------"));
        final Matcher block =
                Pattern.compile("```sh\\n([^`]*SHA256SUMS[^`]*)```")
                        .matcher(Files.readString(Launch.ROOT.resolve("docs/installing.md")));
        assertThat(block.find()).isTrue();
        final Launch checking =
                Launch.of(Path.of("/bin/sh"), "-ec", block.group(1))
                        .with("GNUPGHOME", empty.toString())
                        .with("LC_ALL", "C")
                        .in(got);
        try {
            final Launch.Outcome checked = checking.run();
            assertThat(checked.exitCode()).as(checked.err()).isZero();
            assertThat(checked.err()).contains("Good signature");
            assertThat(checked.out().lines()).last().isEqualTo(archive + ": OK");
            final Matcher fingerprint =
                    Pattern.compile("(?:[0-9A-F]{4} +){9}[0-9A-F]{4}").matcher(checked.out());
            assertThat(fingerprint.find()).as(checked.out()).isTrue();
            assertThat(err).contains(fingerprint.group());

            Files.writeString(got.resolve(archive), "changed");
            assertThat(checking.run().exitCode()).isNotZero();
        } finally {
            Launch.of(Path.of("/usr/bin/gpgconf"), "--kill", "all")
                    .with("GNUPGHOME", empty.toString())
                    .run();
        }
    }

    private static final String READ_IMAGE =
            """
            import hashlib, io, json, sys, tarfile
            layout = tarfile.open(sys.argv[1])
            def read(name): return layout.extractfile(name).read()
            def blob(of):
                content = read('blobs/' + of['digest'].replace(':', '/'))
                assert len(content) == of['size'] and 'sha256:' + hashlib.sha256(content).hexdigest() == of['digest']
                return content
            assert json.loads(read('oci-layout')) == {'imageLayoutVersion': '1.0.0'}
            entry = json.loads(read('index.json'))['manifests'][0]
            print('tag', entry['annotations']['org.opencontainers.image.ref.name'])
            manifest = json.loads(blob(entry))
            config = json.loads(blob(manifest['config']))
            print('entry', config['config']['Entrypoint'])
            import gzip
            for layer, diff in zip(manifest['layers'], config['rootfs']['diff_ids'], strict=True):
                tar = gzip.decompress(blob(layer))
                assert 'sha256:' + hashlib.sha256(tar).hexdigest() == diff
                for member in tarfile.open(fileobj=io.BytesIO(tar)):
                    print(('link ' if member.issym() else '') + member.name)
            """;

    /** In place of a jar that is too large: everything is, once it is compressed. */
    @Test
    void shouldHandOutNoArchiveThatIsTooLarge() throws IOException {
        compressTo(145_000_000);
        final Launch.Outcome small = pack("archive").run();
        assertThat(small.exitCode()).as(small.err()).isZero();

        compressTo(145_000_001);
        final Launch.Outcome large = pack("archive").run();
        assertThat(large.exitCode()).isEqualTo(3);
        assertThat(large.out()).isEmpty();
        assertThat(large.errLines())
                .singleElement()
                .asString()
                .contains(
                        ".tar.gz has 145000001 bytes, and 145000000 are allowed: put large engines into packs");
        assertThat(Path.of(small.out().strip())).doesNotExist();
    }

    /** Files with holes, which take no room. */
    private void compressTo(final long bytes) throws IOException {
        script(
                bin.resolve("gzip"),
                "for last; do :; done; rm \"$last\"; rm -f \"$last.gz\"; truncate -s %d \"$last.gz\""
                        .formatted(bytes));
    }

    @Test
    void shouldHandOutNothingWithAKnownHole() throws IOException {
        script(
                folder.resolve("jdk/bin/java"),
                "for word; do [ \"$word\" != check ] || exit 1; done");
        final Launch.Outcome outcome = pack("archive").run();
        assertThat(outcome.exitCode()).isEqualTo(3);
        assertThat(outcome.err()).contains("what was built has known holes");
        assertThat(copy.resolve("target")).doesNotExist();
    }

    private Launch pack(final String what) {
        return Launch.of(copy.resolve("deploy/package"), what)
                .with("JAVA_HOME", folder.resolve("jdk").toString())
                .with("PATH", bin + ":" + System.getenv("PATH"));
    }

    /** An archive of an older build had been taken, where one was there. */
    @Test
    void shouldMakeTheContainerOfWhatWasBuiltLast() throws IOException {
        // gets: build -f FILE --build-arg ARCHIVE=NAME --build-arg PACKAGES=NAMES -t TAG FOLDER
        script(
                bin.resolve("podman"),
                "[ \"$7\" = 'PACKAGES=one-server two-server ' ] || exit 9\n"
                        + "tar -xzOf \"${10}/${5#ARCHIVE=}\" --wildcards '*/docs/page.md'");
        for (final String text : List.of("as it was", "as it is")) {
            Files.writeString(copy.resolve("docs/page.md"), text);
            final Launch.Outcome outcome = pack("container").run();
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(outcome.out()).isEqualTo(text);
        }
    }

    private static void script(final Path file, final String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
