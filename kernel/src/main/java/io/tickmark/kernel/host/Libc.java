package io.tickmark.kernel.host;

import io.tickmark.kernel.settings.UserError;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;

/**
 * Access to the few calls of the C library that the JDK does not offer. Look a handle up once, keep
 * it in a {@code static final} field and call it with {@code invokeExact}. Any thread.
 */
@SuppressWarnings("restricted") // every native call of the product goes through here
public final class Libc {
    /** {@code char *} returned by the library: long enough for any message text. */
    private static final AddressLayout TEXT =
            ValueLayout.ADDRESS.withTargetLayout(
                    MemoryLayout.sequenceLayout(512, ValueLayout.JAVA_BYTE));

    private static final String WHY_NOT = whyNot();

    /** Linked for the first error: linking takes a hundredth of the time until a role listens. */
    private static final class Strerror {
        static final Optional<MethodHandle> CALL =
                find("strerror", FunctionDescriptor.of(TEXT, ValueLayout.JAVA_INT));
    }

    private Libc() {}

    /**
     * Whether calls can be made: Linux, and a JVM that allows native access.
     *
     * @return true where {@link #handle} finds what the library has
     */
    public static boolean isAvailable() {
        return WHY_NOT.isEmpty();
    }

    /**
     * Why calls cannot be made, for the user.
     *
     * @return a sentence without its full stop, empty where {@link #isAvailable()}
     */
    public static String whyNotAvailable() {
        return WHY_NOT;
    }

    /**
     * Looks a function up.
     *
     * @param name of the function
     * @param descriptor of its arguments and result
     * @param options of the linker, for example {@link Linker.Option#firstVariadicArg(int)}
     * @return its handle, empty where the library lacks it or calls cannot be made at all
     */
    public static Optional<MethodHandle> find(
            final String name,
            final FunctionDescriptor descriptor,
            final Linker.Option... options) {
        if (!isAvailable()) {
            return Optional.empty();
        }
        final Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(address -> linker.downcallHandle(address, descriptor, options));
    }

    /**
     * Looks up a function that sets errno.
     *
     * @param name of the function
     * @param descriptor of its arguments and result
     * @param options of the linker besides the capture of errno
     * @return its handle; the first argument is the {@link Errno#segment()} to write errno to, then
     *     come the function's own. Empty where the library lacks it or calls cannot be made at all
     */
    public static Optional<MethodHandle> findWithErrno(
            final String name,
            final FunctionDescriptor descriptor,
            final Linker.Option... options) {
        final Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = Linker.Option.captureCallState(Errno.NAME);
        return find(name, descriptor, all);
    }

    /**
     * Looks up a function that must exist.
     *
     * @param name of the function
     * @param descriptor of its arguments and result
     * @param options of the linker
     * @return its handle
     * @throws UserError if the library lacks it or calls cannot be made at all
     */
    public static MethodHandle handle(
            final String name,
            final FunctionDescriptor descriptor,
            final Linker.Option... options) {
        return find(name, descriptor, options).orElseThrow(() -> absent(name));
    }

    /**
     * Looks up a function that sets errno and must exist.
     *
     * @param name of the function
     * @param descriptor of its arguments and result
     * @param options of the linker besides the capture of errno
     * @return its handle, called as {@link #findWithErrno} says
     * @throws UserError if the library lacks it or calls cannot be made at all
     */
    public static MethodHandle handleWithErrno(
            final String name,
            final FunctionDescriptor descriptor,
            final Linker.Option... options) {
        return findWithErrno(name, descriptor, options).orElseThrow(() -> absent(name));
    }

    /**
     * The library's text for an error number.
     *
     * @param errno as captured by {@link Errno}
     * @return for example {@code Operation not permitted (errno 1)}
     */
    public static String errorText(final int errno) {
        return Strerror.CALL
                .map(handle -> text(handle, errno) + " (errno " + errno + ")")
                .orElse("errno " + errno);
    }

    /**
     * What to throw when a call through a handle throws: handles of the linker themselves throw
     * only errors, but the compiler cannot know that.
     *
     * @param thrown by {@code invokeExact}
     * @return never: errors and runtime exceptions are rethrown
     */
    public static IllegalStateException unexpected(final Throwable thrown) {
        if (thrown instanceof final Error error) {
            throw error;
        }
        if (thrown instanceof final RuntimeException exception) {
            throw exception;
        }
        return new IllegalStateException(thrown);
    }

    private static String text(final MethodHandle strerror, final int errno) {
        try {
            return ((MemorySegment) strerror.invokeExact(errno)).getString(0);
        } catch (final Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    private static UserError absent(final String name) {
        return UserError.environment(
                isAvailable()
                        ? "The C library of this system has no " + name + "(); use a newer one."
                        : "Calling " + name + "() is not possible: " + WHY_NOT + ".");
    }

    private static String whyNot() {
        final String system = System.getProperty("os.name", "an unknown system");
        if (!system.equals("Linux")) {
            return "it needs Linux and this is " + system;
        }
        try {
            Linker.nativeLinker();
            MemorySegment.NULL.reinterpret(0); // asks for the same permission as a call
            return "";
        } catch (final IllegalCallerException e) {
            return "this JVM forbids native access; add --enable-native-access=ALL-UNNAMED";
        } catch (final UnsupportedOperationException | LinkageError e) {
            return "this JVM has no native linker for this machine";
        }
    }
}
