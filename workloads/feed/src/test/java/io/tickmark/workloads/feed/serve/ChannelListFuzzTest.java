package io.tickmark.workloads.feed.serve;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tickmark.kernel.settings.UserError;

class ChannelListFuzzTest {
    @FuzzTest
    void shouldReadAListOrSayWhatIsWrong(final FuzzedDataProvider data) {
        try {
            ChannelList.read(data.consumeRemainingAsString(), "fuzz.yaml");
        } catch (final UserError e) {
            assert !e.getMessage().isEmpty();
        }
    }
}
