package io.tickmark.console;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.settings.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class BrowserRowFuzzTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @FuzzTest
    void shouldReadRowsOrSayWhatIsWrong(final FuzzedDataProvider data) {
        try {
            for (final BrowserRow row :
                    BrowserRow.readAll(JSON.readTree(data.consumeRemainingAsString()))) {
                assert row.messages() >= 0 && row.seconds() >= 0;
            }
        } catch (final UserError | JacksonException e) {
            assert e.getMessage() != null;
        }
    }
}
