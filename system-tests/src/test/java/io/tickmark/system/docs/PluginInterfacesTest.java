package io.tickmark.system.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What plug-ins are compiled against is on a list: the interfaces and packages that {@code
 * docs/plugins.md} names, and every type of ours that their signatures lead to. A plug-in that uses
 * what is gone is refused with the name of {@code docs/migrating.md}, so that page has to tell of
 * it: with {@code -Dtickmark.docs.write=true} the list is renewed, but only where the page does.
 */
class PluginInterfacesTest {
    private static final String OURS = "io.tickmark.";
    private static final Pattern NAMED = Pattern.compile("`(io\\.tickmark\\.[\\w.]+)`");
    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    private static final String ABSTRACT = "abstract ";

    private static final Path LIST =
            Repository.ROOT.resolve("system-tests/src/test/resources/plugin-interfaces.txt");

    private static final String HEAD =
            """
            # What plug-ins are compiled against: public and protected members of the types that docs/plugins.md names, and of
            # those that their signatures lead to. What goes from here has to be on the page docs/migrating.md, as Type.member, or
            # as the type where that goes or its constructor changes; so has what is abstract and new in a type that was here.
            # PluginInterfacesTest compares; -Dtickmark.docs.write=true renews it.
            """;

    @Test
    void shouldBeThoseOfTheList() throws IOException {
        final SortedSet<String> found = membersOf(reachable(named()));
        final List<String> listed = listed();
        final List<String> unmentioned =
                unmentioned(
                        listed, found, Repository.read(Repository.DOCS.resolve("migrating.md")));
        if (Boolean.getBoolean("tickmark.docs.write") && unmentioned.isEmpty()) {
            Repository.write(LIST, HEAD + String.join("\n", found) + "\n");
        }

        assertThat(unmentioned)
                .as(
                        "plug-ins may use what is gone or has changed, and lack what they have to implement now; name it in"
                                + " docs/migrating.md")
                .isEmpty();
        assertThat(listed())
                .as("members of types that plug-ins use; run this with -Dtickmark.docs.write=true")
                .containsExactlyElementsOf(found);
    }

    @Test
    void shouldAskForTheNameOfWhatIsGone() {
        final List<String> before =
                List.of(
                        "kernel.role.HotThread.new(String, boolean)",
                        "kernel.role.HotThread.primary(): boolean",
                        "kernel.role.HotThread.waiting(IdleMode): HotThread",
                        "kernel.time.ScheduleSpec: class");
        final Set<String> now = Set.of("kernel.role.HotThread.waiting(IdleMode): HotThread");

        assertThat(unmentioned(before, now, "Nothing has changed."))
                .containsExactly("HotThread", "HotThread.primary", "ScheduleSpec");
        assertThat(unmentioned(before, now, "`new HotThread`, `HotThread.primary`, `ScheduleSpec`"))
                .isEmpty();
    }

    /** A plug-in that was built before does not have the method, and ends where it is called. */
    @Test
    void shouldAskForTheNameOfWhatHasToBeImplementedFromNowOn() {
        final List<String> before =
                List.of(
                        "abstract transport.Transport.scheme(): String",
                        "transport.Transport: interface");
        final Set<String> now =
                Set.of(
                        "abstract transport.Transport.scheme(): String",
                        "abstract transport.Transport.colour(): String",
                        "transport.Transport.isLoud(): boolean",
                        "transport.Transport: interface",
                        "abstract transport.Painted.colour(): String",
                        "transport.Painted: interface");

        assertThat(unmentioned(before, now, "Nothing has changed."))
                .containsExactly("Transport.colour");
        assertThat(unmentioned(before, now, "`Transport.colour` is new")).isEmpty();
    }

    /** Without what they lead to, a change of a value that is handed to a plug-in would pass. */
    @Test
    void shouldFollowSignaturesToTypesOfOurs() {
        assertThat(membersOf(reachable(named())))
                .contains(
                        "kernel.role.HotThread.new(String, IdleMode, int)",
                        "kernel.result.StepResult.counts(): Map<String, Long>",
                        "transport.Transport: interface")
                .noneMatch(line -> line.startsWith("java."));
    }

    private static List<String> listed() throws IOException {
        return Files.exists(LIST)
                ? Files.readAllLines(LIST).stream().filter(line -> !line.startsWith("#")).toList()
                : List.of();
    }

    /**
     * Names of what was and is no more, and of what types that were there before ask their
     * implementers for now, as far as they are not on the page.
     */
    private static List<String> unmentioned(
            final Collection<String> before, final Set<String> now, final String page) {
        final Stream<String> gone = before.stream().filter(line -> !now.contains(line));
        final Stream<String> demanded =
                now.stream()
                        .filter(line -> line.startsWith(ABSTRACT) && !before.contains(line))
                        .filter(line -> before.stream().anyMatch(old -> old.startsWith(head(line))))
                        .sorted();
        return Stream.concat(gone, demanded)
                .map(PluginInterfacesTest::nameOf)
                .distinct()
                .filter(name ->
                        !Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(page).find())
                .toList();
    }

    /** How the line of a member's type begins. */
    private static String head(final String line) {
        final String member = line.substring(ABSTRACT.length(), line.indexOf('('));
        return member.substring(0, member.lastIndexOf('.')) + ": ";
    }

    /** {@code Type.member}, or the type alone for its head and its constructors. */
    private static String nameOf(final String line) {
        final String named = line.substring(line.lastIndexOf(' ', end(line)) + 1, end(line));
        final String withoutPackage = PACKAGE.matcher(named).replaceFirst("");
        return withoutPackage.endsWith(".new")
                ? withoutPackage.substring(0, withoutPackage.length() - ".new".length())
                : withoutPackage;
    }

    private static int end(final String line) {
        final int arguments = line.indexOf('(');
        return arguments < 0 ? line.indexOf(':') : arguments;
    }

    private static Set<Class<?>> named() {
        return NAMED.matcher(Repository.read(Repository.DOCS.resolve("plugins.md")))
                .results()
                .flatMap(found -> types(found.group(1)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** A class, or all public ones of a package of the engine kit. */
    private static Stream<Class<?>> types(final String name) {
        final Path folder =
                Repository.ROOT.resolve("transport/src/main/java/" + name.replace('.', '/'));
        if (!Files.isDirectory(folder)) {
            return Stream.of(type(name));
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".java") && !file.startsWith("package-info"))
                    .sorted()
                    .<Class<?>>map(file -> type(name + "." + file.replace(".java", "")))
                    .toList()
                    .stream();
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Class<?> type(final String name) {
        try {
            return Class.forName(name, false, PluginInterfacesTest.class.getClassLoader());
        } catch (final ClassNotFoundException e) {
            throw new AssertionError(
                    "docs/plugins.md names %s, which is no class and no package of the kit"
                            .formatted(name),
                    e);
        }
    }

    private static Set<Class<?>> reachable(final Set<Class<?>> from) {
        final Set<Class<?>> all = new LinkedHashSet<>();
        final List<Class<?>> open = new ArrayList<>(from);
        while (!open.isEmpty()) {
            final Class<?> next = open.removeLast();
            if (next.getName().startsWith(OURS) && isOpen(next.getModifiers()) && all.add(next)) {
                final Set<Class<?>> led = new LinkedHashSet<>(List.of(next.getDeclaredClasses()));
                supertypes(next).forEach(type -> collect(type, led));
                executables(next)
                        .forEach(each ->
                                List.of(each.getGenericParameterTypes())
                                        .forEach(type -> collect(type, led)));
                methods(next).forEach(each -> collect(each.getGenericReturnType(), led));
                fields(next).forEach(each -> collect(each.getGenericType(), led));
                open.addAll(led);
            }
        }
        return all;
    }

    private static void collect(final Type type, final Set<Class<?>> into) {
        switch (type) {
            case final Class<?> c when c.isArray() -> collect(c.getComponentType(), into);
            case final Class<?> c -> into.add(c);
            case final ParameterizedType p -> {
                collect(p.getRawType(), into);
                List.of(p.getActualTypeArguments()).forEach(each -> collect(each, into));
            }
            case final GenericArrayType a -> collect(a.getGenericComponentType(), into);
            case final WildcardType w ->
                    List.of(w.getUpperBounds()).forEach(each -> collect(each, into));
            case final TypeVariable<?> _ -> {} // its bound is in the type that declares it
            default -> throw new AssertionError(type);
        }
    }

    private static SortedSet<String> membersOf(final Set<Class<?>> types) {
        final SortedSet<String> lines = new TreeSet<>();
        for (final Class<?> type : types) {
            final String owner = type.getName().substring(OURS.length()).replace('$', '.');
            lines.add(owner + ": " + kind(type));
            fields(type)
                    .forEach(field ->
                            lines.add(
                                    "%s.%s: %s"
                                            .formatted(
                                                    owner,
                                                    field.getName(),
                                                    shown(field.getGenericType()))));
            constructors(type).forEach(each -> lines.add(owner + ".new" + arguments(each)));
            methods(type)
                    .forEach(method ->
                            lines.add(
                                    modifiers(method)
                                            + owner
                                            + "."
                                            + method.getName()
                                            + arguments(method)
                                            + ": "
                                            + shown(method.getGenericReturnType())));
        }
        return lines;
    }

    private static String kind(final Class<?> type) {
        final String kind =
                type.isAnnotation()
                        ? "annotation"
                        : type.isInterface()
                                ? "interface"
                                : type.isRecord()
                                        ? "record"
                                        : type.isEnum()
                                                ? "enum"
                                                : Modifier.isFinal(type.getModifiers())
                                                        ? "final class"
                                                        : "class";
        final String parents =
                supertypes(type).stream()
                        .map(PluginInterfacesTest::shown)
                        .collect(Collectors.joining(", "));
        return parents.isEmpty() ? kind : kind + " extends " + parents;
    }

    private static List<Type> supertypes(final Class<?> type) {
        final List<Type> all = new ArrayList<>(List.of(type.getGenericInterfaces()));
        final Class<?> parent = type.getSuperclass();
        if (parent != null && !type.isRecord() && !type.isEnum() && parent != Object.class) {
            all.addFirst(type.getGenericSuperclass());
        }
        return all;
    }

    /** Whoever implements an interface needs its abstract methods, so that they are marked. */
    private static String modifiers(final Method method) {
        return Modifier.isAbstract(method.getModifiers())
                ? ABSTRACT
                : Modifier.isStatic(method.getModifiers()) ? "static " : "";
    }

    private static String arguments(final Executable executable) {
        return Stream.of(executable.getGenericParameterTypes())
                .map(PluginInterfacesTest::shown)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String shown(final Type type) {
        return PACKAGE.matcher(type.getTypeName()).replaceAll("").replace('$', '.');
    }

    private static List<Executable> executables(final Class<?> type) {
        return Stream.<Executable>concat(constructors(type).stream(), methods(type).stream())
                .toList();
    }

    private static List<Constructor<?>> constructors(final Class<?> type) {
        return type.isEnum() ? List.of() : open(type.getDeclaredConstructors());
    }

    private static List<Method> methods(final Class<?> type) {
        return open(type.getDeclaredMethods()).stream()
                .filter(method -> !method.isBridge())
                .filter(method -> !OF_EVERY_OBJECT.contains(method.getName()))
                .filter(method -> !(type.isEnum() && Modifier.isStatic(method.getModifiers())))
                .toList();
    }

    private static List<Field> fields(final Class<?> type) {
        return open(type.getDeclaredFields());
    }

    private static <M extends Member> List<M> open(final M[] members) {
        return Stream.of(members)
                .filter(member -> !member.isSynthetic() && isOpen(member.getModifiers()))
                .toList();
    }

    private static boolean isOpen(final int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
