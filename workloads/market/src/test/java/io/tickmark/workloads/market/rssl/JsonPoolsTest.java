package io.tickmark.workloads.market.rssl;

import static org.assertj.core.api.Assertions.assertThat;

import com.refinitiv.eta.json.util.JsonFactory;
import java.io.File;
import java.lang.reflect.Field;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class JsonPoolsTest {
    /** In classes of its own, as the pools of this process may have been filled by another test. */
    @Test
    void shouldBeFilledBeforeTheLibraryMakesAConnection() throws Exception {
        try (URLClassLoader classes =
                new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            final Field filled =
                    classes.loadClass(JsonFactory.class.getName())
                            .getDeclaredField("isInitialized");
            filled.setAccessible(true);
            assertThat(filled.getBoolean(null)).isFalse();
            final CompletableFuture<Boolean> filledBefore = new CompletableFuture<>();
            final Supplier<Object> maker =
                    () -> {
                        try {
                            filledBefore.complete(filled.getBoolean(null));
                        } catch (final IllegalAccessException e) {
                            filledBefore.completeExceptionally(e);
                        }
                        return "";
                    };
            final Consumer<Object> closer = each -> {};
            final Class<?> opening = classes.loadClass(EmaOpening.class.getName());
            final Object made = opening.getConstructor(Consumer.class).newInstance(closer);
            opening.getMethod("start", Supplier.class).invoke(made, maker);
            assertThat(filledBefore.get(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(JsonPoolsTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(final String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (final MalformedURLException e) {
            throw new AssertionError(e);
        }
    }
}
