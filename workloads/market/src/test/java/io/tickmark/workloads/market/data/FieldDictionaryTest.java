package io.tickmark.workloads.market.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.refinitiv.eta.codec.DataTypes;
import io.tickmark.kernel.settings.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FieldDictionaryTest {
    @TempDir Path folder;

    @Test
    void shouldHaveTheTrackingFieldsAndAFieldOfEveryType() {
        final FieldDictionary own = FieldDictionary.own();

        assertThat(own.typeOf(3902)).isEqualTo(DataTypes.UINT);
        assertThat(own.typeOf(3903)).isEqualTo(DataTypes.UINT);
        assertThat(own.typeOf(3904)).isEqualTo(DataTypes.UINT);
        assertThat(own.hasIntendedTime()).isTrue();
        assertThat(own.hasSequences()).isTrue();
        assertThat(own.typeOf(4711)).isEqualTo(DataTypes.UNKNOWN);
        assertThat(java.util.stream.IntStream.rangeClosed(-3920, -3911).map(own::typeOf))
                .containsExactlyInAnyOrder(
                        DataTypes.INT,
                        DataTypes.FLOAT,
                        DataTypes.DOUBLE,
                        DataTypes.DATETIME,
                        DataTypes.QOS,
                        DataTypes.STATE,
                        DataTypes.BUFFER,
                        DataTypes.ASCII_STRING,
                        DataTypes.UTF8_STRING,
                        DataTypes.RMTES_STRING);
        assertThat(own.codec().entry(4).enumTypeTable()).isNotNull();
    }

    @Test
    void shouldNameADictionaryThatIsNotThere() {
        assertThatThrownBy(() ->
                        FieldDictionary.read(
                                folder.resolve("RDMFieldDictionary"),
                                folder.resolve("enumtype.def")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("RDMFieldDictionary: there is no such file")
                .hasMessageContaining("--field-dictionary");
    }

    @Test
    void shouldNameTheLineOfAWrongDictionary() throws IOException {
        FieldDictionary.writeOwn(folder);
        final Path fields = folder.resolve("RDMFieldDictionary");
        Files.writeString(fields, Files.readString(fields).replace("    22  NULL", "    XX  NULL"));

        assertThatThrownBy(() -> FieldDictionary.read(fields, folder.resolve("enumtype.def")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("this field dictionary cannot be read")
                .hasMessageContaining("Line=");
    }

    /** The library fails without a text. */
    @Test
    void shouldSayThatAnEnumerationHasTooManyValues() throws IOException {
        FieldDictionary.writeOwn(folder);
        final Path enums = folder.resolve("enumtype.def");
        Files.write(
                enums,
                java.util.stream.IntStream.range(1000, 4000)
                        .mapToObj("%d \"XYZ\" value"::formatted)
                        .toList(),
                java.nio.file.StandardOpenOption.APPEND);

        assertThatThrownBy(() -> FieldDictionary.read(folder.resolve("RDMFieldDictionary"), enums))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("enumtype.def: this dictionary of enumerations")
                .hasMessageContaining("2500 values");
    }

    @Test
    void shouldRefuseADictionaryWithoutFields() throws IOException {
        FieldDictionary.writeOwn(folder);
        final Path fields = Files.writeString(folder.resolve("empty"), "");

        assertThatThrownBy(() -> FieldDictionary.read(fields, folder.resolve("enumtype.def")))
                .isInstanceOf(UserError.class);
    }
}
