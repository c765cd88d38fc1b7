/**
 * The {@code shm} transport: rings of messages in a mapped file, between processes of one machine;
 * {@link io.tickmark.transport.shm.ShmLayout} is the format.
 */
package io.tickmark.transport.shm;
