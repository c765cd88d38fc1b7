package io.tickmark.kernel.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tickmark.kernel.settings.UserError;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LibcTest {
    private static final FunctionDescriptor NO_ARGUMENTS = FunctionDescriptor.of(JAVA_INT);

    @Test
    void shouldCallAFunctionOfTheLibrary() throws Throwable {
        final MethodHandle getpid = Libc.handle("getpid", NO_ARGUMENTS);

        assertThat((int) getpid.invokeExact()).isEqualTo((int) ProcessHandle.current().pid());
    }

    @Test
    void shouldCaptureTheErrorOfAFailedCall() throws Throwable {
        final MethodHandle chdir =
                Libc.handleWithErrno("chdir", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        final Errno errno = new Errno();

        assertThat(errno.value()).isZero();
        assertThat((int) chdir.invokeExact(errno.segment(), MemorySegment.NULL)).isEqualTo(-1);
        assertThat(errno.value()).isEqualTo(14);
        assertThat(errno.text()).isEqualTo("Bad address (errno 14)");
    }

    @Test
    void shouldNameErrorsInWords() {
        assertThat(Libc.errorText(Errno.EPERM)).isEqualTo("Operation not permitted (errno 1)");
        assertThat(Libc.errorText(Errno.EADDRINUSE)).isEqualTo("Address already in use (errno 98)");
        assertThat(Libc.errorText(123_456)).contains("123456");
    }

    @Test
    void shouldSayWhichFunctionIsAbsent() {
        assertThat(Libc.find("no_such_function", NO_ARGUMENTS)).isEmpty();
        assertThat(Libc.findWithErrno("no_such_function", NO_ARGUMENTS)).isEmpty();
        assertThatThrownBy(() -> Libc.handle("no_such_function", NO_ARGUMENTS))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> assertThat(e.kind()).isEqualTo(UserError.Kind.ENVIRONMENT))
                .hasMessageContaining("no_such_function()");
    }

    @Test
    void shouldThrowOnWhatACallThrew() {
        final Error error = new LinkageError("as thrown");

        assertThatThrownBy(() -> Libc.unexpected(error)).isSameAs(error);
        assertThat(Libc.unexpected(new Exception("checked"))).hasRootCauseMessage("checked");
    }
}
