package io.tickmark.workloads.fix.gateway;

import io.tickmark.kernel.role.HotThread;
import io.tickmark.kernel.role.RoleContext;
import java.util.List;

/**
 * Creates gateways of one kind; found with {@link java.util.ServiceLoader}. Stateless, cheap to
 * load.
 */
public interface GatewayEngines {
    /**
     * The engine's word.
     *
     * @return for example {@code quickfixj}
     */
    String name();

    /**
     * The threads that work while messages arrive, with their idle modes in this engine.
     *
     * @param settings of the role
     * @return at least one
     */
    List<HotThread> hotThreads(GatewaySettings settings);

    /**
     * Starts a gateway.
     *
     * @param settings of the role
     * @param context of the role
     * @return it, listening
     * @throws io.tickmark.kernel.settings.UserError if it cannot do what the settings ask, or not
     *     listen
     */
    GatewayEngine start(GatewaySettings settings, RoleContext context);
}
