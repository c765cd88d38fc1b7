package io.tickmark.workloads.fix.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tickmark.workloads.fix.trial.RawClient;
import io.tickmark.workloads.fix.trial.Trial;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A consumer in Python, whose messages another library builds and parses. */
@Timeout(120)
class SimpleFixConsumerTest {
    private static final String PYTHON = System.getenv("TICKMARK_TEST_PYTHON");

    private static final String CONSUMER =
            """
            import datetime, simplefix, socket, sys
            connection = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 60)
            sent = 0
            def say(kind, *fields):
                global sent
                sent += 1
                message = simplefix.FixMessage()
                message.append_pair(8, 'FIX.4.4', header=True)
                message.append_pair(35, kind, header=True)
                message.append_pair(49, 'CONSUMER1', header=True)
                message.append_pair(56, 'GATEWAY', header=True)
                message.append_pair(34, sent, header=True)
                message.append_utc_timestamp(52, precision=3, header=True)
                for tag, value in fields:
                    message.append_pair(tag, value)
                connection.sendall(message.encode())
            parser = simplefix.FixParser()
            def hear():
                while True:
                    message = parser.get_message()
                    if message is not None:
                        return message
                    parser.append_buffer(connection.recv(65536))
            say('A', (98, 0), (108, 30), (141, 'Y'))
            message = hear()
            assert message.get(35) == b'A', message
            print('logged on', flush=True)
            expected = 2
            while expected < 102:
                message = hear()
                if message.get(35) == b'W':
                    assert int(message.get(34)) == expected, (expected, message)
                    print(message.get(55).decode(), message.get(58).decode(), flush=True)
                    expected += 1
            say('5')
            while hear().get(35) != b'5':
                pass
            print('logged out', flush=True)
            """;

    @Test
    void shouldLogOnTakeTheFanOutAndLogOut() throws Exception {
        assumeTrue(PYTHON != null, "no Python environment for counterparts");
        try (Trial trial =
                        new Trial(Map.of("fanOut", "all"))
                                .gateway(Map.of("exitAtEnd", false))
                                .start();
                RawClient producer = new RawClient(trial.port("fixProducers"), "PRODUCER1")) {
            final Process process =
                    new ProcessBuilder(
                                    PYTHON,
                                    "-c",
                                    CONSUMER,
                                    Integer.toString(trial.port("fixConsumers")))
                            .redirectErrorStream(true)
                            .start();
            try {
                final BufferedReader out = process.inputReader();
                assertThat(out.readLine()).isEqualTo("logged on");
                final List<String> expected = new ArrayList<>();
                for (int i = 1; i <= 100; i++) {
                    producer.say("W", "55=EURUSD|58=m" + i + "|268=0|");
                    expected.add("EURUSD m" + i);
                }
                producer.settle();
                expected.add("logged out");
                assertThat(out.lines().toList()).isEqualTo(expected);
                assertThat(process.waitFor()).isZero();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
