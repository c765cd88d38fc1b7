package io.tickmark.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.UserError;
import io.tickmark.lab.plan.RoleCatalog;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class EmaPerfDialectTest {
    /** What a role gets of a command line. */
    private static Map<String, Object> meant(
            final Dialect dialect, final String role, final String... line) {
        final SettingOptions options = options(dialect, role);
        final CommandSpec spec = CommandSpec.create();
        options.addTo(spec);
        return dialect.meant(
                options.values(new CommandLine(spec).parseArgs(line)), key -> "-" + key);
    }

    private static SettingOptions options(final Dialect dialect, final String role) {
        return new SettingOptions(dialect)
                .add(
                        SettingDescriptor.of(RoleCatalog.load().find(role).settings()),
                        dialect.replaced());
    }

    private static String help(final Dialect dialect, final String role) {
        final CommandSpec spec = CommandSpec.create();
        options(dialect, role).addTo(spec);
        return new CommandLine(spec).getUsageMessage();
    }

    @Test
    void shouldAcceptTheNamingOfServicesWithoutEffect() {
        assertThat(
                        meant(
                                EmaPerfDialect.CONSUMER,
                                "market-consumer",
                                "-useServiceId",
                                "1",
                                "-itemCount",
                                "5"))
                .isEqualTo(Map.of("itemCount", "5"));
        assertThat(
                        meant(
                                EmaPerfDialect.PUBLISHER,
                                "market-publisher",
                                "--use-service-id",
                                "0",
                                "-measureDecode"))
                .isEmpty();
    }

    @Test
    void shouldRefuseANamingOfServicesThatIsNone() {
        assertThatThrownBy(() ->
                        meant(EmaPerfDialect.CONSUMER, "market-consumer", "-useServiceId", "2"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("-useServiceId is 2");
    }

    @Test
    void shouldShowOnlyOptionsWithAnEffect() {
        assertThat(help(EmaPerfDialect.CONSUMER, "market-consumer"))
                .contains("-measureDecode")
                .doesNotContain("useServiceId", "use-service-id");
        assertThat(help(EmaPerfDialect.PROVIDER, "market-provider")).contains("-measureDecode");
        assertThat(help(EmaPerfDialect.PUBLISHER, "market-publisher"))
                .contains("-measureEncode")
                .doesNotContain("useServiceId", "measureDecode", "measure-decode");
    }

    @Test
    void shouldNameThePageForUsersOfEachTool() {
        assertThat(
                        List.of(
                                EmaPerfDialect.CONSUMER,
                                EmaPerfDialect.PROVIDER,
                                EmaPerfDialect.PUBLISHER,
                                EmaPerfDialect.TRANSPORT))
                .allSatisfy(dialect ->
                        assertThat(dialect.mention())
                                .contains("docs/coming-from/ema-performance-tools.md"));
    }

    @Test
    void shouldNameNoPageForTheHubWhichIsNoneOfTheTools() {
        assertThat(EmaPerfDialect.HUB.mention()).isEmpty();
        assertThat(meant(EmaPerfDialect.HUB, "market-hub", "-p", "14002"))
                .isEqualTo(Map.of("port", "14002"));
    }

    @Test
    void shouldLeaveDecodingToTheRolesThatDecode() {
        assertThat(meant(EmaPerfDialect.PROVIDER, "market-provider", "-measureDecode"))
                .isEqualTo(Map.of("measureDecode", "true"));
        assertThat(Set.copyOf(EmaPerfDialect.PROVIDER.options())).isEmpty();
    }
}
