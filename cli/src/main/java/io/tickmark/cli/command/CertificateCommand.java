package io.tickmark.cli.command;

import io.tickmark.cli.option.EmaPerfDialect;
import io.tickmark.cli.option.SettingOptions;
import io.tickmark.cli.output.Terminal;
import io.tickmark.kernel.settings.SettingDescriptor;
import io.tickmark.kernel.settings.Settings;
import io.tickmark.workloads.market.certificate.TestCertificate;
import io.tickmark.workloads.market.certificate.TestCertificate.TestCertificateSettings;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code market certificate}: a keystore with which servers and clients of a test trust each other.
 */
final class CertificateCommand implements Command {
    CertificateCommand() {}

    @Override
    public CommandSpec spec() {
        final CommandSpec spec = CommandSpec.create();
        spec.usageMessage()
                .description(
                        "Makes a keystore with a key and a self-signed certificate. Give it to both sides of an"
                                + " encrypted test with --key-file and --key-password; never use it for anything else."
                                + EmaPerfDialect.CERTIFICATE.mention());
        options().addTo(spec);
        return spec;
    }

    @Override
    public String example() {
        return "./tickmark market certificate --out test.p12 --key-password secret-word";
    }

    @Override
    public int run(final ParseResult arguments, final Terminal terminal) {
        final TestCertificateSettings settings =
                Settings.read(
                        TestCertificateSettings.class,
                        options().values(arguments),
                        options().naming(arguments));
        final Path file = TestCertificate.create(settings);
        terminal.out()
                .println(
                        "%s: a key and its certificate for %s, for tests only."
                                .formatted(file, String.join(", ", settings.hosts())));
        return 0;
    }

    private static SettingOptions options() {
        return new SettingOptions(EmaPerfDialect.CERTIFICATE)
                .add(SettingDescriptor.of(TestCertificateSettings.class), Set.of());
    }
}
