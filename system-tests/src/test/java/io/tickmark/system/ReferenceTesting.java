package io.tickmark.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs command lines of reference tools in a folder, and ensures that nothing is left behind. Of
 * the streaming tools it has what lines with a store share with the others.
 */
abstract class ReferenceTesting {
    /** The subscriber of all ten tests. */
    static final String UM_SUBSCRIBER = "-x um.xml -a 2 -t topic1,topic2,topic3,topic1abc -p r";

    /** The excerpt of its configuration, with the network of the namespaces. */
    private static final String UM_XML =
            """
            <?xml version="1.0" encoding="UTF-8" ?>
            <um-configuration version="1.0">
            <templates>
            <template name="um_perf">
            <options type="context">
            <option name="resolver_multicast_interface" default-value="10.77.0.0/24"/>
            <option name="request_tcp_interface" default-value="10.77.0.0/24"/>
            <option name="resolver_multicast_address" default-value="239.101.3.1"/>
            </options>
            </template>
            </templates>
            <applications>
            <application name="um_perf" template="um_perf">
            <contexts>
            <context>
            <sources>
            <topic topicname="topic1">
            <options type="source">
            <option name="transport_lbtrm_multicast_address" default-value="239.101.3.2"/>
            </options>
            </topic>
            </sources>
            </context>
            </contexts>
            </application>
            <application name="um_perf_rpp" template="um_perf"/>
            <application name="um_perf_spp" template="um_perf"/>
            </applications>
            </um-configuration>
            """;

    @TempDir Path folder;
    private final List<Job> jobs = new ArrayList<>();

    Launch line(final String line) {
        return Launch.tickmark(folder, line);
    }

    Job start(final Launch launch) throws IOException {
        final Job job = Job.start(launch, folder);
        jobs.add(job);
        return job;
    }

    @AfterEach
    void endAll() {
        jobs.forEach(Job::close);
    }

    void writeUmFile() throws IOException {
        Files.writeString(folder.resolve("um.xml"), UM_XML);
    }

    /**
     * As it ends for its publisher; how many it keeps in flight is known where there is a store.
     */
    static String figures(final int messages, final String flight) {
        return "(?m)^actual_sends="
                + messages
                + ", duration_ns=\\d+, result_rate=[\\d.]+, global_max_tight_sends=\\d+, max_flight_size="
                + flight
                + "$";
    }
}
