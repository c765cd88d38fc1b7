package io.tickmark.system;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The module table of ARCHITECTURE.md, enforced. */
class ModuleRulesTest {
    private static final String OURS = "io.tickmark..";
    private static final String AGRONA = "org.agrona..";
    private static final String HISTOGRAM = "org.HdrHistogram..";
    private static final String JSON = "tools.jackson..";

    private static JavaClasses ours;

    /** A module, the modules it may use, and the libraries it may use beside the JDK. */
    enum Module {
        KERNEL("io.tickmark.kernel..", List.of(), AGRONA, HISTOGRAM, "oshi.."),
        TRANSPORT("io.tickmark.transport..", List.of(KERNEL), AGRONA),
        AERON("io.tickmark.engines.aeron..", List.of(TRANSPORT, KERNEL), AGRONA, "io.aeron.."),
        DDS("io.tickmark.engines.dds..", List.of(TRANSPORT, KERNEL), AGRONA),
        NATS("io.tickmark.engines.nats..", List.of(TRANSPORT, KERNEL), AGRONA, "io.nats.client.."),
        KAFKA(
                "io.tickmark.engines.kafka..",
                List.of(TRANSPORT, KERNEL),
                AGRONA,
                "org.apache.kafka..",
                "kafka..",
                "scala..",
                "org.slf4j..",
                "com.typesafe.scalalogging.."),
        REDIS(
                "io.tickmark.engines.redis..",
                List.of(TRANSPORT, KERNEL),
                AGRONA,
                "io.lettuce.core..",
                "io.netty.util.internal.logging.."),
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
        ARTIO(
                "io.tickmark.engines.artio..",
                List.of(FIX, WIRE, KERNEL),
                AGRONA,
                "io.aeron..",
                "uk.co.real_logic.artio.."),
        QUICKFIXJ("io.tickmark.engines.quickfixj..", List.of(FIX, KERNEL), "quickfix.."),
        FEED(
                "io.tickmark.workloads.feed..",
                List.of(TRANSPORT, KERNEL),
                AGRONA,
                HISTOGRAM,
                JSON,
                "io.undertow..",
                "org.xnio.."),
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
                        QUICKFIXJ,
                        ARTIO,
                        FEED,
                        CONSOLE,
                        WIRE,
                        AERON,
                        DDS,
                        NATS,
                        KAFKA,
                        REDIS,
                        TRANSPORT,
                        KERNEL),
                AGRONA,
                "picocli..",
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

    @BeforeAll
    static void importClasses() {
        ours =
                new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .withImportOption(location -> !location.contains("-tests.jar"))
                        .importPackages("io.tickmark");
        assertThat(ours.size()).isGreaterThan(50);
    }

    @ParameterizedTest
    @EnumSource
    void shouldUseOnlyWhatTheModuleTableAllows(final Module module) {
        classes()
                .that()
                .resideInAPackage(module.packages)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(module.mayUse))
                .check(ours);
    }

    @Test
    void shouldKnowTheModuleOfEveryClass() {
        final String[] known =
                Stream.of(Module.values()).map(module -> module.packages).toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(OURS)
                .should(
                        com.tngtech.archunit.lang.conditions.ArchConditions.be(
                                resideOutsideOfPackages(known)))
                .check(ours);
    }

    @Test
    void shouldReadClocksOnlyThroughTheirInterface() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .because("clocks are injected: org.agrona.concurrent.NanoClock")
                .check(ours);
    }

    @Test
    void shouldPrintOnlyInTheFrontDoor() {
        noClasses()
                .that()
                .resideOutsideOfPackage(Module.CLI.packages)
                .should()
                .accessField(System.class, "out")
                .orShould(dependOnClassesThat(resideInAnyPackage("java.util.logging..")))
                .check(ours);
    }
}
