package io.tickmark.engines.quickfixj;

import static org.assertj.core.api.Assertions.assertThat;

import io.tickmark.workloads.fix.trial.Trial;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import quickfix.Application;
import quickfix.DefaultMessageFactory;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketInitiator;

/** Our gateway with clients of QuickFIX/J: logon, market data, resending, logout. */
class QuickFixClientTest {
    private static final SessionID PRODUCER = new SessionID("FIX.4.4", "PRODUCER1", "GATEWAY");
    private static final SessionID CONSUMER = new SessionID("FIX.4.4", "CONSUMER1", "GATEWAY");
    private static final long PATIENCE_NS = 120_000_000_000L;

    private final Heard heard = new Heard();
    private Trial trial;
    private SocketInitiator initiator;

    private static final class Heard implements Application {
        final List<Message> messages = new CopyOnWriteArrayList<>();
        final List<String> admin = new CopyOnWriteArrayList<>();

        @Override
        public void onCreate(final SessionID id) {
            // nothing to do
        }

        @Override
        public void onLogon(final SessionID id) {
            // the tests look at the session
        }

        @Override
        public void onLogout(final SessionID id) {
            // the tests look at the session
        }

        @Override
        public void toAdmin(final Message message, final SessionID id) {
            // nothing to add
        }

        @Override
        public void fromAdmin(final Message message, final SessionID id) {
            admin.add(id.getSenderCompID() + " " + message.toString().replace('\u0001', '|'));
        }

        @Override
        public void toApp(final Message message, final SessionID id) {
            // nothing to add
        }

        @Override
        public void fromApp(final Message message, final SessionID id) {
            if (id.equals(CONSUMER)) {
                messages.add(message);
            }
        }
    }

    @BeforeEach
    void logOn() throws Exception {
        trial = new Trial(Map.of()).gateway(Map.of("exitAtEnd", false)).start();
        final SessionSettings settings = new SessionSettings();
        settings.setString("ConnectionType", "initiator");
        settings.setString("StartTime", "00:00:00");
        settings.setString("EndTime", "00:00:00");
        settings.setString("NonStopSession", "Y");
        settings.setString("HeartBtInt", "5");
        settings.setString("ReconnectInterval", "1");
        settings.setString("UseDataDictionary", "Y");
        settings.setString("DataDictionary", "FIX44.xml");
        settings.setString("ValidateUserDefinedFields", "N");
        settings.setString("SocketConnectHost", "127.0.0.1");
        settings.setString(PRODUCER, "BeginString", "FIX.4.4");
        settings.setString(
                PRODUCER, "SocketConnectPort", Integer.toString(trial.port("fixProducers")));
        settings.setString(CONSUMER, "BeginString", "FIX.4.4");
        settings.setString(
                CONSUMER, "SocketConnectPort", Integer.toString(trial.port("fixConsumers")));
        initiator =
                new SocketInitiator(
                        heard,
                        new MemoryStoreFactory(),
                        settings,
                        id -> new QuickFixGateway.SilentLog(),
                        new DefaultMessageFactory());
        initiator.start();
        await(() -> session(PRODUCER).isLoggedOn() && session(CONSUMER).isLoggedOn());
    }

    @AfterEach
    void end() {
        initiator.stop(true);
        trial.close();
    }

    private static Session session(final SessionID id) {
        return Session.lookupSession(id);
    }

    private static void await(final BooleanSupplier condition) {
        final long untilNs = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - untilNs).as("within 120 s").isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static Message marketData(final int number) throws Exception {
        final String body =
                "9700=Y|262=r%d|55=EURUSD|268=2|269=0|270=1.1|271=5|269=1|270=1.2|271=7|"
                        .formatted(number);
        final String text = "8=FIX.4.4|9=0|35=W|" + body + "10=000|";
        final Message message = new Message();
        message.fromString(
                text.replace('|', '\u0001'), new quickfix.DataDictionary("FIX44.xml"), false);
        return message;
    }

    @Test
    void shouldCarryMarketDataFromOneToTheOther() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(session(PRODUCER).send(marketData(i))).isTrue();
        }
        await(() -> heard.messages.size() == 20);
        final Message last = heard.messages.getLast();
        assertThat(last.getString(262)).isEqualTo("r19");
        assertThat(last.getGroups(268)).hasSize(2);
        assertThat(last.getHeader().getString(49)).isEqualTo("GATEWAY");
        assertThat(heard.admin).noneMatch(message -> message.contains("|35=3|"));
    }

    @Test
    void shouldSendAgainWhatTheForeignClientMissed() throws Exception {
        for (int i = 0; i < 5; i++) {
            session(PRODUCER).send(marketData(i));
        }
        await(() -> heard.messages.size() == 5);
        session(CONSUMER).setNextTargetMsgSeqNum(2); // as if messages 2 to 6 had not arrived
        session(PRODUCER).send(marketData(5));
        await(() -> heard.messages.size() >= 11);
        final List<Message> again = heard.messages.subList(5, 10);
        for (int i = 0; i < 5; i++) {
            assertThat(again.get(i).getString(262)).isEqualTo("r" + i);
            assertThat(again.get(i).getHeader().getString(43)).isEqualTo("Y");
            assertThat(again.get(i).getHeader().isSetField(122)).isTrue();
        }
        assertThat(heard.messages.get(10).getString(262)).isEqualTo("r5");
        assertThat(session(CONSUMER).isLoggedOn()).isTrue();
    }

    @Test
    void shouldAskTheForeignClientForWhatWasMissed() throws Exception {
        session(PRODUCER).send(marketData(0));
        await(() -> heard.messages.size() == 1);
        session(PRODUCER).setNextSenderMsgSeqNum(session(PRODUCER).getExpectedSenderNum() + 3);
        session(PRODUCER).send(marketData(1));
        await(() -> heard.messages.size() == 2);
        assertThat(heard.admin)
                .anyMatch(message -> message.contains("PRODUCER1") && message.contains("|35=2|"));
        assertThat(heard.messages.get(1).getString(262)).isEqualTo("r1");
    }

    @Test
    void shouldAnswerATestRequestAndALogout() throws Exception {
        session(CONSUMER).generateTestRequest("hello");
        await(() -> heard.admin.stream().anyMatch(message -> message.contains("|112=hello|")));
        session(CONSUMER).logout("bye");
        await(() -> !session(CONSUMER).isLoggedOn());
        assertThat(heard.admin)
                .anyMatch(message -> message.startsWith("CONSUMER1") && message.contains("|35=5|"));
    }

    @Test
    void shouldLogTheForeignClientsOutWhenItEnds() {
        trial.stop("gateway");
        await(() ->
                heard.admin.stream().filter(message -> message.contains("|35=5|")).count() >= 2);
    }
}
