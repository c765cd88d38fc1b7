package io.tickmark.workloads.market.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.kernel.result.StepResult;
import io.tickmark.kernel.role.RoleResult;
import io.tickmark.workloads.market.RunningRoles;
import io.tickmark.workloads.market.consumer.MarketConsumer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our consumer with a provider that is made of the Message API's own classes. */
@Execution(ExecutionMode.CONCURRENT)
class ConsumerAgainstEmaTest {
    private static final long PATIENCE_NS = 60_000_000_000L;

    private static Map<String, Object> settings(final EmaProviderPeer provider) {
        final Map<String, Object> settings = new HashMap<>();
        settings.put("host", "127.0.0.1");
        settings.put("port", provider.port());
        settings.put("serviceName", "EMA_FEED");
        settings.put("itemCount", 50);
        settings.put("steadyStateTime", "9s");
        settings.put("reconnectDelay", "100ms");
        return settings;
    }

    private static RoleResult start(final Map<String, Object> settings) throws Exception {
        return start(settings, new RunningRoles());
    }

    private static RoleResult start(final Map<String, Object> settings, final RunningRoles on)
            throws Exception {
        try (RunningRoles roles = on) {
            return roles.start(new MarketConsumer.Factory(), settings).result();
        }
    }

    @Test
    void shouldGetImagesUpdatesAndServiceTimesFromAStockProvider() throws Exception {
        try (EmaProviderPeer provider = new EmaProviderPeer("EMA_FEED")) {
            final RoleResult result = start(settings(provider));
            assertThat(result.failure()).isEmpty();
            assertThat(result.metrics()).containsEntry("images", 50L);
            final StepResult steady = result.steps().get(1);
            assertThat(steady.counts().get("updates")).isGreaterThan(500);
            assertThat(steady.latencies().get("serviceNs").getTotalCount())
                    .isEqualTo(steady.counts().get("updates"));
            assertThat(steady.latencies()).doesNotContainKey("responseNs");
            assertThat(result.warnings())
                    .anySatisfy(warning -> assertThat(warning).contains("TM_INTENDED"));
        }
    }

    @Test
    void shouldPostAndSendGenericMessagesToAStockProvider() throws Exception {
        try (EmaProviderPeer provider = new EmaProviderPeer("EMA_FEED")) {
            final Map<String, Object> settings = settings(provider);
            settings.put("tickRate", 100);
            settings.put("postingRate", 200);
            settings.put("postingLatencyRate", "all");
            settings.put("genericMsgRate", 100);
            settings.put("uname", "somebody");
            final RoleResult result = start(settings);
            assertThat(result.failure()).isEmpty();
            final StepResult steady = result.steps().get(1);
            final long posts = steady.counts().get("posts");
            assertThat(posts).isGreaterThan(50);
            assertThat(steady.counts()).containsEntry("postsBack", posts);
            assertThat(steady.latencies().get("postServiceNs").getTotalCount()).isEqualTo(posts);
            assertThat(provider.posts()).isEqualTo((int) posts);
            assertThat(provider.generics()).isPositive();
            assertThat(provider.user()).isEqualTo("somebody");
        }
    }

    @Test
    void shouldWaitForAServiceThatAcceptsRequests() throws Exception {
        try (EmaProviderPeer provider = new EmaProviderPeer("EMA_FEED")) {
            provider.refuseRequests();
            final Map<String, Object> settings = settings(provider);
            settings.put("api", "ema");
            assertThat(start(settings, new RunningRoles(PATIENCE_NS)).failure())
                    .contains("the service EMA_FEED exists but does not accept requests");
        }
    }

    @Test
    void shouldSeeThatTheServiceIsThereNoMore() throws Exception {
        try (EmaProviderPeer provider = new EmaProviderPeer("EMA_FEED")) {
            provider.refuseRequests(); // else it could request before it goes
            provider.deleteService();
            final Map<String, Object> settings = settings(provider);
            settings.put("api", "ema");
            assertThat(start(settings, new RunningRoles(PATIENCE_NS)).failure())
                    .contains("the directory has no service EMA_FEED");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldSayWhyPostsAreNotTaken(final int useUserDispatch) throws Exception {
        try (EmaProviderPeer provider = new EmaProviderPeer("EMA_FEED")) {
            provider.refusePosts();
            final Map<String, Object> settings = settings(provider);
            settings.put("api", "ema");
            settings.put("useUserDispatch", useUserDispatch);
            settings.put("postingRate", 1000);
            settings.put("steadyStateTime", "60s");
            assertThat(start(settings).failure())
                    .contains("A message cannot be sent", "Posting not supported by provider");
        }
    }

    @Test
    void shouldSayThatTheLoginWasRefused() throws Exception {
        try (EmaProviderPeer provider = new EmaProviderPeer("EMA_FEED")) {
            provider.refuseLogins();
            assertThat(start(settings(provider)).failure())
                    .contains("refused the login", "not on the list");
        }
    }
}
