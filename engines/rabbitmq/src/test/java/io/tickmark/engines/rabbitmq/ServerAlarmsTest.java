package io.tickmark.engines.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerAlarmsTest {
    /** An alarm that ended during a run left no word. */
    @Test
    void shouldCountAlarmsThatAreOver() {
        final ServerAlarms alarms = new ServerAlarms();
        alarms.handleUnblocked();
        assertThat(alarms.count()).isZero();

        alarms.handleBlocked("low on memory");
        assertThat(alarms.isOn()).isTrue();
        assertThat(alarms.reason()).isEqualTo("low on memory");

        alarms.handleUnblocked();
        alarms.handleBlocked("low on disk");
        alarms.handleUnblocked();
        assertThat(alarms.isOn()).isFalse();
        assertThat(alarms.count()).isEqualTo(2);
    }
}
