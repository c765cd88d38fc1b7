package io.tickmark.lab.hosts;

/** What keeps an agent from starting, in the user's words. */
final class AgentTrouble {
    private AgentTrouble() {}

    static String sentence(final String host, final String said) {
        if (said.contains("UnsupportedClassVersionError")) {
            return "Host "
                    + host
                    + " has a Java that is too old; name a JDK 25 with 'java:' in the file of hosts.";
        }
        if (said.contains("not found") || said.contains("No such file")) {
            return "Host %s has no Java where it was looked for (%s); name it with 'java:' in the file of hosts."
                    .formatted(host, said);
        }
        return "Host %s was lost: %s; see whether it runs and can be reached."
                .formatted(host, said);
    }
}
