package io.tickmark.kernel.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoreListTest {
    @Test
    void shouldReadNumbersAndRanges() {
        assertThat(CoreList.parse("0-3,8,10-11\n")).contains(List.of(0, 1, 2, 3, 8, 10, 11));
    }

    @Test
    void shouldReadCoresInAnyOrderOnce() {
        assertThat(CoreList.parse("5,1, 4-5")).contains(List.of(1, 4, 5));
    }

    @Test
    void shouldReadNothingAsNoCores() {
        assertThat(CoreList.parse(" \n")).contains(List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "3-1", "-1", "1-", "-", "8192", "0-999999999", "1;2", "0x1", "1 2"})
    void shouldRefuseWhatIsNoListOfCores(final String text) {
        assertThat(CoreList.parse(text)).isEmpty();
    }

    @Test
    void shouldWriteRunsAsRanges() {
        assertThat(CoreList.format(List.of(8, 0, 1, 2, 11, 10))).isEqualTo("0-2,8,10-11");
        assertThat(CoreList.format(List.of(7))).isEqualTo("7");
        assertThat(CoreList.format(List.of())).isEmpty();
    }
}
