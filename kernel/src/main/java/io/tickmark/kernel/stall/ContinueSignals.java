package io.tickmark.kernel.stall;

import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells when the process was continued after a stop by a signal (SIGCONT), which nothing else does:
 * to the kernel's counters a stopped thread looks like one that sleeps. Any thread.
 */
final class ContinueSignals {
    private static final Set<Runnable> LISTENERS = ConcurrentHashMap.newKeySet();
    private static final boolean IS_HEARD = hear();

    private ContinueSignals() {}

    /** False where the JVM does not let signals be handled. */
    static boolean tell(final Runnable listener) {
        LISTENERS.add(listener);
        return IS_HEARD;
    }

    static void forget(final Runnable listener) {
        LISTENERS.remove(listener);
    }

    /** By reflection: the classes stand in a module that the compiler warns of. */
    private static boolean hear() {
        try {
            final Class<?> signal = Class.forName("sun.misc.Signal");
            final Class<?> handler = Class.forName("sun.misc.SignalHandler");
            final Object proxy =
                    Proxy.newProxyInstance(
                            ContinueSignals.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (self, method, arguments) ->
                                    switch (method.getName()) {
                                        case "handle" -> {
                                            LISTENERS.forEach(Runnable::run);
                                            yield null;
                                        }
                                        case "equals" -> self == arguments[0];
                                        case "hashCode" -> System.identityHashCode(self);
                                        default -> "tickmark's listener of SIGCONT";
                                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("CONT"), proxy);
            return true;
        } catch (final ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }
}
