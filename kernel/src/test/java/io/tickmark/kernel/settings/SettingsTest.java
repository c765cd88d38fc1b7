package io.tickmark.kernel.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsTest {
    enum Pace {
        FIXED,
        AS_FAST_AS_POSSIBLE
    }

    record Sample(
            @Setting(help = "Bytes.", byDefault = "64", unit = "bytes", min = 16, max = 65536)
                    int payloadBytes,
            @Setting(help = "Messages.", byDefault = "10k", min = 1) long samples,
            @Setting(help = "Rate.", byDefault = "0", unit = "msg/s", min = 0, max = 1e9)
                    double ratePerSecond,
            @Setting(help = "How long.", byDefault = "2s", min = 1e6, max = 60e9) Duration runTime,
            @Setting(help = "How.", byDefault = "fixed") Pace pace,
            @Setting(help = "Flag.") boolean verbose,
            @Setting(help = "Text.", byDefault = "none") String title,
            @Setting(help = "Sizes.", byDefault = "16..64", unit = "bytes", min = 16, max = 8192)
                    List<Integer> sizes,
            @Setting(help = "Names.") List<String> names) {
        Sample {
            if (title.equals("refused")) {
                throw UserError.usage("title must not be refused.");
            }
            if (title.equals("broken")) {
                throw new IllegalArgumentException("broken");
            }
        }
    }

    record Familiar(
            @Setting(help = "How long.", byDefault = "5s", unit = "s", max = 60e9)
                    Duration runTime) {}

    record Needed(@Setting(help = "Where to.") int port) {}

    record WrongDefault(@Setting(help = "Wrong.", byDefault = "5", min = 10) int wrong) {}

    record Nothing() {}

    record Guarded(
            @Setting(help = "A secret.") String token, @Setting(help = "A word.") String note) {}

    record Shared(
            @Setting(
                            help = "Least difference.",
                            byDefault = "0.03",
                            unit = Setting.PART,
                            min = 0,
                            max = 10)
                    double least,
            @Setting(help = "May be lost.", byDefault = "0", unit = Setting.PART, min = 0, max = 1)
                    double lostPart,
            @Setting(help = "Is lost.", byDefault = "0", unit = Setting.PERCENT, min = 0, max = 100)
                    double lossPercent) {}

    record Renamed(@Setting(help = "Where.", key = "interface") String networkInterface) {}

    record Group(@Setting(help = "Core.", byDefault = "-1") int core) {}

    record Grouped(
            @Setting(help = "Title.", byDefault = "none") String title,
            Group group,
            @Setting(help = "Bytes.", byDefault = "64") int payloadBytes) {}

    private static final UnaryOperator<String> NAMING = key -> "plan.yaml line 7: " + key;

    private static Sample read(final String key, final Object value) {
        return Settings.read(Sample.class, Collections.singletonMap(key, value), NAMING);
    }

    private static void assertRefused(final String key, final Object value, final String part) {
        assertThatThrownBy(() -> read(key, value))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE))
                .hasMessageContaining("plan.yaml line 7: " + key)
                .hasMessageContaining(part);
    }

    @Test
    void shouldFlattenGroupsThatRecordsShare() {
        final Grouped read =
                Settings.read(Grouped.class, Map.of("core", "3", "payloadBytes", 32), NAMING);

        assertThat(read).isEqualTo(new Grouped("none", new Group(3), 32));
        assertThat(Settings.toMap(read))
                .containsExactly(
                        Map.entry("title", "none"),
                        Map.entry("core", 3),
                        Map.entry("payloadBytes", 32));
    }

    @Test
    void shouldTakeDefaultsForWhatIsAbsent() {
        assertThat(Settings.read(Sample.class, Map.of(), NAMING))
                .isEqualTo(
                        new Sample(
                                64,
                                10_000,
                                0,
                                Duration.ofSeconds(2),
                                Pace.FIXED,
                                false,
                                "none",
                                List.of(16, 32, 64),
                                List.of()));
    }

    @Test
    void shouldReadTextAndTypedValues() {
        assertThat(read("payloadBytes", "128").payloadBytes()).isEqualTo(128);
        assertThat(read("payloadBytes", 128).payloadBytes()).isEqualTo(128);
        assertThat(read("payloadBytes", 128.0).payloadBytes()).isEqualTo(128);
        assertThat(read("samples", "1.5M").samples()).isEqualTo(1_500_000);
        assertThat(read("samples", " 2G ").samples()).isEqualTo(2_000_000_000L);
        assertThat(read("ratePerSecond", "2.5k").ratePerSecond()).isEqualTo(2500);
        assertThat(read("ratePerSecond", 0.1).ratePerSecond()).isEqualTo(0.1);
        assertThat(read("title", 7).title()).isEqualTo("7");
    }

    @Test
    void shouldReadFlags() {
        assertThat(read("verbose", "true").verbose()).isTrue();
        assertThat(read("verbose", "").verbose()).isTrue();
        assertThat(read("verbose", true).verbose()).isTrue();
        assertThat(read("verbose", "FALSE").verbose()).isFalse();
        assertRefused("verbose", "maybe", "true or false");
    }

    @Test
    void shouldReadEnumsByTheirWord() {
        assertThat(read("pace", "As-Fast-As-Possible").pace()).isEqualTo(Pace.AS_FAST_AS_POSSIBLE);
        assertThat(read("pace", "as_fast_as_possible").pace()).isEqualTo(Pace.AS_FAST_AS_POSSIBLE);
        assertThat(read("pace", Pace.FIXED).pace()).isEqualTo(Pace.FIXED);
        assertRefused("pace", "slow", "one of fixed, as-fast-as-possible");
    }

    @Test
    void shouldReadListsOfNumbersAndDoublingRanges() {
        assertThat(read("sizes", "16, 32,64").sizes()).containsExactly(16, 32, 64);
        assertThat(read("sizes", "16..128,1k").sizes()).containsExactly(16, 32, 64, 128, 1000);
        assertThat(read("sizes", "16..8192").sizes()).hasSize(10).endsWith(8192);
        assertThat(read("sizes", List.of(64, "128..256")).sizes()).containsExactly(64, 128, 256);
        assertThat(read("sizes", 64).sizes()).containsExactly(64);
        assertThat(read("sizes", "").sizes()).isEmpty();
    }

    @Test
    void shouldRefuseRangesThatDoNotMeetTheirEnd() {
        assertRefused("sizes", "16..8k", "write 16..4096 or 16..8192");
        assertRefused("sizes", "0..64", "start at 1 or above");
        assertRefused("sizes", "64..16", "end above its start");
        assertRefused("sizes", "16,,32", "empty element");
        assertRefused("sizes", Arrays.asList(16, null), "without a value");
        assertRefused("sizes", List.of(List.of(16)), "takes one value");
    }

    @Test
    void shouldReadListsOfText() {
        assertThat(read("names", "a, b").names()).containsExactly("a", "b");
        assertThat(read("names", List.of("a,b", 1)).names()).containsExactly("a,b", "1");
    }

    @Test
    void shouldNameTheNearestKeyWhenOneIsUnknown() {
        assertRefused("payload-byte", 64, "did you mean plan.yaml line 7: payloadBytes?");
        assertRefused("PAYLOADBYTES", 64, "did you mean plan.yaml line 7: payloadBytes?");
        assertRefused("zzzzzzzz", 64, "known are plan.yaml line 7: payloadBytes, ");
    }

    @Test
    void shouldSayThatARecordWithoutSettingsTakesNone() {
        assertThatThrownBy(() -> Settings.read(Nothing.class, Map.of("x", 1), NAMING))
                .hasMessage(
                        "plan.yaml line 7: x is not a setting here; there are no settings here.");
    }

    @Test
    void shouldNameTheBoundWithItsUnit() {
        assertThatThrownBy(() -> read("payloadBytes", 8))
                .hasMessage(
                        "plan.yaml line 7: payloadBytes is 8; it must be between 16 and 65536 bytes.");
        assertThatThrownBy(() -> read("samples", 0))
                .hasMessage("plan.yaml line 7: samples is 0; it must be at least 1.");
        assertRefused("ratePerSecond", "-0.5", "between 0 and 1000000000 msg/s");
        assertRefused("ratePerSecond", "2G", "between 0 and 1000000000 msg/s");
        assertRefused("sizes", "16,8", "is 8; it must be between 16 and 8192 bytes");
        assertRefused("runTime", "100us", "is 100us; it must be between 1ms and 1m.");
        assertRefused("runTime", "1h", "between 1ms and 1m.");
    }

    private static Shared shared(final String key, final Object value) {
        return Settings.read(Shared.class, Map.of(key, value), name -> "--" + name);
    }

    /** A user who types 5 means 5 %, and would get 500 %. */
    @Test
    void shouldTakeMoreThanTheWholeWithItsSignAlone() {
        assertThat(shared("least", "5%").least()).isEqualTo(0.05);
        assertThat(shared("least", "0.05").least()).isEqualTo(0.05);
        assertThat(shared("least", "150 %").least()).isEqualTo(1.5);
        assertThat(shared("lostPart", 1).lostPart()).isEqualTo(1);
        assertThat(shared("lostPart", "100%").lostPart()).isEqualTo(1);
        for (final Object typed : List.of("5", 5, 5.0, "1", "1.5", "5k")) {
            assertThatThrownBy(() -> shared("least", typed))
                    .isInstanceOf(UserError.class)
                    .hasMessage(
                            "--least is %s; without a percent sign it is a fraction, where 0.05 is 5%%: write %s%%."
                                    .formatted(typed, typed));
        }
        assertThatThrownBy(() -> shared("lostPart", 2)).hasMessageEndingWith("write 2%.");
    }

    @Test
    void shouldTakeTheSignWhereTheKeySaysPercent() {
        assertThat(shared("lossPercent", "5%").lossPercent()).isEqualTo(5);
        assertThat(shared("lossPercent", 5).lossPercent()).isEqualTo(5);
    }

    @Test
    void shouldReadBackAShareOfMoreThanTheWhole() {
        final Shared settings = shared("least", "150%");

        assertThat(Settings.toMap(settings)).containsEntry("least", "150%");
        assertThat(Settings.read(Shared.class, Settings.toMap(settings), key -> key))
                .isEqualTo(settings);
    }

    record Renaming(
            @Setting(
                            help = "Messages before.",
                            byDefault = "5",
                            formerly = {"warmUp"})
                    int warmUpMessages) {}

    @Test
    void shouldRefuseAFormerKeyWithTheNewOne() {
        assertThatThrownBy(
                        () -> Settings.read(Renaming.class, Map.of("warmUp", 1), key -> "--" + key))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "--warmUp is not a setting here; it is called --warmUpMessages now: Messages before.");
    }

    /** A plan among the files of a run does not contain its secrets. */
    @Test
    void shouldNotTakeTheMarkOfASecretForTheSecret() {
        assertThatThrownBy(() ->
                        Settings.read(
                                Guarded.class,
                                Map.of("token", Secrets.HIDDEN, "note", "n"),
                                key -> key))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "token is ***, which stands for a secret that was kept out of a file; write the secret in its place.");
        assertThat(Settings.read(Guarded.class, Map.of("token", "t", "note", "***"), key -> key))
                .isEqualTo(new Guarded("t", "***"));
    }

    @Test
    void shouldRefuseWhatIsNoNumber() {
        assertRefused("payloadBytes", "many", "\"many\", which is not a number");
        assertRefused("payloadBytes", "", "not a number");
        assertRefused("payloadBytes", "64m", "not a number");
        assertRefused("payloadBytes", "1.5", "whole number");
        assertRefused(
                "payloadBytes", "3G", "is 3000000000; it must be between 16 and 65536 bytes.");
        assertRefused("payloadBytes", "1e30", "it must be between 16 and 65536 bytes.");
        assertRefused("samples", "1e30", "it must be between 1 and 9223372036854775807.");
        assertRefused("samples", "1e999999999", "whole number");
        assertRefused("samples", "1e-999999999", "whole number");
        assertRefused("samples", "9".repeat(10_000), "not a number");
        assertRefused("ratePerSecond", Double.NaN, "not a number");
        assertRefused("ratePerSecond", Double.POSITIVE_INFINITY, "not a number");
        assertRefused("ratePerSecond", "1e400", "not a number");
        assertRefused("ratePerSecond", true, "not a number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "x%", ""})
    void shouldSayHowAShareIsWritten(final String text) {
        assertThatThrownBy(() -> Settings.read(Shared.class, Map.of("lostPart", text), key -> key))
                .isInstanceOf(UserError.class)
                .hasMessageEndingWith("write a percentage or a fraction, for example 10% or 0.1.");
    }

    @Test
    void shouldRefuseValuesOfTheWrongShape() {
        assertRefused("payloadBytes", List.of(1, 2), "takes one value");
        assertRefused("title", Map.of("a", 1), "takes one value");
        assertRefused("title", null, "has no value");
    }

    @Test
    void shouldKeepControlCharactersAndLengthOutOfErrors() {
        assertThatThrownBy(() -> read("verbose", "\u001b[31m" + "x".repeat(1000)))
                .hasMessageNotContaining("\u001b")
                .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(200));
    }

    @Test
    void shouldSayThatASettingWithoutDefaultIsNeeded() {
        assertThatThrownBy(() -> Settings.read(Needed.class, Map.of(), NAMING))
                .isInstanceOf(UserError.class)
                .hasMessage("plan.yaml line 7: port is needed: Where to.");
    }

    @Test
    void shouldLetErrorsOfTheRecordThrough() {
        assertThatThrownBy(() -> read("title", "refused"))
                .isInstanceOf(UserError.class)
                .hasMessage("title must not be refused.");
        assertThatThrownBy(() -> read("title", "broken"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broken");
    }

    @Test
    void shouldBlameTheRecordForADefaultOutOfBounds() {
        assertThatThrownBy(() -> Settings.read(WrongDefault.class, Map.of(), NAMING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the default of WrongDefault.wrong is 5");
    }

    @Test
    void shouldReadBackWhatItTurnedIntoAMap() {
        final Sample sample =
                new Sample(
                        128,
                        7,
                        0.5,
                        Duration.ofMillis(1500),
                        Pace.AS_FAST_AS_POSSIBLE,
                        true,
                        "",
                        List.of(16),
                        List.of("a,b"));

        final Map<String, Object> map = Settings.toMap(sample);

        assertThat(map.keySet())
                .containsExactly(
                        "payloadBytes",
                        "samples",
                        "ratePerSecond",
                        "runTime",
                        "pace",
                        "verbose",
                        "title",
                        "sizes",
                        "names");
        assertThat(map).containsEntry("runTime", "1500ms").containsEntry("samples", 7L);
        assertThat(map).containsEntry("pace", "as-fast-as-possible");
        assertThat(Settings.read(Sample.class, map, NAMING)).isEqualTo(sample);
    }

    @Test
    void shouldUseTheKeyThatASettingChose() {
        final Renamed renamed = Settings.read(Renamed.class, Map.of("interface", "lo"), NAMING);

        assertThat(renamed.networkInterface()).isEqualTo("lo");
        assertThat(Settings.toMap(renamed)).containsExactly(Map.entry("interface", "lo"));
    }

    @Test
    void shouldTakeABareNumberInTheUnitOfTheDuration() {
        assertThat(Settings.read(Familiar.class, Map.of("runTime", "30"), NAMING).runTime())
                .isEqualTo(Duration.ofSeconds(30));
        assertThat(Settings.read(Familiar.class, Map.of("runTime", "30ms"), NAMING).runTime())
                .isEqualTo(Duration.ofMillis(30));
    }

    record GivenGroup(@Setting(help = "A name.", byDefault = "x") String name, Given given) {}

    record WithGroup(@Setting(help = "A number.", byDefault = "7") int number, GivenGroup group) {}

    @Test
    void shouldReportWhatWasGivenEvenWhereItIsTheDefault() {
        final WithGroup none = Settings.read(WithGroup.class, Map.of(), key -> key);
        assertThat(none.group().given().keys()).isEmpty();

        final WithGroup same = Settings.read(WithGroup.class, Map.of("number", 7), key -> key);
        assertThat(same.group().given().has("number")).isTrue();
        assertThat(same.group().given().has("name")).isFalse();
        assertThat(Settings.toMap(same)).isEqualTo(Map.of("number", 7, "name", "x"));
        assertThat(SettingDescriptor.of(WithGroup.class))
                .extracting(SettingDescriptor::key)
                .containsExactly("number", "name");
    }

    record Files(
            @Setting(help = "A file.", byDefault = "out") String file,
            @Setting(help = "A number.", byDefault = "3") int number) {}

    record Writing(@Defaults("file=summary=1.txt") Files files) {}

    record Misspelled(@Defaults("fiel=x") Files files) {}

    @Test
    void shouldTakeTheDefaultsThatARecordHasForAGroup() {
        assertThat(Settings.read(Writing.class, Map.of(), NAMING).files())
                .isEqualTo(new Files("summary=1.txt", 3));
        assertThat(Settings.read(Writing.class, Map.of("file", "x"), NAMING).files().file())
                .isEqualTo("x");
        assertThat(Settings.read(Files.class, Map.of(), NAMING).file()).isEqualTo("out");
        assertThatThrownBy(() -> SettingDescriptor.of(Misspelled.class))
                .hasMessageContaining("\"fiel=x\" of")
                .hasMessageContaining("is no default of its group");
    }

    @Test
    void shouldCopySettingsWithOtherValues() {
        final WithGroup settings = Settings.read(WithGroup.class, Map.of("name", "a"), NAMING);
        assertThat(Settings.with(settings, Map.of("number", 8)))
                .isEqualTo(new WithGroup(8, settings.group()));
        assertThatThrownBy(() -> Settings.with(settings, Map.of("numbr", 8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has no numbr");
    }
}
