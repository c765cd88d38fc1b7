/**
 * What the kernel costs on the hot path, by JMH; nothing here is measured through an engine.
 *
 * <p>To run: {@code java -cp <class path of bench> org.openjdk.jmh.Main io.tickmark.bench.kernel
 * -prof gc}. The goal is at most 50 ns and 0 B for recording one message.
 */
package io.tickmark.bench.kernel;
