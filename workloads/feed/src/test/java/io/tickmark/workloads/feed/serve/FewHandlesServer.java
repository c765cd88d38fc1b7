package io.tickmark.workloads.feed.serve;

import io.tickmark.kernel.host.LimitFacts;
import io.tickmark.workloads.feed.RunningServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/**
 * A server in a process with few file handles. Prints an address where it answers that there is
 * nothing (404), and for each line of its input how many handles are free.
 */
final class FewHandlesServer {
    private FewHandlesServer() {}

    public static void main(final String[] arguments) throws Exception {
        try (RunningServer server = new RunningServer(Map.of("rate", "0", "symbols", 10)).start();
                HttpClient client = HttpClient.newHttpClient()) {
            // all classes that a request needs are there from now on
            client.send(
                    HttpRequest.newBuilder(server.at("/feed/none")).build(),
                    HttpResponse.BodyHandlers.ofString());
            System.out.println(server.at("/feed/none"));
            final BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
            while (asked.readLine() != null) {
                System.out.println(LimitFacts.freeFiles().orElse(0));
            }
        }
    }
}
