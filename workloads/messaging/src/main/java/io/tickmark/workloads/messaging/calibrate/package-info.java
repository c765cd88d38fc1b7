/** The bench measures itself: programmed delays and faults beside what is measured of them. */
package io.tickmark.workloads.messaging.calibrate;
