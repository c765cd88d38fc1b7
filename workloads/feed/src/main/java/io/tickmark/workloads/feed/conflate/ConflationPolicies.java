package io.tickmark.workloads.feed.conflate;

import io.tickmark.kernel.settings.UserError;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The policies to choose from: merge, buffer, ignore, and those found on the class path. */
public final class ConflationPolicies {
    private final Map<String, ConflationPolicy> byName = new LinkedHashMap<>();

    /** Those that come with tickmark and those that {@link ServiceLoader} finds. */
    public ConflationPolicies() {
        BuiltInPolicy.ALL.forEach(this::add);
        ServiceLoader.load(ConflationPolicy.class).forEach(this::add);
    }

    private void add(final ConflationPolicy policy) {
        if (byName.putIfAbsent(policy.name(), policy) != null) {
            throw UserError.environment(
                    "two conflation policies on the class path are called '"
                            + policy.name()
                            + "'; rename one.");
        }
    }

    /**
     * All of them.
     *
     * @return the built-in ones first
     */
    public Collection<ConflationPolicy> all() {
        return List.copyOf(byName.values());
    }

    /**
     * The policy of that name.
     *
     * @param name to look up
     * @return the policy
     * @throws UserError if there is none
     */
    public ConflationPolicy find(final String name) {
        final ConflationPolicy policy = byName.get(name);
        if (policy == null) {
            throw UserError.usage(
                    "conflation: '"
                            + name
                            + "' is not a policy; known are "
                            + String.join(", ", byName.keySet())
                            + ".");
        }
        return policy;
    }
}
