/** MQTT 3.1.1 and 5 behind the transport SPI. Nothing else knows its client. */
package io.tickmark.engines.mqtt;
