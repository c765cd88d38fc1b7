package io.tickmark.system;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The module table of ARCHITECTURE.md, enforced. */
class ModuleRulesTest {
    private static final String OURS = "io.tickmark..";
    private static final String ENGINES = "io.tickmark.engines..";
    private static final String RULES = "module-rules.txt";
    private static final String AGRONA = "org.agrona..";
    private static final String HISTOGRAM = "org.HdrHistogram..";
    private static final String JSON = "tools.jackson..";

    /** A module, the modules it may use, and the libraries it may use beside the JDK. */
    enum Module {
        KERNEL("io.tickmark.kernel..", List.of(), AGRONA, HISTOGRAM, "oshi.."),
        TRANSPORT("io.tickmark.transport..", List.of(KERNEL), AGRONA),
        WIRE("io.tickmark.wire..", List.of(KERNEL), AGRONA, HISTOGRAM),
        MARKET(
                "io.tickmark.workloads.market..",
                List.of(KERNEL),
                AGRONA,
                HISTOGRAM,
                "com.refinitiv.eta..",
                "com.refinitiv.ema..",
                "com.sun.management..",
                "javax.xml.stream..",
                "javax.net.ssl.."),
        FIX(
                "io.tickmark.workloads.fix..",
                List.of(KERNEL, WIRE),
                AGRONA,
                HISTOGRAM,
                "javax.net.ssl.."),
        FEED(
                "io.tickmark.workloads.feed..",
                List.of(TRANSPORT, KERNEL),
                AGRONA,
                HISTOGRAM,
                JSON,
                "io.undertow..",
                "org.xnio..",
                "javax.crypto.."),
        CONSOLE(
                "io.tickmark.console..",
                List.of(FEED, TRANSPORT, KERNEL),
                AGRONA,
                HISTOGRAM,
                JSON,
                "com.fasterxml.jackson.annotation..",
                "io.undertow.."),
        MESSAGING(
                "io.tickmark.workloads.messaging..", List.of(TRANSPORT, KERNEL), AGRONA, HISTOGRAM),
        LAB(
                "io.tickmark.lab..",
                List.of(KERNEL),
                AGRONA,
                HISTOGRAM,
                JSON,
                "com.fasterxml.jackson.annotation..",
                "com.networknt.schema..",
                "org.apache.commons.statistics..",
                "org.snakeyaml.engine.."),
        REPORT(
                "io.tickmark.report..",
                List.of(KERNEL, LAB),
                HISTOGRAM,
                JSON,
                "com.fasterxml.jackson.annotation..",
                "javax.xml.stream.."),
        KUBERNETES(
                "io.tickmark.kubernetes..",
                List.of(LAB, KERNEL),
                AGRONA,
                "io.fabric8.kubernetes..",
                "com.fasterxml.jackson.."),
        HISTORY("io.tickmark.history..", List.of(KERNEL)),
        METRICS(
                "io.tickmark.metrics..",
                List.of(LAB, KERNEL),
                AGRONA,
                "com.sun.net.httpserver..",
                "io.prometheus.metrics..",
                "io.opentelemetry.."),
        CLI(
                "io.tickmark.cli..",
                List.of(
                        REPORT,
                        KUBERNETES,
                        HISTORY,
                        METRICS,
                        LAB,
                        MESSAGING,
                        MARKET,
                        FIX,
                        FEED,
                        CONSOLE,
                        WIRE,
                        TRANSPORT,
                        KERNEL),
                AGRONA,
                ENGINES,
                "picocli..",
                "javax.xml.stream..",
                "me.tongfei.progressbar..");

        private final String packages;
        private final String[] mayUse;

        Module(final String packages, final List<Module> modules, final String... libraries) {
            this.packages = packages;
            this.mayUse =
                    Stream.of(
                                    Stream.of(packages, "java.."),
                                    modules.stream().map(each -> each.packages),
                                    Stream.of(libraries))
                            .flatMap(each -> each)
                            .toArray(String[]::new);
        }
    }

    @Test
    void shouldSeeTheClasses() {
        assertThat(OwnClasses.ALL.size()).isGreaterThan(50);
    }

    @ParameterizedTest
    @EnumSource
    void shouldUseOnlyWhatTheModuleTableAllows(final Module module) {
        classes()
                .that()
                .resideInAPackage(module.packages)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(module.mayUse))
                .check(OwnClasses.ALL);
    }

    /** An engine's rules lie in its own folder, so that adding one changes nothing here. */
    @ParameterizedTest
    @MethodSource("engines")
    void shouldUseOnlyWhatTheRulesOfAnEngineAllow(final String engine) throws IOException {
        final String own = "io.tickmark.engines." + engine + "..";
        final String[] mayUse =
                Stream.concat(
                                Stream.of(own, "java.."),
                                Files.readAllLines(folder().resolve(engine).resolve(RULES)).stream()
                                        .filter(line -> !line.isBlank() && !line.startsWith("#")))
                        .toArray(String[]::new);

        classes()
                .that()
                .resideInAPackage(own)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(mayUse))
                .check(OwnClasses.ALL);
    }

    static List<String> engines() throws IOException {
        try (Stream<Path> folders = Files.list(folder())) {
            return folders.filter(engine -> Files.exists(engine.resolve("pom.xml")))
                    .map(engine -> engine.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static Path folder() {
        return Path.of(System.getProperty("tickmark.root"), "engines");
    }

    @Test
    void shouldKnowTheModuleOfEveryClass() throws IOException {
        final String[] known =
                Stream.concat(
                                Stream.of(Module.values()).map(module -> module.packages),
                                engines().stream()
                                        .map(engine -> "io.tickmark.engines." + engine + ".."))
                        .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(OURS)
                .should(
                        com.tngtech.archunit.lang.conditions.ArchConditions.be(
                                resideOutsideOfPackages(known)))
                .check(OwnClasses.ALL);
    }

    /** Commands stand above what runs, and that above what can be typed and where it is printed. */
    @ParameterizedTest
    @CsvSource({
        "option, io.tickmark.cli.output..;io.tickmark.cli.run..;io.tickmark.cli.command..",
        "output, io.tickmark.cli.option..;io.tickmark.cli.run..;io.tickmark.cli.command..",
        "run, io.tickmark.cli.command.."
    })
    void shouldPointOneWayWithinTheFrontDoor(final String room, final String above) {
        noClasses()
                .that()
                .resideInAPackage("io.tickmark.cli." + room + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(above.split(";")))
                .check(OwnClasses.ALL);
    }

    @Test
    void shouldHaveNothingButItsEntryPointOutsideOfTheRoomsOfTheFrontDoor() {
        assertThat(
                        OwnClasses.ALL.stream()
                                .filter(each -> each.getPackageName().equals("io.tickmark.cli"))
                                .map(JavaClass::getSimpleName)
                                .filter(name -> !name.equals("package-info")))
                .containsExactly("Main");
    }

    @Test
    void shouldReadClocksOnlyThroughTheirInterface() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .because("clocks are injected: org.agrona.concurrent.NanoClock")
                .check(OwnClasses.ALL);
    }

    @Test
    void shouldPrintOnlyInTheFrontDoor() {
        noClasses()
                .that()
                .resideOutsideOfPackage(Module.CLI.packages)
                .should()
                .accessField(System.class, "out")
                .orShould(dependOnClassesThat(resideInAnyPackage("java.util.logging..")))
                .check(OwnClasses.ALL);
    }
}
