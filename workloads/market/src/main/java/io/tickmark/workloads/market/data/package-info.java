/**
 * The parts of market-data messages and how they are written and read: dictionary, message files,
 * item lists, encoders and decoders. No connection, no role.
 */
package io.tickmark.workloads.market.data;
