/**
 * The bench measures itself: programmed delays and faults compared with the measurements of them.
 */
package io.tickmark.workloads.messaging.calibrate;
