package io.tickmark.lab.plan;

/**
 * A machine that roles can run on, reached by the system's ssh.
 *
 * @param name of the host in plans and results
 * @param address that roles on it bind to and others connect to
 * @param ssh destination as ssh takes it; the address where omitted
 * @param port of its ssh server; 0 for that of ssh's own configuration
 * @param identity file with the private key; empty for that of ssh's own configuration
 * @param configuration file of ssh to use in place of the user's; empty for the user's
 * @param java command that starts Java there
 * @param folder for the build, one for each version, and for the files of roles
 */
public record HostPlan(
        @PlanKey(
                        help = "Name of the host in plans and results.",
                        required = true,
                        pattern = PlanPatterns.NAME)
                String name,
        @PlanKey(
                        help = "Address that roles on it bind to and others connect to.",
                        required = true,
                        pattern = PlanPatterns.ADDRESS)
                String address,
        @PlanKey(
                        help =
                                "Destination as ssh takes it, for example bench@left (default: the address).",
                        pattern = PlanPatterns.DESTINATION)
                String ssh,
        @PlanKey(
                        help = "Port of its ssh server (default: what ssh is configured for).",
                        min = 1,
                        max = 65535)
                Integer port,
        @PlanKey(help = "File with the private key (default: what ssh is configured for).")
                String identity,
        @PlanKey(help = "Configuration file of ssh (its -F) in place of your own.")
                String configuration,
        @PlanKey(
                        help = "Command that starts Java there (default: java).",
                        pattern = PlanPatterns.REMOTE_PATH)
                String java,
        @PlanKey(
                        help =
                                "Folder there for the build and for what roles write (default: .cache/tickmark in the home "
                                        + "folder).",
                        pattern = PlanPatterns.REMOTE_PATH)
                String folder) {
    /** Fills in what was not given. */
    public HostPlan {
        ssh = ssh == null ? address : ssh;
        port = port == null ? Integer.valueOf(0) : port;
        identity = identity == null ? "" : identity;
        configuration = configuration == null ? "" : configuration;
        java = java == null ? "java" : java;
        folder = folder == null ? ".cache/tickmark" : folder;
    }
}
