package io.tickmark.lab.plan;

import io.tickmark.kernel.jars.OwnJars;
import io.tickmark.kernel.role.RoleFactory;
import io.tickmark.kernel.settings.NearestWord;
import io.tickmark.kernel.settings.UserError;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The roles on the class path, by name. */
public final class RoleCatalog {
    private final Map<String, RoleFactory<?>> byName = new TreeMap<>();

    /**
     * A catalog of these roles.
     *
     * @param factories each with its own name
     */
    public RoleCatalog(final Iterable<? extends RoleFactory<?>> factories) {
        for (final RoleFactory<?> factory : factories) {
            if (byName.put(factory.name(), factory) != null) {
                throw new IllegalStateException(
                        "two roles on the class path are called " + factory.name());
            }
        }
    }

    /**
     * The roles that {@link java.util.ServiceLoader} finds.
     *
     * @return the catalog
     */
    @SuppressWarnings("rawtypes") // a class literal has no type arguments
    public static RoleCatalog load() {
        final List<RoleFactory<?>> found =
                OwnJars.services(RoleFactory.class, Thread.currentThread().getContextClassLoader())
                        .stream()
                        .<RoleFactory<?>>map(provider -> (RoleFactory<?>) provider.get())
                        .toList();
        return new RoleCatalog(found);
    }

    /**
     * All roles.
     *
     * @return in alphabetical order
     */
    public Collection<RoleFactory<?>> all() {
        return List.copyOf(byName.values());
    }

    /**
     * The role of that name.
     *
     * @param name to look up
     * @return its factory
     * @throws UserError if there is none
     */
    public RoleFactory<?> find(final String name) {
        final RoleFactory<?> factory = byName.get(name);
        if (factory == null) {
            final List<String> known = List.copyOf(byName.keySet());
            throw UserError.usage("'" + name + "' is not a role; " + NearestWord.hint(name, known));
        }
        return factory;
    }
}
